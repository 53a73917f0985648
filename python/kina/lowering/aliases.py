"""Which values may lie in the buffer of another: what must be known before one is overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

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

_Folding = kina.CastOp | kina.NegOp | kina.NotOp | kina.AbsOp
"""Operations that undo each other, so that two of them may fold to what they began with."""

Source: TypeAlias = SSAValue | Attribute
"""What a buffer may hold: a value, or a constant number."""


def may_share(value: SSAValue) -> set[Source]:
    """The value, and all that it may lie in one buffer with.

    That is what it may be a view or an update of, and what it folds to: `x * 1.0` is x.
    """
    found: set[Source] = set()
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if value not in found:
            found.add(value)
            waiting += _sources(value)
            if isinstance(value.owner, kina.ConstantOp):
                found.add(value.owner.value)
    return found


def _sources(value: SSAValue) -> Sequence[SSAValue]:
    match value:
        case OpResult(op=kina.ForOp() | kina.WhileOp() as loop, index=index):
            return [loop.initial[index]] if keeps_buffer(loop, index) else []
        case OpResult(op=kina.UpdateOp() as update):
            return [update.block if replaces_all(update) else update.operand]
        case OpResult(op=kina.ConcatOp() as concat):
            return list(concat.parts)
        case OpResult(op=op) if isinstance(op, _Views | _Folding):
            return [op.operands[0]]
        case OpResult(op=kina.BinaryOp() as op):
            constant = is_constant(op.lhs) or is_constant(op.rhs)
            return [op.lhs, op.rhs] if constant or op.lhs is op.rhs else []
        case OpResult(op=kina.SelectOp() as op):
            return [op.lhs, op.rhs]
        case _:
            return []


def replaces_all(update: kina.UpdateOp) -> bool:
    """True where nothing stays of what was there."""
    return update.block.type == update.operand.type


def is_constant(value: SSAValue) -> bool:
    """True for a constant, however it is shaped."""
    while isinstance(op := value.owner, _Views):
        value = op.operands[0]
    return isinstance(op, kina.ConstantOp)


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
        if isinstance(use.operation, _Views | kina.Loop | kina.YieldOp) and any(
            is_read_after(result, last) for result in reader.results
        ):
            return True
    return False


def is_rewritten(value: SSAValue, target: SSAValue) -> bool:
    """True where updates and loops made the value of the target, and nothing reads what it was.

    Bufferization then writes to the target's buffer and to no other, and to ask for it where a
    loop did so would be an error.
    """
    if value is target:
        return True
    chain = chain_of(value, target)
    return bool(chain) and not any(_needs_two(source, op) for op, source in chain)


def _needs_two(source: SSAValue, op: Operation) -> bool:
    """True where an update or a loop that begins with the source cannot write to its buffer."""
    others = [operand for operand in op.operands if operand is not source]
    twice = len(op.operands) - len(others) > 1
    return twice or is_read_after(source, op) or any(source in may_share(o) for o in others)


def chain_of(value: SSAValue, target: SSAValue) -> list[tuple[Operation, SSAValue]]:
    """The updates and loops that made `value` out of `target`, each with what it began with.

    Empty where it was made in any other way.
    """
    chain: list[tuple[Operation, SSAValue]] = []
    while value is not target:
        match value:
            case OpResult(op=kina.UpdateOp() as update) if not replaces_all(update):
                chain.append((update, update.operand))
            case OpResult(op=kina.ForOp() | kina.WhileOp() as loop, index=index) if keeps_buffer(
                loop, index
            ):
                chain.append((loop, loop.initial[index]))
            case _:
                return []
        value = chain[-1][1]
    return chain


def keeps_buffer(loop: kina.Loop, i: int) -> bool:
    """True where part `i` of a loop's carry stays in the buffer of its initial value."""
    return is_rewritten(loop.yielded[i], loop.carry[i])
