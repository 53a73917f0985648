"""Matrix products, each brought to one of a few forms that code generation knows.

A product becomes one `linalg.generic` over the loops (m, n, k), or (b, m, n, k) with a batch. The
attribute `kina.op` names it, as in `matvec_nt_1x576x1536_f32`: `matvec` where there is one row, else
`matmul`; `nt` where the right operand lies as [N, K], `nn` where it lies as [K, N]; the extents of
the loops; the operands' dtype. `batch_` stands in front where there is a batch loop, `batches_` in
the rare case that needs two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Operation, SSAValue

from kina.dialect import ops as kina
from kina.lowering.arithmetic import accumulator, round_to, widen
from kina.lowering.context import Lowering, element_of, shape_of
from kina.lowering.generic import Input, Output, generic, parallel
from kina.lowering.materialize import as_tensor, fill, reshape
from kina.lowering.scalar import PRODUCT, Scalar
from kina.lowering.storage import stored_type
from kina.lowering.views import View, whole


@dataclass(frozen=True)
class Form:
    """How a product's axes, numbered as the result's batch axes, then M, then N or K, are grouped.

    Batch axes of size 1 vanish. The last batch axes that only the left operand has join M: a
    matrix that many rows share is one matrix with more rows.
    """

    left: tuple[tuple[int, ...], ...]
    """The left operand's batch loops, each a run of batch axes that both groups walk as one."""
    right: tuple[tuple[int, ...], ...]
    loops: tuple[tuple[int, ...], ...]
    rows: tuple[int, ...]
    """The batch axes that join M."""


def form_of(shape: Sequence[int], left: set[int], right: set[int]) -> Form:
    """The form for the batch axes of `shape`, of which each operand walks some."""
    axes = [axis for axis in range(len(shape) - 2) if shape[axis] != 1]
    rows: list[int] = []
    while axes and axes[-1] not in right:
        rows.insert(0, axes.pop())
    alike = len({(axis in left, axis in right) for axis in axes}) <= 1
    runs = ([axes] if axes else []) if alike else [[axis] for axis in axes]
    return Form(
        left=tuple(tuple(run) for run in runs if run[0] in left),
        right=tuple(tuple(run) for run in runs if run[0] in right),
        loops=tuple(tuple(run) for run in runs),
        rows=tuple(rows),
    )


def lower_matmul(low: Lowering, op: kina.MatmulOp) -> None:
    shape, element = shape_of(op.result), element_of(op.result)
    depth = shape_of(op.lhs)[-1]
    if 0 in shape:
        low.bind(op.result, low.empty(element, shape))
    elif depth == 0:
        zero = low.code.constant(0, element)
        low.bind(op.result, fill(low, zero.value, shape))
    else:
        low.bind(op.result, reshape(low, _product(low, op, shape, depth), shape))


def _product(low: Lowering, op: kina.MatmulOp, shape: Sequence[int], depth: int) -> SSAValue:
    lhs, rhs = _matrix_view(low, op.lhs), _matrix_view(low, op.rhs)
    left_sizes, right_sizes = shape_of(op.lhs), shape_of(op.rhs)
    batch = len(shape) - 2
    walked = _walked(lhs, left_sizes) | _walked(rhs, right_sizes)
    # A batch axis that neither operand walks: a loop takes its length from a tensor.
    unwalked = set(_stretching(range(batch), shape)) - walked
    if not unwalked.isdisjoint(_stretching(range(batch), left_sizes)):
        lhs = whole(as_tensor(low, op.lhs), len(shape))
    if not unwalked.issubset(_stretching(range(batch), left_sizes)):
        rhs = whole(as_tensor(low, op.rhs), len(shape))
    form = form_of(shape, _walked(lhs, left_sizes), _walked(rhs, right_sizes))
    m, n = batch, batch + 1

    def extent(run: Sequence[int]) -> int:
        return prod(shape[axis] for axis in run)

    rows = extent(form.rows) * shape[-2]
    left_axes = [*_flat(form.left), *form.rows, m, n]
    left = _lay_out(low, lhs, left_sizes, left_axes)
    left = reshape(low, left, [*map(extent, form.left), rows, depth])

    straight, turned = [*_flat(form.right), m, n], [*_flat(form.right), n, m]
    transposed = _lies_as(rhs, right_sizes, turned) and not _lies_as(rhs, right_sizes, straight)
    right = _lay_out(low, rhs, right_sizes, turned if transposed else straight)
    last = [shape[-1], depth] if transposed else [depth, shape[-1]]
    right = reshape(low, right, [*map(extent, form.right), *last])

    loops = len(form.loops)
    left_dims = [form.loops.index(run) for run in form.left]
    right_dims = [form.loops.index(run) for run in form.right]
    M, N, K = loops, loops + 1, loops + 2
    element = element_of(op.result)
    accumulate = accumulator(element)
    target = [*map(extent, form.loops), rows, shape[-1]]
    zero = low.code.constant(0, accumulate)
    (product,) = generic(
        low,
        loops + 3,
        [
            _operand(left, element, [*left_dims, M, K]),
            _operand(right, element, [*right_dims, *((N, K) if transposed else (K, N))]),
        ],
        [Output(fill(low, zero.value, target), [*range(loops), M, N])],
        _multiply_add,
        {"kina.op": StringAttr(_kind(loops, rows, transposed, [*target, depth], element))},
    )
    if accumulate == element:
        return product
    view = whole(product, len(target))
    return parallel(low, [(view, accumulate)], element, target, lambda x: round_to(x, element))


def _kind(
    loops: int, rows: int, transposed: bool, extents: Sequence[int], element: Attribute
) -> str:
    batch = ("", "batch_", "batches_")[loops]
    form = f"{batch}{'matvec' if rows == 1 else 'matmul'}_{'nt' if transposed else 'nn'}"
    return f"{form}_{'x'.join(map(str, extents))}_{element}"


def _multiply_add(elements: list[Scalar], sums: list[Scalar]) -> list[Scalar]:
    a, b = map(widen, elements)
    return [sums[0].plus(a.times(b, PRODUCT), PRODUCT)]


def _operand(value: SSAValue, element: Attribute, dims: Sequence[int]) -> Input:
    return Input(whole(value, len(dims)), element, stored_type(value).get_shape(), dims)


def _flat(runs: Sequence[Sequence[int]]) -> list[int]:
    return [axis for run in runs for axis in run]


def _walked(view: View, sizes: Sequence[int]) -> set[int]:
    return set(_stretching(view.index, sizes))


def _matrix_view(low: Lowering, value: SSAValue) -> View:
    """The operand as a view that walks its last two axes, or a tensor of its own."""
    shape, reading = shape_of(value), low.readings[value]
    last = _stretching((len(shape) - 2, len(shape) - 1), shape)
    if isinstance(reading, View) and reading.index and set(last) <= _walked(reading, shape):
        return reading
    return whole(as_tensor(low, value), len(shape))


def _lies_as(view: View, sizes: Sequence[int], axes: Sequence[int]) -> bool:
    """True where the view's source holds these axes in this order, units aside."""
    return _stretching(view.index, sizes) == _stretching(axes, sizes)


def _stretching(axes: Sequence[int | None], sizes: Sequence[int]) -> list[int]:
    return [axis for axis in axes if axis is not None and sizes[axis] != 1]


def _lay_out(low: Lowering, view: View, sizes: Sequence[int], axes: Sequence[int]) -> SSAValue:
    """A tensor of the view's elements with these axes in this order, units aside."""
    present, wanted = _stretching(view.index, sizes), _stretching(axes, sizes)
    if present == wanted:
        return view.source
    source = reshape(low, view.source, [sizes[axis] for axis in present])
    permutation = [present.index(axis) for axis in wanted]
    empty = low.empty(stored_type(source).element_type, [sizes[axis] for axis in wanted])
    attribute = DenseArrayBase.from_list(i64, permutation)
    return low.insert(linalg.TransposeOp(source, empty, attribute))


LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {
    kina.MatmulOp: lower_matmul,
}
