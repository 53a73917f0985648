"""Reductions along axes, softmax and argmax."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf, prod
from typing import Any

from xdsl.dialects.builtin import IntegerType, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.dtypes import is_float, tensor
from kina.lowering.arithmetic import accumulator, round_to, widen
from kina.lowering.context import Lowering, element_of, shape_of
from kina.lowering.exponential import exp
from kina.lowering.generic import Input, Output, generic, parallel
from kina.lowering.materialize import bind_view, extract, fill, materialize
from kina.lowering.scalar import SUM, Scalar
from kina.lowering.views import Counting, Reading, View, whole
from kina.sizes import Open, Size, most

Combine = Callable[[Scalar, Scalar], Scalar]
"""The next accumulator, from the one so far and the next element."""


def add(total: Scalar, x: Scalar) -> Scalar:
    return total.plus(x, SUM)


def larger(greatest: Scalar, x: Scalar) -> Scalar:
    return greatest.maximum(x)


def smaller(least: Scalar, x: Scalar) -> Scalar:
    return least.minimum(x)


def lowest(type_: Attribute) -> int | float:
    if isinstance(type_, IntegerType):
        return int(-(2 ** (type_.width.data - 1)))
    return -inf


def highest(type_: Attribute) -> int | float:
    return inf if is_float(type_) else -1 - int(lowest(type_))


def reduce_axes(
    low: Lowering,
    inputs: Sequence[tuple[Reading, Attribute]],
    shape: Sequence[Size],
    axes: Sequence[int],
    initial: tuple[int | float, Attribute],
    step: Callable[..., Scalar],
) -> View:
    """What `step(accumulator, *elements)` makes of `initial` along `axes` of `shape`.

    The result is a view over the axes that stay, under their old numbers; a scalar if none does.
    """
    number, accumulate = initial
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    start = fill(low, low.code.constant(number, accumulate).value, [shape[axis] for axis in kept])
    if prod(shape) == 0:
        result = start
    else:
        inputs = _walking(low, inputs, shape, axes)
        dims = range(len(shape))
        (result,) = generic(
            low,
            len(shape),
            [Input(reading, type_, shape, dims) for reading, type_ in inputs],
            [Output(start, kept)],
            lambda elements, sums: [step(sums[0], *elements)],
        )
    return View(result, tuple(kept)) if kept else View(extract(low, result), ())


def _walking(
    low: Lowering,
    inputs: Sequence[tuple[Reading, Attribute]],
    shape: Sequence[Size],
    axes: Sequence[int],
) -> Sequence[tuple[Reading, Attribute]]:
    """The inputs such that some tensor has all of `axes`: a loop takes its length from a tensor."""
    walked = {axis for view, _ in inputs if isinstance(view, View) for axis in view.index}
    if walked.issuperset(axes):
        return inputs
    (reading, element), *others = inputs
    first = materialize(low, reading, tensor(element, shape))
    return [(whole(first, len(shape)), element), *others]


def lower_reduction(low: Lowering, op: kina.ReductionOp) -> None:
    if 0 in shape_of(op.result):
        low.bind(op.result, low.empty(element_of(op.result), shape_of(op.result)))
        return
    shape, element = shape_of(op.operand), element_of(op.operand)
    accumulate = accumulator(element)
    initial, combine = _STEPS[type(op)]
    count = prod(shape[axis] for axis in op.axis_list)

    def finish(x: Scalar) -> Scalar:
        return round_to(_divided(low, x, count) if isinstance(op, kina.MeanOp) else x, element)

    total = reduce_axes(
        low,
        [(low.readings[op.operand], element)],
        shape,
        op.axis_list,
        (initial(accumulate), accumulate),
        lambda so_far, x: combine(so_far, widen(x)),
    )
    if isinstance(op, kina.MeanOp) or accumulate != element:
        total = _map(low, total, accumulate, shape, element, finish)
    _bind(low, op.result, total, bool(op.keepdims))


def _divided(low: Lowering, x: Scalar, count: Size) -> Scalar:
    """The sum divided by the count of its terms, which may be open."""
    number = low.number(count, x.type) if isinstance(count, Open) else float(count)
    return x / number


def _map(
    low: Lowering,
    view: View,
    element: Attribute,
    shape: Sequence[Size],
    target: Attribute,
    function: Callable[[Scalar], Scalar],
) -> View:
    """The function of each element of a view over some axes of `shape`, as such a view."""
    if not view.index:
        return View(function(low.code.scalar(view.source)).value, ())
    sizes = [shape[axis] for axis in view.index if axis is not None]
    reading = whole(view.source, len(sizes))
    return View(parallel(low, [(reading, element)], target, sizes, function), view.index)


def _bind(low: Lowering, result: SSAValue, view: View, keepdims: bool) -> None:
    """The view over the axes that stay stands for the result, with or without the others."""
    if view.index and not keepdims:
        low.bind(result, view.source)
    else:
        bind_view(low, result, view)


_STEPS: Mapping[type[Operation], tuple[Callable[[Attribute], int | float], Combine]] = {
    kina.SumOp: (lambda _: 0, add),
    kina.MeanOp: (lambda _: 0, add),
    kina.ReduceMaxOp: (lowest, larger),
    kina.ReduceMinOp: (highest, smaller),
}


def lower_softmax(low: Lowering, op: kina.SoftmaxOp) -> None:
    """The maximum, the exponentials, their sum, the quotients.

    A row that is all -inf has the maximum -inf; zero in its place makes each exponential 0, and
    their sum 0, in whose place stands 1. A NaN passes through the maximum to every exponential.
    """
    shape, element = shape_of(op.result), element_of(op.result)
    if 0 in shape:
        low.bind(op.result, low.empty(element, shape))
        return
    wide, axes = accumulator(element), [op.axis_number]
    x = (low.readings[op.operand], element)

    def exponential(x: Scalar, greatest: Scalar) -> Scalar:
        return exp(widen(x) - greatest.compare("eq", -inf).select(0.0, greatest))

    def quotient(e: Scalar, total: Scalar) -> Scalar:
        return round_to(e / total.compare("eq", 0.0).select(1.0, total), element)

    greatest = reduce_axes(
        low, [x], shape, axes, (-inf, wide), lambda so_far, x: larger(so_far, widen(x))
    )
    e = parallel(low, [x, (greatest, wide)], wide, shape, exponential)
    exponentials = (whole(e, len(shape)), wide)
    total = reduce_axes(low, [exponentials], shape, axes, (0, wide), add)
    low.bind(op.result, parallel(low, [exponentials, (total, wide)], element, shape, quotient))


def lower_argmax(low: Lowering, op: kina.ArgmaxOp) -> None:
    """The maximum, then the lowest index at which it or a NaN stands.

    Two passes that vectorize, in place of one that carries an index from element to element. The
    maximum is a NaN where the row has one, which equals nothing. "Not here" is the greatest size
    of the axis: with the largest integer LLVM would turn the minimum into a branch.
    """
    shape, element, axis = shape_of(op.operand), element_of(op.operand), op.axis_number
    if 0 in shape_of(op.result):
        low.bind(op.result, low.empty(i64, shape_of(op.result)))
        return
    wide = accumulator(element)
    x = (low.readings[op.operand], element)
    nowhere = most(shape[axis])
    index = i32 if nowhere < 2**31 else i64

    def first(least: Scalar, x: Scalar, i: Scalar, greatest: Scalar) -> Scalar:
        x = widen(x)
        found = x.compare("eq", greatest)
        if x.is_float:
            found = found | x.is_nan()
        return least.minimum(found.select(i, nowhere))

    greatest = reduce_axes(
        low,
        [x],
        shape,
        [axis],
        (lowest(wide), wide),
        lambda so_far, x: larger(so_far, widen(x)),
    )
    least = reduce_axes(
        low,
        [x, (Counting(axis), index), (greatest, wide)],
        shape,
        [axis],
        (nowhere, index),
        first,
    )
    result = _map(low, least, index, shape, i64, lambda i: i.extend(i64))
    _bind(low, op.result, result, keepdims=False)


LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {
    **{operation: lower_reduction for operation in _STEPS},
    kina.SoftmaxOp: lower_softmax,
    kina.ArgmaxOp: lower_argmax,
}
