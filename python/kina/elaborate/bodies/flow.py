"""What a finished body does with its parameters: who is updated, who is an index."""

from __future__ import annotations

from xdsl.ir import OpResult, SSAValue

from kina.dialect import ops
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import type_shape
from kina.sizes import Size, fits


def updated(value: SSAValue) -> SSAValue:
    """What a value is an update of, through any number of updates and loops' carries.

    The value itself where it comes from anything else.
    """
    while True:
        match value:
            case OpResult(op=ops.UpdateOp() as update):
                value = update.operand
            case OpResult(op=ops.ForOp() | ops.WhileOp() as loop, index=index) if (
                updated(loop.yielded[index]) is loop.carry[index]
            ):
                value = loop.initial[index]
            case _:
                return value


def index_bound(parameter: SSAValue) -> Size | None:
    """The size of the smallest table that a parameter's values are ids of, if any."""
    bound: Size | None = None
    seen: set[SSAValue] = set()
    waiting = [parameter]
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            match use.operation:
                case ops.GatherOp(table=table, ids=ids) if ids is value:
                    size = type_shape(tensor_of(table))[0]
                    bound = size if bound is None or fits(size, bound) else bound
                case ops.ReshapeOp() | ops.TransposeOp() | ops.BroadcastOp() | ops.ConcatOp() as op:
                    waiting.append(op.result)
                case ops.SliceOp(operand=operand) as op if operand is value:
                    waiting.append(op.result)
                case ops.ForOp() | ops.WhileOp() as loop:
                    carried = zip(loop.initial, loop.carry)
                    waiting += [inside for initial, inside in carried if initial is value]
    return bound
