"""Which values depend on what is differentiated by."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import is_float


def spread(operations: Sequence[Operation], active: set[SSAValue]) -> None:
    """Add every float that these operations make of active values, inside of loops too."""
    for op in operations:
        if isinstance(op, kina.Loop):
            _loop(op, active)
        elif any(operand in active for operand in op.operands):
            active |= {result for result in op.results if is_differentiable(result)}


def is_differentiable(value: SSAValue) -> bool:
    """Whether a value can have a cotangent: integers and Bools have none."""
    return is_float(tensor_of(value).element_type)


def _loop(loop: kina.Loop, active: set[SSAValue]) -> None:
    """What one iteration makes active may make more of the next."""
    ways = list(zip(loop.initial, loop.yielded, loop.carry, loop.results_))
    while True:
        before = len(active)
        for initial, yielded, carried, result in ways:
            if initial in active or yielded in active:
                active |= {carried, result}
        spread(list(loop.body.block.ops), active)
        if len(active) == before:
            return
