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
from kina.lowering.materialize import carried
from kina.lowering.placement import placed
from kina.lowering.scalar import INDEX


def lower_for(low: Lowering, op: kina.ForOp) -> None:
    """An `scf.for` over `index`, whose carry are tensors and scalars."""
    lower, upper = index_of(low, op.lower), index_of(low, op.upper)
    initial = [carried(low, value) for value in op.initial]
    body = Block(arg_types=[INDEX, *(value.type for value in initial)])
    counter, *carry = body.args
    loop = scf.ForOp(lower, upper, low.code.constant(1, INDEX).value, initial, body)

    first, last = bounds(low, op.lower), bounds(low, op.upper)
    if first and last:
        low.counters[op.index] = (first[0], last[1] - 1)

    def walk() -> None:
        low.bind(op.index, low.code.scalar(counter).index_cast(i64).value)
        low.indices[op.index] = counter
        for inside, argument in zip(op.carry, carry):
            low.bind(inside, argument)
        low.walk(low, op.body.block)
        # Each part of the next carry in the buffer of this one's, so that loops allocate nothing.
        yielded = placed(low, op.yielded, op.carry)
        low.builder.insert(scf.YieldOp(*yielded))

    low.nested(body, walk)
    low.builder.insert(loop)
    for result, lowered in zip(op.results_, loop.results):
        low.bind(result, lowered)


LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {kina.ForOp: lower_for}
