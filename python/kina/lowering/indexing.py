"""Run-time indices: Kina's I64 scalars as `index`, clamped where they could leave their range."""

from __future__ import annotations

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from kina.dialect import ops as kina
from kina.lowering.context import Lowering
from kina.lowering.scalar import INDEX, Scalar
from kina.lowering.views import Number


def index_of(low: Lowering, value: SSAValue) -> SSAValue:
    """An I64 scalar as an `index`."""
    reading = low.readings[value]
    if isinstance(reading, Number):
        return low.code.constant(reading.value, INDEX).value
    if value not in low.indices:
        low.indices[value] = low.scalar(value).index_cast(INDEX).value
    return low.indices[value]


def clamped_index(low: Lowering, value: SSAValue, last: int) -> SSAValue | int:
    """An I64 scalar clamped to `0 .. last`: a Python number where it is known now."""
    if last == 0:
        return 0
    reading = low.readings[value]
    if isinstance(reading, Number):
        return min(max(int(reading.value), 0), last)
    index = index_of(low, value)
    least, greatest = bounds(low, value) or (-1, last + 1)
    if 0 <= least and greatest <= last:
        return index
    return clamp(low.code.scalar(index), last).value


def clamp(index: Scalar, last: int) -> Scalar:
    """A signed integer or index clamped to `0 .. last`."""
    return index.minimum(last).maximum(0)


def bounds(low: Lowering, value: SSAValue) -> tuple[int, int] | None:
    """The least and greatest value of an I64 scalar, where constants and loops tell them."""
    reading = low.readings.get(value)
    if isinstance(reading, Number):
        return int(reading.value), int(reading.value)
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


def clamped_id(id_: Scalar, last: int) -> Scalar:
    """An element of a gather's ids as an `index` into a table of `last + 1` rows."""
    return clamp(id_.extend(i64).index_cast(INDEX), last)
