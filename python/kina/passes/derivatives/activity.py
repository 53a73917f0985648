"""Which values depend on what is differentiated by."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import is_float


def dependent(parameters: Sequence[SSAValue]) -> set[SSAValue]:
    """These values and every float that is made of them, inside of loops too."""
    found = set(parameters)
    waiting = list(parameters)
    while waiting:
        for use in waiting.pop().uses:
            for value in _made(use.operation, use.index):
                if is_differentiable(value) and value not in found:
                    found.add(value)
                    waiting.append(value)
    return found


def is_differentiable(value: SSAValue) -> bool:
    """Whether a value can have a cotangent: integers and Bools have none."""
    return is_float(tensor_of(value).element_type)


def _made(op: Operation, index: int) -> Sequence[SSAValue]:
    """What an operation makes of its operand of this number."""
    match op:
        case kina.ForOp() | kina.WhileOp():
            carried = index - (len(op.operands) - len(op.initial))
            return op.carry[carried], op.results_[carried]
        case kina.YieldOp():
            loop = op.parent_op()
            assert isinstance(loop, kina.ForOp | kina.WhileOp)
            return loop.carry[index], loop.results_[index]
        case ReturnOp():
            return ()
    return op.results
