"""Matrix products, each brought to one of a few forms that code generation knows.

A product becomes one `linalg.generic` over the loops (m, n, k), or (b, m, n, k) with a batch. The
attribute `kina.op` names it, as in `matvec_nt_1x576x1536_f32`: `matvec` where there is one row, else
`matmul`; `nt` where the right operand lies as [N, K], `nn` where it lies as [K, N]; the extents of
the loops; the operands' dtype. `batch_` stands in front where there is a batch loop, `batches_` in
the rare case that needs several.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from math import prod
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.dtypes import type_shape
from kina.lowering.arithmetic import accumulator, round_to, widen
from kina.lowering.context import Lowering, element_of, shape_of
from kina.lowering.generic import Input, Output, generic, parallel
from kina.lowering.materialize import as_tensor, fill, reshape
from kina.lowering.scalar import PRODUCT, Scalar
from kina.lowering.storage import stored_type
from kina.lowering.views import View, whole
from kina.sizes import Open, Size


@dataclass(frozen=True)
class Form:
    """How the batch axes of a product, by their numbers in the result, become loops.

    Axes of size 1 vanish. The last axes that only the left operand has join M: a matrix that many
    rows share is one matrix with more rows.
    """

    loops: tuple[tuple[int, ...], ...]
    """The batch loops, each a run of axes that every operand walks as one or does not have."""
    left: tuple[int, ...]
    """The loops that the left operand has."""
    right: tuple[int, ...]
    rows: tuple[int, ...]
    """The axes that join M."""


def form_of(shape: Sequence[Size], left: set[int], right: set[int]) -> Form:
    """The form for the batch axes of `shape`, of which each operand walks some."""
    axes = [axis for axis in range(len(shape) - 2) if shape[axis] != 1]
    rows: list[int] = []
    while axes and axes[-1] not in right:
        rows.insert(0, axes.pop())
    runs = [list(run) for _, run in groupby(axes, lambda axis: (axis in left, axis in right))]
    return Form(
        loops=tuple(tuple(run) for run in runs),
        left=tuple(i for i, run in enumerate(runs) if run[0] in left),
        right=tuple(i for i, run in enumerate(runs) if run[0] in right),
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


def _product(low: Lowering, op: kina.MatmulOp, shape: Sequence[Size], depth: Size) -> SSAValue:
    """The product with its batch axes grouped as its form has them."""
    element = element_of(op.result)
    lhs, rhs = _operand_views(low, op, shape)
    form = form_of(shape, _walked(lhs, shape_of(op.lhs)), _walked(rhs, shape_of(op.rhs)))
    batch = [prod(shape[axis] for axis in run) for run in form.loops]
    rows = prod(shape[axis] for axis in form.rows) * shape[-2]
    m, n = len(shape) - 2, len(shape) - 1

    left_axes = [axis for i in form.left for axis in form.loops[i]]
    left = _lay_out(low, lhs, shape_of(op.lhs), [*left_axes, *form.rows, m, n])
    left = reshape(low, left, [*(batch[i] for i in form.left), rows, depth])

    right_axes = [axis for i in form.right for axis in form.loops[i]]
    straight, turned = [*right_axes, m, n], [*right_axes, n, m]
    lies = partial(_lies_as, rhs, shape_of(op.rhs))
    transposed = lies(turned) and not lies(straight)
    right = _lay_out(low, rhs, shape_of(op.rhs), turned if transposed else straight)
    last = [shape[-1], depth] if transposed else [depth, shape[-1]]
    right = reshape(low, right, [*(batch[i] for i in form.right), *last])

    loops = len(batch)
    m, n, k = loops, loops + 1, loops + 2
    left_input = _input(left, element, [*form.left, m, k])
    right_input = _input(right, element, [*form.right, *((n, k) if transposed else (k, n))])
    extents = [*batch, rows, shape[-1], depth]
    name = _name(loops, rows, transposed, extents, element)
    return _contract(low, left_input, right_input, extents, name)


def _operand_views(low: Lowering, op: kina.MatmulOp, shape: Sequence[Size]) -> tuple[View, View]:
    """The operands as views that walk the last two axes, and together every batch axis.

    A loop takes its length from a tensor: what is only stretched along an axis becomes one.
    """
    rank, batch = len(shape), range(len(shape) - 2)
    lhs, rhs = _matrix_view(low, op.lhs), _matrix_view(low, op.rhs)
    left_sizes, right_sizes = shape_of(op.lhs), shape_of(op.rhs)
    walked = _walked(lhs, left_sizes) | _walked(rhs, right_sizes)
    unwalked = set(_stretching(batch, shape)) - walked
    if not unwalked.isdisjoint(_stretching(batch, left_sizes)):
        lhs = whole(as_tensor(low, op.lhs), rank)
    if not unwalked.issubset(_stretching(batch, left_sizes)):
        rhs = whole(as_tensor(low, op.rhs), rank)
    return lhs, rhs


def _contract(
    low: Lowering, left: Input, right: Input, extents: Sequence[Size], name: str
) -> SSAValue:
    """The sum of products over the last of the loops, in the operands' dtype."""
    element, target = left.element, extents[:-1]
    accumulate = accumulator(element)
    zero = low.code.constant(0, accumulate)
    (product,) = generic(
        low,
        len(extents),
        [left, right],
        [Output(fill(low, zero.value, target), range(len(target)))],
        _multiply_add,
        {"kina.op": StringAttr(name)},
    )
    if accumulate == element:
        return product
    view = whole(product, len(target))
    return parallel(low, [(view, accumulate)], element, target, lambda x: round_to(x, element))


def _name(
    loops: int, rows: Size, transposed: bool, extents: Sequence[Size], element: Attribute
) -> str:
    batch = ("", "batch_", "batches_")[min(loops, 2)]
    form = f"{batch}{'matvec' if rows == 1 else 'matmul'}_{'nt' if transposed else 'nn'}"
    sizes = "x".join("N" if isinstance(size, Open) else str(size) for size in extents)
    return f"{form}_{sizes}_{element}"


def _multiply_add(elements: list[Scalar], sums: list[Scalar]) -> list[Scalar]:
    a, b = map(widen, elements)
    return [sums[0].plus(a.times(b, PRODUCT), PRODUCT)]


def _input(value: SSAValue, element: Attribute, dims: Sequence[int]) -> Input:
    return Input(whole(value, len(dims)), element, type_shape(stored_type(value)), dims)


def _walked(view: View, sizes: Sequence[Size]) -> set[int]:
    return set(_stretching(view.index, sizes))


def _matrix_view(low: Lowering, value: SSAValue) -> View:
    """The operand as a view that walks its last two axes, or a tensor of its own."""
    shape, reading = shape_of(value), low.readings[value]
    last = _stretching((len(shape) - 2, len(shape) - 1), shape)
    if isinstance(reading, View) and reading.index and set(last) <= _walked(reading, shape):
        return reading
    return whole(as_tensor(low, value), len(shape))


def _lies_as(view: View, sizes: Sequence[Size], axes: Sequence[int]) -> bool:
    """True where the view's source holds these axes in this order, units aside."""
    return _stretching(view.index, sizes) == _stretching(axes, sizes)


def _stretching(axes: Sequence[int | None], sizes: Sequence[Size]) -> list[int]:
    return [axis for axis in axes if axis is not None and sizes[axis] != 1]


def _lay_out(low: Lowering, view: View, sizes: Sequence[Size], axes: Sequence[int]) -> SSAValue:
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
