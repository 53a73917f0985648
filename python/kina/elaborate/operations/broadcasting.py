"""`broadcast`: unit axes on the left, then unit axes stretched."""

from __future__ import annotations

from collections.abc import Sequence

from kina.dialect import ops
from kina.dialect.dtypes import show_type
from kina.elaborate.operations.arguments import Arguments, Context, Rule
from kina.elaborate.values import BroadcastValue, TensorValue, Value, show_shape
from kina.sizes import Size
from kina.syntax.source import Span, error


def stretches(shape: Sequence[Size], target: Sequence[Size]) -> bool:
    """Whether a shape broadcasts to another."""
    pad = len(target) - len(shape)
    return pad >= 0 and all(m in (1, n) for m, n in zip(shape, target[pad:]))


def stretch(
    context: Context, tensor: TensorValue, target: Sequence[Size], span: Span
) -> TensorValue:
    """A tensor broadcast to a shape."""
    if tensor.shape == tuple(target):
        return tensor
    if not stretches(tensor.shape, target):
        found = f"{show_type(tensor.type)} does not broadcast to {show_shape(target)}"
        raise error(f"{found}: aligned on the right, sizes must be equal or 1", span)
    return context.emit(ops.BroadcastOp(tensor.ssa, target), span)


def _broadcast(arguments: Arguments) -> Value:
    """`broadcast(x)` leaves the shape to the operand beside it; `broadcast(x, [..])` gives it."""
    x = arguments.tensor(0)
    if not arguments.has(1):
        return BroadcastValue(x)
    return stretch(arguments.context, x, arguments.shape(1), arguments.span)


RULES = (Rule("broadcast", "broadcast(x) or broadcast(x, [2, 3])", _broadcast, 1, 2),)
