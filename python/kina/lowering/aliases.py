"""Which values may lie in the buffer of another: what must be known before one is overwritten."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from kina.dialect import ops as kina

_Views = (
    kina.SliceOp
    | kina.UpdateOp
    | kina.ReshapeOp
    | kina.TransposeOp
    | kina.BroadcastOp
    | kina.PadOp
    | kina.GatherOp
)
"""Operations whose result may be a view of their first operand, or that operand rewritten."""


def may_share(value: SSAValue) -> set[SSAValue]:
    """The value, and those whose elements it may be a view of or an update of."""
    found: set[SSAValue] = set()
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if value not in found:
            found.add(value)
            waiting += _sources(value)
    return found


def _sources(value: SSAValue) -> Iterator[SSAValue]:
    match value:
        case OpResult(op=kina.ForOp() as loop, index=index):
            yield loop.initial[index]
            yield loop.yielded[index]
        case OpResult(op=op) if isinstance(op, _Views):
            yield op.operands[0]
            if isinstance(op, kina.UpdateOp) and op.block.type == op.operand.type:
                yield op.block
        case BlockArgument(block=block, index=index) if index > 0:
            around = block.parent_op()
            if isinstance(around, kina.ForOp):
                yield around.initial[index - 1]
                yield around.yielded[index - 1]


def is_read_after(value: SSAValue, last: Operation) -> bool:
    """True where the value, or a view of it, is used after `last`, which uses it as well."""
    block = last.parent_block()
    assert block is not None
    for use in value.uses:
        if use.operation is last:
            continue
        reader = block.find_ancestor_op_in_block(use.operation)
        if reader is None or not reader.is_before_in_block(last):
            return True
        if isinstance(use.operation, _Views | kina.ForOp | kina.YieldOp) and any(
            is_read_after(result, last) for result in reader.results
        ):
            return True
    return False
