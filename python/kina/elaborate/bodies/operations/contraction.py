"""The rule of `@`."""

from __future__ import annotations

from kina.dialect import ops
from kina.dialect.dtypes import ELEMENT_TYPES, is_float
from kina.elaborate.bodies import hints
from kina.elaborate.bodies.operations.arguments import Context, Operand, mismatch
from kina.elaborate.types.constants import Constant
from kina.elaborate.types.values import BroadcastValue, TensorValue, describe
from kina.elaborate.types.wording import quoted, show_size
from kina.syntax.source import Span, error


def matmul(context: Context, left: Operand, right: Operand, span: Span) -> TensorValue:
    """`[batch.., M, K] @ [batch.., K, N] -> [batch.., M, N]`; unit and missing batches stretch.

    Batches that an operand of lower rank lacks are the first ones; `broadcast(x)` may say so.
    """
    for one in (left, right):
        if isinstance(one.value, Constant):
            product = f"{quoted(left.span)} * {quoted(right.span)}"
            raise error(f"'@' expected a tensor, found {one.value}; write {product}", one.span)
    a, b = _tensor(left), _tensor(right)
    if isinstance(left.value, BroadcastValue) and isinstance(right.value, BroadcastValue):
        raise mismatch("'@'", "an operand with a shape beside it", right)
    found = f"found {describe(a)} and {describe(b)}"
    for tensor in (a, b):
        if len(tensor.shape) < 2:
            hint = _to_matrices((a, left.span), (b, right.span))
            raise error(f"'@' takes operands of rank 2 or more, {found}{hint}", span)
    if a.dtype != b.dtype:
        hint = hints.to_one_dtype((left.value, left.span), (right.value, right.span))
        raise error(f"'@' takes operands of one dtype, {found}{hint}", span)
    if not is_float(ELEMENT_TYPES[a.dtype]):
        raise error(f"'@' takes floats, {found}; write cast(x, F32) for both", span)
    if a.shape[-1] != b.shape[-2]:
        columns = f"{show_size(a.shape[-1], a.written[-1])} columns on the left"
        rows = f"{show_size(b.shape[-2], b.written[-2])} rows on the right"
        hint = _to_transpose((a, left.span), (b, right.span))
        raise error(f"'@' sums over axes of one size, {found}: {columns}, {rows}{hint}", span)
    for one, tensor, other in ((left, a, b), (right, b, a)):
        if isinstance(one.value, BroadcastValue) and len(tensor.shape) > len(other.shape):
            message = f"{describe(tensor)} for rank {len(other.shape)}"
            raise error(f"broadcast adds axes and removes none, found {message}", one.span)
    a, b = _pad(context, a, len(b.shape), left.span), _pad(context, b, len(a.shape), right.span)
    for axis, (m, n) in enumerate(zip(a.shape[:-2], b.shape[:-2])):
        if m != n and 1 not in (m, n):
            sizes = f"{show_size(m, a.written[axis])} and {show_size(n, b.written[axis])}"
            raise error(f"'@' takes equal or unit batches, {found}: {sizes}", span)
    batches = [q if m == 1 else p for m, p, q in zip(a.shape[:-2], a.written, b.written)]
    names = [*batches, a.written[-2], b.written[-1]]
    return context.emit(ops.MatmulOp(a.ssa, b.ssa), span, names)


def _to_matrices(a: tuple[TensorValue, Span], b: tuple[TensorValue, Span]) -> str:
    """How a vector becomes the matrix of one row or column that `@` takes."""
    (left, left_span), (right, right_span) = a, b
    if len(right.shape) == 1 and len(left.shape) == 2:
        column = hints.reshaped(right, quoted(right_span), after=1)
        return f"; write {quoted(left_span)} @ {column}"
    if len(left.shape) == 1 and len(right.shape) == 2:
        row = hints.reshaped(left, quoted(left_span), before=1)
        return f"; write {row} @ {quoted(right_span)}"
    return ""


def _to_transpose(a: tuple[TensorValue, Span], b: tuple[TensorValue, Span]) -> str:
    """Which operand may be the wrong way round."""
    (left, left_span), (right, right_span) = a, b
    if left.shape[-1] == right.shape[-1]:
        return f"; write {quoted(left_span)} @ transpose({quoted(right_span)})"
    if left.shape[-2] == right.shape[-2]:
        return f"; write transpose({quoted(left_span)}) @ {quoted(right_span)}"
    return ""


def _tensor(operand: Operand) -> TensorValue:
    match operand.value:
        case TensorValue():
            return operand.value
        case BroadcastValue(tensor=tensor):
            return tensor
    raise mismatch("'@'", "a tensor", operand)


def _pad(context: Context, tensor: TensorValue, rank: int, span: Span) -> TensorValue:
    """A tensor with unit axes on the left, up to a rank at least."""
    missing = rank - len(tensor.shape)
    if missing <= 0:
        return tensor
    op = ops.BroadcastOp(tensor.ssa, [1] * missing + [*tensor.shape])
    return context.emit(op, span, ["1"] * missing + [*tensor.written])
