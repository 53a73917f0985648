"""Loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation, Region, SSAValue

from kina.dialect import ops as kina
from kina.lowering.context import Lowering, shape_of
from kina.lowering.indexing import bounds, index_of
from kina.lowering.placement import initial, yielded
from kina.lowering.scalar import INDEX


def lower_for(low: Lowering, op: kina.ForOp) -> None:
    """An `scf.for` over `index`, whose carry are tensors and scalars."""
    lower, upper = index_of(low, op.lower), index_of(low, op.upper)
    first_carry = initial(low, op)
    body = Block(arg_types=[INDEX, *(value.type for value in first_carry)])
    counter, *carry = body.args
    loop = scf.ForOp(lower, upper, low.code.constant(1, INDEX).value, first_carry, body)

    first, last = bounds(low, op.lower), bounds(low, op.upper)
    if first and last:
        low.counters[op.index] = (first[0], last[1] - 1)

    def walk() -> None:
        low.bind(op.index, low.code.scalar(counter).index_cast(i64).value)
        low.indices[op.index] = counter
        for inside, argument in zip(op.carry, carry):
            low.bind(inside, argument)
        low.walk(low, op.body.block)
        low.builder.insert(scf.YieldOp(*yielded(low, op.yielded, op.carry)))

    low.nested(body, walk)
    low.builder.insert(loop)
    for result, lowered in zip(op.results_, loop.results):
        low.bind(result, lowered)


def lower_while(low: Lowering, op: kina.WhileOp) -> None:
    """An `scf.while`, whose regions both take the carry: the first tests it, the second is the body.

    Tensors come first. MLIR drops scalars that only the condition reads from what it hands to the
    body, and takes a tensor for another when that moves it.
    """
    order = sorted(range(len(op.initial)), key=lambda i: not shape_of(op.initial[i]))
    first_carry = _in_order(initial(low, op), order)
    types = [value.type for value in first_carry]
    before, after = Block(arg_types=types), Block(arg_types=types)

    def bind(values: Sequence[SSAValue], lowered: Sequence[SSAValue]) -> None:
        for value, found in zip(_in_order(values, order), lowered):
            low.bind(value, found)

    def test() -> None:
        bind(op.tested, before.args)
        low.walk(low, op.condition.block)
        low.builder.insert(scf.ConditionOp(low.scalar(op.holds).value, *before.args))

    def walk() -> None:
        bind(op.carry, after.args)
        low.walk(low, op.body.block)
        following = yielded(low, op.yielded, op.carry)
        low.builder.insert(scf.YieldOp(*_in_order(following, order)))

    low.nested(before, test)
    low.nested(after, walk)
    loop = scf.WhileOp(first_carry, types, Region(before), Region(after))
    low.builder.insert(loop)
    bind(op.results_, loop.res)


def _in_order(values: Sequence[SSAValue], order: Sequence[int]) -> list[SSAValue]:
    return [values[i] for i in order]


LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {
    kina.ForOp: lower_for,
    kina.WhileOp: lower_while,
}
