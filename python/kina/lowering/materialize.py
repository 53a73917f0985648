"""Views that become tensors, and tensors that change their shape."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import func
from xdsl.dialects import tensor as upstream
from xdsl.dialects.bufferization import AllocTensorOp, MaterializeInDestinationOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, SSAValue, Use

from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import Tensor, tensor, type_shape
from kina.dialect.elementwise import BinaryOp, CastOp, UnaryOp
from kina.dialect.ops import (
    ArgmaxOp,
    BroadcastOp,
    CompareOp,
    ForOp,
    MatmulOp,
    ReductionOp,
    ReshapeOp,
    SelectOp,
    SoftmaxOp,
    TransposeOp,
    WhileOp,
    YieldOp,
)
from kina.lowering.context import Lowering, shape_of
from kina.lowering.generic import parallel
from kina.lowering.scalar import INDEX
from kina.lowering.storage import stored, stored_type, to_stored
from kina.lowering.views import Number, Reading, View, is_whole, moves_only_unit_axes
from kina.sizes import Open, Size, quotient

ELEMENTWISE = (UnaryOp, BinaryOp, CompareOp, SelectOp, CastOp)
_READERS = (
    *ELEMENTWISE,
    BroadcastOp,
    TransposeOp,
    MatmulOp,
    ReductionOp,
    SoftmaxOp,
    ArgmaxOp,
    ForOp,
    WhileOp,
    YieldOp,
    func.ReturnOp,
)


def _reads_views(use: Use) -> bool:
    """True where the operation walks the source of a view, or asks for a tensor itself."""
    reader = use.operation
    if isinstance(reader, ReshapeOp):
        return moves_only_unit_axes(shape_of(reader.operand), shape_of(reader.result))
    return isinstance(reader, _READERS)


def bind_view(low: Lowering, value: SSAValue, reading: Reading) -> None:
    """The reading stands for `value`; it becomes a tensor here if a reader needs one."""
    low.readings[value] = reading
    if shape_of(value) and any(not _reads_views(use) for use in value.uses):
        low.bind(value, as_tensor(low, value))


def as_tensor(low: Lowering, value: SSAValue) -> SSAValue:
    """`value`, of rank 1 or more, as a tensor of its own shape."""
    reading = low.readings[value]
    if isinstance(reading, View) and is_whole(reading, shape_of(value)):
        return reading.source
    return materialize(low, reading, tensor_of(value))


def carried(low: Lowering, value: SSAValue) -> SSAValue:
    """`value` as it crosses a loop: a tensor, or a scalar as it would lie in one."""
    return as_tensor(low, value) if shape_of(value) else to_stored(low.scalar(value)).value


def materialize(low: Lowering, reading: Reading, type_: Tensor) -> SSAValue:
    """The reading as a tensor of `type_`, of rank 1 or more."""
    shape, element = type_shape(type_), type_.element_type
    if 0 in shape:
        return low.empty(element, shape)
    match reading:
        case Number(value):
            return fill(low, low.number(value, element).value, shape)
        case View(source, ()):
            return fill(low, source, shape)
        case View(source, index):
            return _tensor_of_view(low, source, index, type_)
        case _:
            return parallel(low, [(reading, element)], element, shape, lambda x: x)


def fill(low: Lowering, scalar: SSAValue, shape: Sequence[Size]) -> SSAValue:
    """A tensor of one scalar, everywhere."""
    return fill_buffer_of(low, scalar, low.empty(scalar.type, shape))


def fill_buffer_of(low: Lowering, scalar: SSAValue, target: SSAValue) -> SSAValue:
    """The buffer of the tensor `target`, filled with one scalar."""
    scalar = to_stored(low.code.scalar(scalar)).value
    return low.insert(linalg.FillOp([scalar], [target]))


def _tensor_of_view(
    low: Lowering, source: SSAValue, index: tuple[int | None, ...], type_: Tensor
) -> SSAValue:
    shape = type_shape(type_)
    walked = [axis for axis in index if axis is not None]
    element = stored(type_.element_type)
    if any(shape[axis] != 1 for axis in range(len(shape)) if axis not in walked):
        return parallel(low, [(View(source, index), element)], element, shape, lambda x: x)
    if walked != sorted(walked):
        sizes = type_shape(stored_type(source))
        lying = [sizes[s] for s, axis in enumerate(index) if axis is not None]
        source = _permuted(low, reshape(low, source, lying), walked)
    return reshape(low, source, shape)


def _permuted(low: Lowering, source: SSAValue, axes: Sequence[int]) -> SSAValue:
    """The source with its axes, which are named by `axes`, in ascending order of their names."""
    permutation = sorted(range(len(axes)), key=lambda s: axes[s])
    if permutation == list(range(len(axes))):
        return source
    type_ = stored_type(source)
    shape = [type_shape(type_)[s] for s in permutation]
    if _only_units_move(type_shape(type_), permutation):
        return reshape(low, source, shape)
    empty = low.empty(type_.element_type, shape)
    attribute = DenseArrayBase.from_list(i64, permutation)
    return low.insert(linalg.TransposeOp(source, empty, attribute))


def _only_units_move(shape: Sequence[Size], permutation: Sequence[int]) -> bool:
    kept = [s for s in permutation if shape[s] != 1]
    return kept == sorted(kept)


def reshape(low: Lowering, source: SSAValue, shape: Sequence[Size]) -> SSAValue:
    """The elements of a tensor under another shape of rank 1 or more, without a copy."""
    source = _unshaped(source)
    type_ = stored_type(source)
    if list(type_shape(type_)) == list(shape):
        return source
    if prod(shape) == 0:
        return low.empty(type_.element_type, shape)
    if not type_shape(type_):
        source, type_ = _expand(low, source, [], [1]), tensor(type_.element_type, [1])
    if _is_open_twice(type_shape(type_)) or _is_open_twice(shape):
        return _reshape_at_run_time(low, source, shape)
    groups = _common_groups(type_shape(type_), shape)
    middle = [prod(type_shape(type_)[axis] for axis in lower) for lower, _ in groups]
    source = _collapse(low, source, [lower for lower, _ in groups], middle)
    return _expand(low, source, [upper for _, upper in groups], shape)


def _is_open_twice(shape: Sequence[Size]) -> bool:
    return sum(isinstance(size, Open) for size in shape) > 1


def _reshape_at_run_time(low: Lowering, source: SSAValue, shape: Sequence[Size]) -> SSAValue:
    """The reshape for several open sizes, of which MLIR cannot tell how they split or join axes."""
    sizes = low.insert(upstream.FromElementsOp(*(low.size(size) for size in shape)))
    result = tensor(stored_type(source).element_type, shape)
    return low.insert(upstream.ReshapeOp(source, sizes, result))


def _unshaped(source: SSAValue) -> SSAValue:
    """The tensor of which the source is a reshape, of a reshape, and so on."""
    while isinstance(shaped := source.owner, upstream.CollapseShapeOp | upstream.ExpandShapeOp):
        source = shaped.src
    return source


def _common_groups(a: Sequence[Size], b: Sequence[Size]) -> list[tuple[list[int], list[int]]]:
    """The shortest runs of axes of `a` and of `b` that hold equally many elements, in order."""
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(a) or j < len(b):
        lower, upper = list(range(i, min(i + 1, len(a)))), list(range(j, min(j + 1, len(b))))
        i, j = i + len(lower), j + len(upper)
        while (m := prod(a[s] for s in lower)) != (n := prod(b[s] for s in upper)):
            if i < len(a) and (j == len(b) or _is_part(m, n)):
                lower.append(i)
                i += 1
            else:
                upper.append(j)
                j += 1
        groups.append((lower, upper))
    return _joined(groups)


def _is_part(m: Size, n: Size) -> bool:
    """Whether it takes more axes for `m` elements to be `n`."""
    if isinstance(m, Open) or isinstance(n, Open):
        return quotient(n, m) is not None
    return m < n


def _joined(groups: list[tuple[list[int], list[int]]]) -> list[tuple[list[int], list[int]]]:
    """Groups without an axis on one side hold one element: they join a neighbor."""
    joined: list[tuple[list[int], list[int]]] = []
    for lower, upper in groups:
        if joined and (not (lower and upper) or not (joined[-1][0] and joined[-1][1])):
            joined[-1] = (joined[-1][0] + lower, joined[-1][1] + upper)
        else:
            joined.append((lower, upper))
    return joined


def _collapse(
    low: Lowering, source: SSAValue, groups: Sequence[Sequence[int]], shape: Sequence[Size]
) -> SSAValue:
    type_ = stored_type(source)
    if len(type_shape(type_)) == len(shape):
        return source
    return low.insert(
        upstream.CollapseShapeOp(
            operands=[source],
            result_types=[tensor(type_.element_type, shape)],
            properties={"reassociation": _reassociation(groups)},
        )
    )


def _expand(
    low: Lowering, source: SSAValue, groups: Sequence[Sequence[int]], shape: Sequence[Size]
) -> SSAValue:
    type_ = stored_type(source)
    if len(type_shape(type_)) == len(shape):
        return source
    result = tensor(type_.element_type, shape)
    return low.insert(
        upstream.ExpandShapeOp(
            source, low.open_ones(shape), _reassociation(groups), _static(shape), result
        )
    )


def _static(shape: Sequence[Size]) -> list[int]:
    return [DYNAMIC_INDEX if isinstance(size, Open) else size for size in shape]


def _reassociation(groups: Sequence[Sequence[int]]) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    return ArrayAttr(ArrayAttr(IntegerAttr(axis, i64) for axis in group) for group in groups)


def copy(low: Lowering, source: SSAValue) -> SSAValue:
    """The tensor in a buffer of its own, whatever becomes of the source's."""
    return low.insert(AllocTensorOp(source.type, copy=source))


def allocate(low: Lowering, type_: Attribute) -> SSAValue:
    """A tensor of unspecified elements, in a buffer of its own whatever folds."""
    assert isinstance(type_, TensorType)
    return low.insert(AllocTensorOp(type_, low.open_ones(type_shape(type_))))


def in_buffer_of(low: Lowering, value: SSAValue, target: SSAValue) -> SSAValue:
    """The tensor `value` in the buffer of the tensor `target`, which must be free for it by then."""
    return low.insert(
        MaterializeInDestinationOp(
            operands=[value, target], result_types=[value.type], properties={}
        )
    )


def extract(low: Lowering, source: SSAValue) -> SSAValue:
    """The only element of a tensor, as a scalar."""
    type_ = stored_type(source)
    zero = low.code.constant(0, INDEX).value
    indices = [zero] * len(type_shape(type_))
    return low.insert(upstream.ExtractOp(source, indices, type_.element_type))
