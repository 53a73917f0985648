"""The largest elements along an axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects import tensor as upstream
from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation, Region, SSAValue

from kina.dialect import ops as kina
from kina.dialect.dtypes import tensor
from kina.lowering.arithmetic import widen
from kina.lowering.context import Lowering, element_of, shape_of
from kina.lowering.materialize import as_tensor
from kina.lowering.scalar import INDEX, Scalar
from kina.lowering.storage import from_stored, stored_type
from kina.sizes import Size

Carry = Sequence[SSAValue]


def lower_top_k(low: Lowering, op: kina.TopKOp) -> None:
    """One pass that keeps the best so far in order, and one place after them.

    An element is put behind them, and those that it beats change places with it. Few elements beat
    even the least of the best, so that is one comparison each; at worst it is `k`.
    """
    shape, element, axis = shape_of(op.values), element_of(op.values), op.axis_number
    if 0 in shape:
        low.bind(op.values, low.empty(element, shape))
        low.bind(op.indices, low.empty(i64, shape))
        return
    source = as_tensor(low, op.operand)
    k, rank = op.k.value.data, len(shape)
    order = [*(other for other in range(rank) if other != axis), axis]

    def step(counters: Sequence[SSAValue], values: SSAValue, indices: SSAValue) -> Carry:
        place = dict(zip(order, counters))

        def get(source: SSAValue, i: SSAValue) -> SSAValue:
            at = [i if a == axis else place[a] for a in range(rank)]
            return low.insert(upstream.ExtractOp(source, at, stored_type(source).element_type))

        def put(x: SSAValue, target: SSAValue, i: SSAValue) -> SSAValue:
            at = [i if a == axis else place[a] for a in range(rank)]
            return low.insert(upstream.InsertOp(x, target, at))

        def rises(j: SSAValue, values: SSAValue, indices: SSAValue) -> Scalar:
            index = low.code.scalar(j)
            above = get(values, (index - 1).maximum(0).value)
            mine, its = (from_stored(low.code.scalar(y), element) for y in (x, above))
            return index.compare("gt", 0) & _beats(mine, its)

        def rise(j: SSAValue, values: SSAValue, indices: SSAValue) -> Carry:
            above = (low.code.scalar(j) - 1).value
            values = put(get(values, above), values, j)
            return [above, values, put(get(indices, above), indices, j)]

        i = low.code.scalar(counters[-1])
        x = get(source, i.value)
        j, values, indices = _while(low, [i.minimum(k).value, values, indices], rises, rise)
        return [put(x, values, j), put(i.index_cast(i64).value, indices, j)]

    room = [*shape[:axis], k + 1, *shape[axis + 1 :]]
    sizes = [shape_of(op.operand)[a] for a in order]
    best = _nest(low, sizes, [], [low.empty(element, room), low.empty(i64, room)], step)
    for result, found in zip((op.values, op.indices), best):
        low.bind(result, _first(low, found, shape))


def _first(low: Lowering, source: SSAValue, shape: Sequence[Size]) -> SSAValue:
    """The block of this shape with which a tensor begins."""
    zeros, ones = [0] * len(shape), [1] * len(shape)
    type_ = tensor(stored_type(source).element_type, shape)
    return low.insert(upstream.ExtractSliceOp(source, zeros, low.mixed(shape), ones, type_))


def _beats(x: Scalar, y: Scalar) -> Scalar:
    """Whether x goes before y, which has the lower index."""
    x, y = widen(x), widen(y)
    more = x.compare("gt", y)
    return more | (x.is_nan() & y.compare("eq", y)) if x.is_float else more


def _nest(
    low: Lowering,
    sizes: Sequence[Size],
    counters: Sequence[SSAValue],
    carry: Carry,
    step: Callable[..., Carry],
) -> Carry:
    """Loops over these sizes, one in the other, that carry tensors through `step`."""
    if not sizes:
        return step(counters, *carry)
    block = Block(arg_types=[INDEX, *(value.type for value in carry)])
    counter, *inside = block.args

    def walk() -> None:
        results = _nest(low, sizes[1:], [*counters, counter], inside, step)
        low.builder.insert(scf.YieldOp(*results))

    low.nested(block, walk)
    first, last, by = (low.size(number) for number in (0, sizes[0], 1))
    loop = scf.ForOp(first, last, by, carry, block)
    low.builder.insert(loop)
    return loop.results


def _while(
    low: Lowering, carry: Carry, condition: Callable[..., Scalar], step: Callable[..., Carry]
) -> Carry:
    """The carry after as many steps as the condition allows."""
    types = [value.type for value in carry]
    before, after = Block(arg_types=types), Block(arg_types=types)

    def test() -> None:
        low.builder.insert(scf.ConditionOp(condition(*before.args).value, *before.args))

    def go_on() -> None:
        low.builder.insert(scf.YieldOp(*step(*after.args)))

    low.nested(before, test)
    low.nested(after, go_on)
    loop = scf.WhileOp(carry, types, Region(before), Region(after))
    low.builder.insert(loop)
    return loop.res


LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {kina.TopKOp: lower_top_k}
