"""Parameters that grow in place: a donated cache, and what a call appends to it.

Where the result of a donated parameter is `concat(p, ..)` or `pad(p, ..)`, the caller passes a buffer
that has room for the whole result, and the parameter is the front of it. What follows is written
behind that; the parameter itself stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from kina.dialect import ops
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import type_shape
from kina.sizes import Size


def grown(value: SSAValue) -> SSAValue | None:
    """What a value is the front of, if it is: the operand of a concat or of a pad at one end."""
    match value:
        case OpResult(op=ops.ConcatOp() as concat):
            return concat.parts[0]
        case OpResult(op=ops.PadOp() as pad) if (
            not any(pad.low_list) and sum(count != 0 for count in pad.high_list) == 1
        ):
            return pad.operand
    return None


def grow_in_place(parameter: BlockArgument, growth: Operation) -> BlockArgument:
    """The parameter as the buffer of the result of `growth`, which becomes updates of it."""
    block = parameter.owner
    (result,) = growth.results
    buffer = block.insert_arg(result.type, parameter.index)
    buffer.name_hint = parameter.name_hint
    shape = type_shape(tensor_of(parameter))
    rewriter = Rewriter()

    start = InsertPoint.at_start(block)
    zero = _index(0, start)
    front = ops.SliceOp(buffer, [zero] * len(shape), shape)
    rewriter.insert_op(front, start)
    parameter.replace_all_uses_with(front.result)
    block.erase_arg(parameter)

    here = InsertPoint.before(growth)
    value: SSAValue = buffer
    axis = _axis(growth)
    offset = shape[axis]
    for part in _appended(growth, here):
        at = [zero if i != axis else _index(offset, here) for i in range(len(shape))]
        update = ops.UpdateOp(value, part, at)
        rewriter.insert_op(update, here)
        value, offset = update.result, offset + type_shape(tensor_of(part))[axis]
    result.replace_all_uses_with(value)
    rewriter.erase_op(growth)
    return buffer


def _axis(growth: Operation) -> int:
    if isinstance(growth, ops.ConcatOp):
        return growth.axis_number
    assert isinstance(growth, ops.PadOp)
    return next(axis for axis, count in enumerate(growth.high_list) if count != 0)


def _appended(growth: Operation, here: InsertPoint) -> Sequence[SSAValue]:
    """What follows the parameter along the axis."""
    if isinstance(growth, ops.ConcatOp):
        return growth.parts[1:]
    assert isinstance(growth, ops.PadOp)
    shape = type_shape(tensor_of(growth.operand))
    sizes = [count if count != 0 else size for size, count in zip(shape, growth.high_list)]
    filled = ops.BroadcastOp(growth.value, sizes)
    Rewriter().insert_op(filled, here)
    return [filled.result]


def _index(number: Size, here: InsertPoint) -> SSAValue:
    """A whole number as an I64 scalar."""
    operation = ops.index_op(number)
    Rewriter().insert_op(operation, here)
    return operation.results[0]
