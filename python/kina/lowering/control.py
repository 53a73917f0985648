"""Loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation

from kina.dialect import ops as kina
from kina.lowering.context import Lowering
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


LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {kina.ForOp: lower_for}
