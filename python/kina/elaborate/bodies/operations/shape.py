"""Rules of the operations that give the same elements another shape."""

from __future__ import annotations

from math import prod

from kina.dialect import ops
from kina.elaborate.bodies import hints
from kina.elaborate.bodies.operations.arguments import Arguments, Rule
from kina.elaborate.bodies.operations.creation import scalar, zero
from kina.elaborate.types.values import TensorValue, Value, describe
from kina.elaborate.types.wording import quoted, show_shape, show_size
from kina.sizes import least
from kina.syntax.source import error


def _reshape(arguments: Arguments) -> Value:
    """`reshape(x, [..])`: as many elements, in row-major order."""
    x = arguments.tensor(0)
    shape = arguments.shape(1)
    if prod(shape) != prod(x.shape):
        counts = f"{prod(x.shape)} elements to {prod(shape)}"
        found = f"{describe(x)} to {show_shape(shape, arguments.names(1))}"
        message = f"reshape keeps the number of elements, found {found}: {counts}"
        raise error(message, arguments.expression(1).span)
    return arguments.context.emit(ops.ReshapeOp(x.ssa, shape), arguments.span, arguments.names(1))


def _transpose(arguments: Arguments) -> Value:
    """`transpose(x, perm=[..])`: result axis `i` is axis `perm[i]`; by default the last two swap."""
    x = arguments.tensor(0)
    rank = len(x.shape)
    if arguments.has("perm"):
        perm = [axis for axis, _ in arguments.wholes("perm")]
        if sorted(perm) != list(range(rank)):
            expected = f"each of 0..{rank - 1} once" if rank else "no axis"
            found = f"{show_shape(perm)} for {describe(x)}"
            message = f"transpose expected {expected}, found {found}"
            raise error(message, arguments.expression("perm").span)
    elif rank < 2:
        span = arguments.expression(0).span
        hint = f"; write {hints.reshaped(x, quoted(span), after=1)} for a column" if rank else ""
        raise error(f"transpose swaps the last two axes, found {describe(x)}{hint}", span)
    else:
        perm = [*range(rank - 2), rank - 1, rank - 2]
    names = [x.written[axis] for axis in perm]
    return arguments.context.emit(ops.TransposeOp(x.ssa, perm), arguments.span, names)


def _concat(arguments: Arguments) -> Value:
    """`concat(a, b, .., axis=)`: one dtype, and one shape but for the axis."""
    parts = [arguments.tensor(i) for i in range(len(arguments))]
    first = parts[0]
    axis = arguments.axis("axis", len(first.shape))
    for i, part in enumerate(parts):
        span = arguments.expression(i).span
        found = f"found {describe(part)} beside {describe(first)}"
        if part.dtype != first.dtype:
            hint = f"write cast({quoted(span)}, {first.dtype})"
            raise error(f"concat takes operands of one dtype, {found}; {hint}", span)
        if len(part.shape) != len(first.shape):
            missing = len(first.shape) - len(part.shape)
            hint = f"; write {hints.reshaped(part, quoted(span), before=1)}" if missing == 1 else ""
            raise error(f"concat takes operands of one rank, {found}{hint}", span)
        for other, (m, n) in enumerate(zip(part.shape, first.shape)):
            if other != axis and m != n:
                rule = f"concat along axis {axis} takes equal sizes along the others"
                sizes = show_size(m, part.written[other]), show_size(n, first.written[other])
                raise error(f"{rule}, {found}: axis {other} is {sizes[0]} beside {sizes[1]}", span)
    op = ops.ConcatOp([part.ssa for part in parts], axis)
    return arguments.context.emit(op, arguments.span, _joined(parts, axis))


def _joined(parts: list[TensorValue], axis: int) -> list[str]:
    """The names of the sizes of a concatenation: along its axis, their sum."""
    names = [list(part.written) for part in parts]
    joined = [one[axis] for one in names]
    named = len(joined) == 2 and all(map(_is_short, joined)) and not all(map(str.isdigit, joined))
    total = " + ".join(joined) if named else ""
    return [*names[0][:axis], total, *names[0][axis + 1 :]]


def _is_short(name: str) -> bool:
    return 0 < len(name) <= 12


def _pad(arguments: Arguments) -> Value:
    """`pad(x, low=[..], high=[..], value=0)`: copies of a scalar before and after each axis."""
    x = arguments.tensor(0)
    low, high = arguments.wholes("low"), arguments.dimensions("high")
    for key, counts in (("low", low), ("high", high)):
        for count, span in counts:
            if least(count) < 0:
                hint = "; a part of a tensor is slice(x, at=[..], size=[..])"
                raise error(f"pad adds and removes nothing, found {key} {count}{hint}", span)
        if len(counts) != len(x.shape):
            expected = f"expected {len(x.shape)} for {describe(x)}, found {len(counts)}"
            message = f"pad needs one number per axis: {expected}"
            raise error(message, arguments.expression(key).span)
    fill = scalar(arguments, "value", x.dtype) if arguments.has("value") else None
    if fill is None:
        fill = arguments.context.splat(zero(x.dtype), x.dtype, (), arguments.span)
    op = ops.PadOp(x.ssa, fill.ssa, [count for count, _ in low], [count for count, _ in high])
    return arguments.context.emit(op, arguments.span)


RULES = (
    Rule("reshape", "reshape(x, [2, 3])", _reshape, 2, 2),
    Rule("transpose", "transpose(x) or transpose(x, perm=[1, 0])", _transpose, 1, 1, ("perm",)),
    Rule("concat", "concat(a, b, axis=0)", _concat, 1, None, ("axis",), ("axis",)),
    Rule(
        "pad",
        "pad(x, low=[0, 0], high=[0, 1], value=0.0)",
        _pad,
        1,
        1,
        ("low", "high", "value"),
        ("low", "high"),
    ),
)
