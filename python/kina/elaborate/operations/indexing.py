"""Rules of the operations that read or write at an index.

An index that is known at compile time must be in range; one that is known only at run time is
clamped, so that no program reads or writes outside a tensor.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from kina.dialect import ops
from kina.dialect.dtypes import show_type
from kina.elaborate.operations.arguments import Arguments, Context, Operand, Rule, index_of
from kina.elaborate.values import TensorValue, Value, show_shape
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
    return context.emit(ops.ReshapeOp(block.ssa, rest), span)


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
    _check_block(arguments, x, size, arguments.expression("size").span)
    at = arguments.indices("at", x.shape, size)
    return arguments.context.emit(ops.SliceOp(x.ssa, at, size), arguments.span)


def _update(arguments: Arguments) -> Value:
    """`update(x, y, at=[..])`: x with the block y written there."""
    x, y = arguments.tensor(0), arguments.tensor(1)
    if x.dtype != y.dtype:
        found = f"found {show_type(x.type)} and {show_type(y.type)}"
        hint = f"convert one with cast(x, {x.dtype})"
        message = f"update takes operands of one dtype, {found}; {hint}"
        raise error(message, arguments.expression(1).span)
    _check_block(arguments, x, y.shape, arguments.expression(1).span)
    at = arguments.indices("at", x.shape, y.shape)
    return arguments.context.emit(ops.UpdateOp(x.ssa, y.ssa, at), arguments.span)


def _check_block(arguments: Arguments, x: TensorValue, size: Sequence[Size], span: Span) -> None:
    if len(size) != len(x.shape) or not all(map(fits, size, x.shape)):
        found = f"found {show_shape(size)} for {show_type(x.type)}"
        raise error(f"{arguments.name} takes a block of the tensor's rank that fits, {found}", span)


def _gather(arguments: Arguments) -> Value:
    """`gather(table, ids)`: `[V, rest..]` by `[ids..]` gives `[ids.., rest..]`."""
    table, ids = arguments.tensor(0), arguments.tensor(1)
    if not table.shape:
        message = f"gather takes a table of at least one axis, found {show_type(table.type)}"
        raise error(message, arguments.expression(0).span)
    if ids.dtype not in ("I32", "I64"):
        message = f"gather takes I32 or I64 ids, found {show_type(ids.type)}"
        raise error(message, arguments.expression(1).span)
    if least(table.shape[0]) < 1:
        message = f"gather takes a table of at least one row, found {show_type(table.type)}"
        raise error(message, arguments.expression(0).span)
    return arguments.context.emit(ops.GatherOp(table.ssa, ids.ssa), arguments.span)


RULES = (
    Rule("slice", "slice(x, at=[0, 0], size=[1, 2])", _slice, 1, 1, ("at", "size"), ("at", "size")),
    Rule("update", "update(x, block, at=[0, 0])", _update, 2, 2, ("at",), ("at",)),
    Rule("gather", "gather(table, ids)", _gather, 2, 2),
)
