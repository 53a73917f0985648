"""Operations that move elements: views where no copy is needed, slices and copies elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.dialects import tensor as upstream
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.ir import Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.dtypes import tensor
from kina.lowering.context import Lowering, element_of, shape_of
from kina.lowering.indexing import clamped_index
from kina.lowering.materialize import as_tensor, bind_view, extract, fill, reshape
from kina.lowering.scalar import INDEX
from kina.lowering.storage import stored_type
from kina.lowering.views import (
    Counting,
    Number,
    View,
    broadcast,
    moves_only_unit_axes,
    reshape_unit_axes,
    transpose,
)
from kina.sizes import Size


def lower_broadcast(low: Lowering, op: kina.BroadcastOp) -> None:
    source, target = shape_of(op.operand), shape_of(op.result)
    bind_view(low, op.result, broadcast(low.readings[op.operand], source, target))


def lower_transpose(low: Lowering, op: kina.TransposeOp) -> None:
    bind_view(low, op.result, transpose(low.readings[op.operand], op.permutation))


def lower_iota(low: Lowering, op: kina.IotaOp) -> None:
    bind_view(low, op.result, Counting(op.axis_number))


def lower_reshape(low: Lowering, op: kina.ReshapeOp) -> None:
    source, target = shape_of(op.operand), shape_of(op.result)
    if _drops_axes_of_slice(op):
        lower_slice_to(low, op.operand.owner, op.result)  # type: ignore[arg-type]
    elif not target and source:
        low.bind(op.result, extract(low, as_tensor(low, op.operand)))
    elif moves_only_unit_axes(source, target):
        reading = reshape_unit_axes(low.readings[op.operand], source, target)
        bind_view(low, op.result, reading)
    else:
        low.bind(op.result, reshape(low, as_tensor(low, op.operand), target))


def _drops_axes_of_slice(op: Operation) -> bool:
    """True for a reshape that drops unit axes of a slice: one rank-reducing slice does both."""
    if not (isinstance(op, kina.ReshapeOp) and isinstance(op.operand.owner, kina.SliceOp)):
        return False
    source, target = shape_of(op.operand), shape_of(op.result)
    left = iter(source)
    kept = all(size in left for size in target)  # in the order of the source
    return kept and len(target) < len(source) and moves_only_unit_axes(source, target)


def lower_slice(low: Lowering, op: kina.SliceOp) -> None:
    if not all(_drops_axes_of_slice(use.operation) for use in op.result.uses):
        lower_slice_to(low, op, op.result)


def lower_slice_to(low: Lowering, op: kina.SliceOp, result: SSAValue) -> None:
    """The slice as `result`: its own, or one without some of the unit axes."""
    whole, sizes = shape_of(op.operand), shape_of(op.result)
    if whole == sizes == shape_of(result):
        bind_view(low, result, low.readings[op.operand])
        return
    offsets = _offsets(low, op.at, whole, sizes)
    source = as_tensor(low, op.operand)
    element = stored_type(source).element_type
    if not shape_of(result):
        indices = [_as_index(low, offset) for offset in offsets]
        low.bind(result, low.insert(upstream.ExtractOp(source, indices, element)))
        return
    strides = [1] * len(sizes)
    slice_ = upstream.ExtractSliceOp(
        source, offsets, low.mixed(sizes), strides, tensor(element, shape_of(result))
    )
    low.bind(result, low.insert(slice_))


def _as_index(low: Lowering, offset: SSAValue | int) -> SSAValue:
    return low.code.constant(offset, INDEX).value if isinstance(offset, int) else offset


def _offsets(
    low: Lowering, at: Sequence[SSAValue], whole: Sequence[Size], sizes: Sequence[Size]
) -> list[SSAValue | int]:
    return [clamped_index(low, i, n - m) for i, n, m in zip(at, whole, sizes)]


def lower_update(low: Lowering, op: kina.UpdateOp) -> None:
    whole, sizes = shape_of(op.operand), shape_of(op.block)
    if whole == sizes:
        bind_view(low, op.result, low.readings[op.block])
        return
    offsets = _offsets(low, op.at, whole, sizes)
    block = _without_unit_axes(low, op.block)
    low.bind(op.result, insert(low, block, as_tensor(low, op.operand), offsets, sizes))


def _without_unit_axes(low: Lowering, block: SSAValue) -> SSAValue:
    """The block, or the tensor that it is with unit axes added: the insertion adds them anyway."""
    reading = low.readings[block]
    if isinstance(reading, View) and reading.index:
        walked = [axis for axis in reading.index if axis is not None]
        left = [n for axis, n in enumerate(shape_of(block)) if axis not in walked]
        if walked == sorted(walked) and len(walked) == len(reading.index) and set(left) <= {1}:
            return reading.source
    return as_tensor(low, block)


def insert(
    low: Lowering,
    block: SSAValue,
    whole: SSAValue,
    offsets: Sequence[SSAValue | int],
    sizes: Sequence[Size],
) -> SSAValue:
    """`whole` with `block`, of shape `sizes` or without some unit axes of it, at `offsets`."""
    static_offsets, moving = split_dynamic_index_list(offsets, DYNAMIC_INDEX)
    static_sizes, open_ = split_dynamic_index_list(low.mixed(sizes), DYNAMIC_INDEX)
    return low.insert(
        upstream.InsertSliceOp.get(
            block, whole, static_sizes, static_offsets, offsets=moving, sizes=open_
        )
    )


def lower_concat(low: Lowering, op: kina.ConcatOp) -> None:
    whole = low.empty(element_of(op.result), shape_of(op.result))
    offsets: list[Size] = [0] * len(shape_of(op.result))
    for part in op.parts:
        sizes = shape_of(part)
        if 0 not in sizes:
            whole = insert(low, as_tensor(low, part), whole, low.mixed(offsets), sizes)
        offsets[op.axis_number] += sizes[op.axis_number]
    low.bind(op.result, whole)


def lower_pad(low: Lowering, op: kina.PadOp) -> None:
    sizes = shape_of(op.operand)
    if not sizes:
        low.bind(op.result, low.scalar(op.operand).value)
        return
    whole = fill(low, low.scalar(op.value).value, shape_of(op.result))
    if 0 not in sizes:
        whole = insert(low, as_tensor(low, op.operand), whole, op.low_list, sizes)
    low.bind(op.result, whole)


def lower_size(low: Lowering, op: kina.SizeOp) -> None:
    bind_view(low, op.result, Number(op.open_size))


LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {
    kina.BroadcastOp: lower_broadcast,
    kina.TransposeOp: lower_transpose,
    kina.IotaOp: lower_iota,
    kina.ReshapeOp: lower_reshape,
    kina.SliceOp: lower_slice,
    kina.UpdateOp: lower_update,
    kina.ConcatOp: lower_concat,
    kina.PadOp: lower_pad,
    kina.SizeOp: lower_size,
}
