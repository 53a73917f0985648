"""Rules of the operations that read or write at an index.

An index that is known at compile time must be in range; one that is known only at run time is
clamped, so that no program reads or writes outside a tensor.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from kina.dialect import ops
from kina.elaborate.bodies import hints
from kina.elaborate.bodies.operations.arguments import Arguments, Context, Operand, Rule, index_of
from kina.elaborate.types.values import TensorValue, Value, describe
from kina.elaborate.types.wording import lowest, quoted, show_shape, show_size
from kina.sizes import Size, fits, least
from kina.syntax.source import Span, error


def element(
    context: Context, x: TensorValue, indices: Sequence[SSAValue], span: Span
) -> TensorValue:
    """`x[i, j]`: the indices drop the leading axes."""
    count = len(indices)
    rest = x.shape[count:]
    at = [*indices, *(context.index(0) for _ in rest)]
    block = context.emit(ops.SliceOp(x.ssa, at, [1] * count + list(rest)), span)
    return context.emit(ops.ReshapeOp(block.ssa, rest), span, x.written[count:])


def leading_indices(
    context: Context, operands: Sequence[Operand], shape: Sequence[Size], shown: str, span: Span
) -> list[SSAValue]:
    """Indices into the leading axes of something of this shape."""
    if len(operands) > len(shape):
        found = f"found {len(operands)} for {shown}"
        raise error(f"expected at most {len(shape)} indices, {found}", span)
    return [
        index_of(context, operand, f"indexing {shown}", size - 1)
        for operand, size in zip(operands, shape)
    ]


def _slice(arguments: Arguments) -> Value:
    """`slice(x, at=[..], size=[..])`: the block of that size that begins there."""
    x = arguments.tensor(0)
    size = arguments.shape("size")
    names = arguments.names("size")
    if len(size) != len(x.shape):
        found = f"found {show_shape(size, names)} for {describe(x)}"
        message = f"slice needs one size per axis, {found}; it is 1 where one row is taken"
        raise error(message, arguments.expression("size").span)
    _check_block(arguments, x, size, names, arguments.expression("size").span)
    at = arguments.indices("at", x.shape, size)
    return arguments.context.emit(ops.SliceOp(x.ssa, at, size), arguments.span, names)


def _update(arguments: Arguments) -> Value:
    """`update(x, y, at=[..])`: x with the block y written there."""
    x, y = arguments.tensor(0), arguments.tensor(1)
    span = arguments.expression(1).span
    if x.dtype != y.dtype:
        hint = f"write cast({quoted(span)}, {x.dtype})"
        found = f"found {describe(x)} and {describe(y)}; {hint}"
        raise error(f"update takes operands of one dtype, {found}", span)
    if len(y.shape) != len(x.shape):
        missing = len(x.shape) - len(y.shape)
        hint = f"; write {hints.reshaped(y, quoted(span), before=missing)}" if missing > 0 else ""
        found = f"found {describe(y)} for {describe(x)}"
        raise error(f"update takes a block of the tensor's rank, {found}{hint}", span)
    _check_block(arguments, x, y.shape, y.written, span)
    at = arguments.indices("at", x.shape, y.shape)
    return arguments.context.emit(ops.UpdateOp(x.ssa, y.ssa, at), arguments.span, x.names)


def _check_block(
    arguments: Arguments, x: TensorValue, size: Sequence[Size], names: Sequence[str], span: Span
) -> None:
    for axis, (part, whole) in enumerate(zip(size, x.shape)):
        if not fits(part, whole):
            shown = show_size(part, names[axis])
            found = f"{shown} along axis {axis} of {describe(x)}{lowest(whole)}"
            raise error(f"{arguments.name} takes a block that fits, found {found}", span)


def _gather(arguments: Arguments) -> Value:
    """`gather(table, ids)`: `[V, rest..]` by `[ids..]` gives `[ids.., rest..]`."""
    table, ids = arguments.tensor(0), arguments.tensor(1)
    if not table.shape:
        message = f"gather takes a table of at least one axis, found {describe(table)}"
        raise error(message, arguments.expression(0).span)
    if ids.dtype not in ("I32", "I64"):
        span = arguments.expression(1).span
        message = f"gather takes I32 or I64 ids, found {describe(ids)}"
        raise error(f"{message}; write cast({quoted(span)}, I64)", span)
    if least(table.shape[0]) < 1:
        rows = lowest(table.shape[0])
        message = f"gather takes a table of at least one row, found {describe(table)}{rows}"
        raise error(message, arguments.expression(0).span)
    op = ops.GatherOp(table.ssa, ids.ssa)
    names = (*ids.written, *table.written[1:])
    return arguments.context.emit(op, arguments.span, names)


RULES = (
    Rule("slice", "slice(x, at=[0, 0], size=[1, 2])", _slice, 1, 1, ("at", "size"), ("at", "size")),
    Rule("update", "update(x, block, at=[0, 0])", _update, 2, 2, ("at",), ("at",)),
    Rule("gather", "gather(table, ids)", _gather, 2, 2),
)
