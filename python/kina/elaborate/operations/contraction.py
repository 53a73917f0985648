"""The rule of `@`."""

from __future__ import annotations

from kina.dialect import ops
from kina.dialect.dtypes import ELEMENT_TYPES, is_float, show_type
from kina.elaborate.operations.arguments import Context, Operand, mismatch
from kina.elaborate.values import BroadcastValue, TensorValue
from kina.syntax.source import Span, error


def matmul(context: Context, left: Operand, right: Operand, span: Span) -> TensorValue:
    """`[batch.., M, K] @ [batch.., K, N] -> [batch.., M, N]`, rank 2 to 4; unit batches stretch.

    `broadcast(x)` pads unit batches on the left up to the other operand's rank.
    """
    a, b = _tensor(left), _tensor(right)
    if isinstance(left.value, BroadcastValue) and isinstance(right.value, BroadcastValue):
        raise mismatch("'@'", "an operand with a shape beside it", right)
    found = f"found {show_type(a.type)} and {show_type(b.type)}"
    for tensor in (a, b):
        if len(tensor.shape) < 2 or len(tensor.shape) > 4:
            raise error(f"'@' takes operands of rank 2 to 4, {found}", span)
    if a.dtype != b.dtype:
        hint = f"convert one with cast(x, {a.dtype})"
        raise error(f"'@' takes operands of one dtype, {found}; {hint}", span)
    if not is_float(ELEMENT_TYPES[a.dtype]):
        raise error(f"'@' takes floats, {found}", span)
    if a.shape[-1] != b.shape[-2]:
        sizes = f"{a.shape[-1]} columns on the left, {b.shape[-2]} rows on the right"
        hint = "; write transpose(x) for the right one" if a.shape[-1] == b.shape[-1] else ""
        raise error(f"'@' sums over axes of one size, {found}: {sizes}{hint}", span)
    if isinstance(left.value, BroadcastValue):
        a = _pad(context, a, len(b.shape), left.span)
    if isinstance(right.value, BroadcastValue):
        b = _pad(context, b, len(a.shape), right.span)
    if len(a.shape) != len(b.shape):
        hint = "; write broadcast(x) for the one that lacks batches"
        raise error(f"'@' takes operands of one rank, {found}{hint}", span)
    for m, n in zip(a.shape[:-2], b.shape[:-2]):
        if m != n and 1 not in (m, n):
            raise error(f"'@' takes equal or unit batches, {found}: {m} and {n}", span)
    return context.emit(ops.MatmulOp(a.ssa, b.ssa), span)


def _tensor(operand: Operand) -> TensorValue:
    match operand.value:
        case TensorValue():
            return operand.value
        case BroadcastValue(tensor=tensor):
            return tensor
    raise mismatch("'@'", "a tensor", operand)


def _pad(context: Context, tensor: TensorValue, rank: int, span: Span) -> TensorValue:
    missing = rank - len(tensor.shape)
    if missing < 0:
        found = f"{show_type(tensor.type)} for rank {rank}"
        raise error(f"broadcast adds axes and removes none, found {found}", span)
    if missing == 0:
        return tensor
    return context.emit(ops.BroadcastOp(tensor.ssa, [1] * missing + [*tensor.shape]), span)
