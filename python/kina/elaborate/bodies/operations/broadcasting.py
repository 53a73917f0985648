"""`broadcast`: unit axes on the left, then unit axes stretched."""

from __future__ import annotations

from collections.abc import Sequence

from kina.dialect import ops
from kina.elaborate.bodies.hints import stretches, to_stretch
from kina.elaborate.bodies.operations.arguments import Arguments, Context, Rule
from kina.elaborate.types.values import BroadcastValue, TensorValue, Value, describe
from kina.elaborate.types.wording import show_shape
from kina.sizes import Size
from kina.syntax.source import Span, error


def stretch(
    context: Context,
    tensor: TensorValue,
    target: Sequence[Size],
    span: Span,
    names: Sequence[str] = (),
) -> TensorValue:
    """A tensor broadcast to a shape, whose sizes have these names."""
    if tensor.shape == tuple(target):
        return tensor
    if not stretches(tensor.shape, target):
        found = f"{describe(tensor)} does not broadcast to {show_shape(target, names)}"
        rule = "aligned on the right, sizes must be equal or 1"
        raise error(f"{found}: {rule}{to_stretch(tensor, target, span)}", span)
    return context.emit(ops.BroadcastOp(tensor.ssa, target), span, names)


def _broadcast(arguments: Arguments) -> Value:
    """`broadcast(x)` leaves the shape to the operand beside it; `broadcast(x, [..])` gives it."""
    x = arguments.tensor(0)
    if not arguments.has(1):
        return BroadcastValue(x)
    return stretch(arguments.context, x, arguments.shape(1), arguments.span, arguments.names(1))


RULES = (Rule("broadcast", "broadcast(x) or broadcast(x, [2, 3])", _broadcast, 1, 2),)
