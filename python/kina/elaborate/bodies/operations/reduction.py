"""Rules of the operations along axes: reductions, softmax, argmax, top_k."""

from __future__ import annotations

from kina.dialect import ops
from kina.dialect.dtypes import ELEMENT_TYPES, is_float
from kina.dialect.elementwise import is_number
from kina.elaborate.bodies import hints
from kina.elaborate.bodies.operations.arguments import Arguments, Rule
from kina.elaborate.bodies.operations.elementwise import binary
from kina.elaborate.types.values import TensorValue, TupleValue, Value, describe
from kina.elaborate.types.wording import lowest, quoted
from kina.sizes import fits, least
from kina.syntax.source import error


def _reduce(arguments: Arguments, op: type[ops.ReductionOp]) -> Value:
    """The reduced axes leave the shape, or stay as 1 with `keepdims=true`."""
    floats = op is ops.MeanOp
    x = _operand(arguments, floats)
    axes = arguments.axes("axis", len(x.shape))
    keepdims = arguments.has("keepdims") and arguments.flag("keepdims")
    return arguments.context.emit(
        op(x.ssa, axes, keepdims), arguments.span, _kept(x, axes, keepdims)
    )


def _reduction_rule(name: str, op: type[ops.ReductionOp]) -> Rule:
    usage = f"{name}(x, axis=0) or {name}(x, axis=[0, 1], keepdims=true)"
    keywords = ("axis", "keepdims")
    return Rule(name, usage, lambda a: _reduce(a, op), 1, 1, keywords, required=("axis",))


def _extremum_rule(name: str, op: type[ops.ReductionOp]) -> Rule:
    """`max(a, b)` is elementwise, `max(x, axis=)` reduces; `min` likewise."""
    usage = f"{name}(a, b) or {name}(x, axis=0)"

    def apply(arguments: Arguments) -> Value:
        reduces = arguments.has("axis") or arguments.has("keepdims")
        if reduces != (len(arguments) == 1):
            raise error(f"{name} takes two operands, or one and axis=: {usage}", arguments.span)
        if not reduces:
            left, right = arguments.operand(0), arguments.operand(1)
            return binary(arguments.context, name, left, right, arguments.span)
        if not arguments.has("axis"):
            raise error(f"{name} needs axis=: {usage}", arguments.span)
        return _reduce(arguments, op)

    return Rule(name, usage, apply, 1, 2, ("axis", "keepdims"))


def _softmax(arguments: Arguments) -> Value:
    """Of the operand's type."""
    x = _operand(arguments, floats=True)
    axis = arguments.axis("axis", len(x.shape))
    return arguments.context.emit(ops.SoftmaxOp(x.ssa, axis), arguments.span, x.names)


def _argmax(arguments: Arguments) -> Value:
    """I64 of the shape without the axis."""
    x = _operand(arguments, floats=False)
    axis = arguments.axis("axis", len(x.shape))
    if least(x.shape[axis]) < 1:
        found = f"axis {axis} of {describe(x)}{lowest(x.shape[axis])}"
        message = f"argmax takes an axis of at least 1, found {found}"
        raise error(message, arguments.expression(0).span)
    op = ops.ArgmaxOp(x.ssa, axis)
    return arguments.context.emit(op, arguments.span, _kept(x, [axis], keepdims=False))


def _kept(x: TensorValue, axes: list[int], keepdims: bool) -> list[str]:
    """The names of the sizes after a reduction."""
    named = [name if axis not in axes else "1" for axis, name in enumerate(x.written)]
    return named if keepdims else [name for axis, name in enumerate(named) if axis not in axes]


def _top_k(arguments: Arguments) -> Value:
    """The operand's type with `k` along the axis, and I64 of the same shape."""
    x = _operand(arguments, floats=False)
    axis = arguments.axis("axis", len(x.shape))
    k, size = arguments.whole("k"), x.shape[axis]
    if k < 1 or not fits(k, size):
        message = f"top_k: k = {k} is out of range 1..{size}, the size of axis {axis}"
        span = arguments.expression("k").span
        raise error(f"{message} of {describe(x)}{lowest(size)}", span)
    return TupleValue(arguments.context.emit_all(ops.TopKOp(x.ssa, k, axis), arguments.span))


def _operand(arguments: Arguments, floats: bool) -> TensorValue:
    x = arguments.tensor(0)
    element = ELEMENT_TYPES[x.dtype]
    if not (is_float(element) if floats else is_number(element)):
        wanted = "floats" if floats else "numbers"
        span = arguments.expression(0).span
        message = f"{arguments.name} takes {wanted}, found {describe(x)}"
        raise error(message + hints.to_kind(wanted, quoted(span)), span)
    return x


RULES = (
    _reduction_rule("sum", ops.SumOp),
    _reduction_rule("mean", ops.MeanOp),
    _extremum_rule("max", ops.ReduceMaxOp),
    _extremum_rule("min", ops.ReduceMinOp),
    Rule("softmax", "softmax(x, axis=-1)", _softmax, 1, 1, ("axis",), ("axis",)),
    Rule("argmax", "argmax(x, axis=-1)", _argmax, 1, 1, ("axis",), ("axis",)),
    Rule("top_k", "top_k(x, k=2, axis=-1)", _top_k, 1, 1, ("k", "axis"), ("k", "axis")),
)
