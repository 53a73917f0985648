"""Rules of the operations that give the same elements another shape."""

from __future__ import annotations

from math import prod

from kina.dialect import ops
from kina.dialect.dtypes import show_type
from kina.elaborate.operations.arguments import Arguments, Rule
from kina.elaborate.operations.creation import scalar, zero
from kina.elaborate.values import Value, show_shape
from kina.sizes import least
from kina.syntax.source import error


def _reshape(arguments: Arguments) -> Value:
    """`reshape(x, [..])`: as many elements, in row-major order."""
    x = arguments.tensor(0)
    shape = arguments.shape(1)
    if prod(shape) != prod(x.shape):
        counts = f"{prod(x.shape)} elements to {prod(shape)}"
        found = f"{show_type(x.type)} to {show_shape(shape)}"
        message = f"reshape keeps the number of elements, found {found}: {counts}"
        raise error(message, arguments.expression(1).span)
    return arguments.context.emit(ops.ReshapeOp(x.ssa, shape), arguments.span)


def _transpose(arguments: Arguments) -> Value:
    """`transpose(x, perm=[..])`: result axis `i` is axis `perm[i]`; by default the last two swap."""
    x = arguments.tensor(0)
    rank = len(x.shape)
    if arguments.has("perm"):
        perm = [axis for axis, _ in arguments.wholes("perm")]
        if sorted(perm) != list(range(rank)):
            expected = f"each of 0..{rank - 1} once" if rank else "no axis"
            found = f"{show_shape(perm)} for {show_type(x.type)}"
            message = f"transpose expected {expected}, found {found}"
            raise error(message, arguments.expression("perm").span)
    elif rank < 2:
        found = show_type(x.type)
        message = f"transpose swaps the last two axes, found {found}"
        raise error(message, arguments.expression(0).span)
    else:
        perm = [*range(rank - 2), rank - 1, rank - 2]
    return arguments.context.emit(ops.TransposeOp(x.ssa, perm), arguments.span)


def _concat(arguments: Arguments) -> Value:
    """`concat(a, b, .., axis=)`: one dtype, and one shape but for the axis."""
    parts = [arguments.tensor(i) for i in range(len(arguments))]
    first = parts[0]
    axis = arguments.axis("axis", len(first.shape))
    for i, part in enumerate(parts):
        rest = [*part.shape[:axis], *part.shape[axis + 1 :]]
        expected = [*first.shape[:axis], *first.shape[axis + 1 :]]
        alike = len(part.shape) == len(first.shape) and rest == expected
        if part.dtype != first.dtype or not alike:
            found = f"found {show_type(part.type)} beside {show_type(first.type)}"
            message = f"concat along axis {axis} takes one dtype and equal other sizes, {found}"
            raise error(message, arguments.expression(i).span)
    return arguments.context.emit(ops.ConcatOp([part.ssa for part in parts], axis), arguments.span)


def _pad(arguments: Arguments) -> Value:
    """`pad(x, low=[..], high=[..], value=0)`: copies of a scalar before and after each axis."""
    x = arguments.tensor(0)
    low, high = arguments.wholes("low"), arguments.dimensions("high")
    for key, counts in (("low", low), ("high", high)):
        for count, span in counts:
            if least(count) < 0:
                raise error(f"pad adds and removes nothing, found {key} {count}", span)
        if len(counts) != len(x.shape):
            expected = f"expected {len(x.shape)} for {show_type(x.type)}, found {len(counts)}"
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
