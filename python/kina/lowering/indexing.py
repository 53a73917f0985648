"""Run-time indices: Kina's I64 scalars as `index`, clamped where they could leave their range."""

from __future__ import annotations

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from kina.dialect import ops as kina
from kina.lowering.context import Lowering
from kina.lowering.scalar import INDEX, Scalar
from kina.lowering.views import Number
from kina.sizes import Open, Size, fits, least, most


def index_of(low: Lowering, value: SSAValue) -> SSAValue:
    """An I64 scalar as an `index`."""
    reading = low.readings[value]
    if isinstance(reading, Number):
        return low.size(_whole(reading))
    if value not in low.indices:
        low.indices[value] = low.scalar(value).index_cast(INDEX).value
    return low.indices[value]


def clamped_index(low: Lowering, value: SSAValue, last: Size) -> SSAValue | int:
    """An I64 scalar clamped to `0 .. last`: a Python number where it is known now."""
    if last == 0:
        return 0
    reading = low.readings[value]
    if isinstance(reading, Number):
        number = _whole(reading)
        if least(number) >= 0 and fits(number, last):
            return low.size(number) if isinstance(number, Open) else number
        if not isinstance(number, Open) and not isinstance(last, Open):
            return min(max(number, 0), last)
    index = index_of(low, value)
    first, greatest = bounds(low, value) or (-1, 0)
    if 0 <= first and fits(greatest, last):
        return index
    return clamp(low.code.scalar(index), low.code.scalar(low.size(last))).value


def _whole(number: Number) -> Size:
    return number.value if isinstance(number.value, Open) else int(number.value)


def clamp(index: Scalar, last: Scalar) -> Scalar:
    """A signed integer or index clamped to `0 .. last`."""
    return index.minimum(last).maximum(0)


def bounds(low: Lowering, value: SSAValue) -> tuple[int, int] | None:
    """The least and greatest value of an I64 scalar, where constants and loops tell them."""
    reading = low.readings.get(value)
    if isinstance(reading, Number):
        return least(_whole(reading)), most(_whole(reading))
    if value in low.counters:
        return low.counters[value]
    op = value.owner
    if isinstance(op, kina.AddOp | kina.SubOp | kina.MulOp):
        a, b = bounds(low, op.lhs), bounds(low, op.rhs)
        if a is None or b is None:
            return None
        found = _combine(op, a, b)
        return found if -(2**63) <= found[0] and found[1] < 2**63 else None
    return None


def _combine(
    op: kina.AddOp | kina.SubOp | kina.MulOp, a: tuple[int, int], b: tuple[int, int]
) -> tuple[int, int]:
    if isinstance(op, kina.AddOp):
        return a[0] + b[0], a[1] + b[1]
    if isinstance(op, kina.SubOp):
        return a[0] - b[1], a[1] - b[0]
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def clamped_id(low: Lowering, id_: Scalar, last: Size) -> Scalar:
    """An element of a gather's ids as an `index` into a table of `last + 1` rows."""
    index = id_.extend(i64).index_cast(INDEX)
    greatest = id_.code.scalar(low.size(last)) if isinstance(last, Open) else index.like(last)
    return clamp(index, greatest)
