"""What a compiled program may give: for every element of every value the numbers that numerics.md allows.

The values of a program are followed as intervals. An exact operation, or one that rounds once, is monotone
in each operand, rounding included: it takes the ends of its operands to the ends of its result, by the
oracle's own meaning, so that what nothing inexact went into has one value. Elementary functions, sums and
products widen the interval by their stated errors. What is compared, selected or indexed by a number that
is not known for sure becomes whatever it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from elementary import ELEMENTARY, power
from interval import Interval, anything, applied, chosen, one, united, with_zeros
from sums import matrix_product, mean, softmax, total
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import Tensor
from kina.oracle.arrays import is_float, numpy_dtype
from kina.oracle.meaning import MEANINGS
from support.values import Array

Enclosure: TypeAlias = Callable[[Any, Sequence[Interval]], Interval]
"""From an operation and what its operands may be, in order, to what its result may be."""


def enclosures(module: ModuleOp, operands: Sequence[Array]) -> list[Interval]:
    """What each result of the module's one function may be for these arguments."""
    (function,) = module.ops
    assert isinstance(function, func.FuncOp)
    values: dict[SSAValue, Interval] = {
        a: one(x) for a, x in zip(function.body.block.args, operands, strict=True)
    }
    with np.errstate(all="ignore"):
        return _block(function.body.block, values)


def allows(allowed: Interval, result: Array) -> Array:
    """Where a result is one of the allowed values."""
    low, high, found = (x.astype(_comparable(x)) for x in (allowed.low, allowed.high, result))
    inside = (low <= found) & (found <= high)
    if is_float(result.dtype):
        # 0.0 is not -0.0 where only one of them is possible.
        wrong_sign = (found == 0) & allowed.exact & (np.signbit(found) != np.signbit(low))
        return np.asarray(np.where(np.isnan(found), allowed.nan, inside & ~wrong_sign))
    return np.asarray(inside)


def _comparable(x: Array) -> Any:
    return np.float64 if is_float(x.dtype) else x.dtype


def _block(block: Block, values: dict[SSAValue, Interval]) -> list[Interval]:
    """What the block's terminator hands on."""
    for op in block.ops:
        operands = [values[operand] for operand in op.operands]
        if isinstance(op, func.ReturnOp | kina.YieldOp):
            return operands
        match op:
            case kina.ForOp():
                results = _for(op, operands, values)
            case kina.WhileOp():
                results = _while(op, operands, values)
            case kina.TopKOp():
                results = _top_k(op, operands)
            case _:
                results = [_operation(op, operands)]
        values.update(zip(op.results, results))
    raise AssertionError("a block ends in func.return or kina.yield")


def _operation(op: Operation, operands: Sequence[Interval]) -> Interval:
    if all(operand.exact.all() for operand in operands) and type(op) not in INEXACT:
        return one(_meaning(op)(*(operand.low for operand in operands)))
    return {**INEXACT, **UNCERTAIN}.get(type(op), _moved)(op, operands)


def _for(
    op: kina.ForOp, operands: Sequence[Interval], values: dict[SSAValue, Interval]
) -> list[Interval]:
    lower, upper, *carry = operands
    if not (lower.exact.all() and upper.exact.all()):
        return [_anything(result) for result in op.results]
    for i in range(int(lower.low), int(upper.low)):
        values[op.index] = one(np.asarray(i, np.int64))
        values.update(zip(op.carry, carry))
        carry = _block(op.body.block, values)
    return carry


def _while(
    op: kina.WhileOp, operands: Sequence[Interval], values: dict[SSAValue, Interval]
) -> list[Interval]:
    carry = list(operands)
    while True:
        values.update(zip(op.tested, carry))
        (holds,) = _block(op.condition.block, values)
        if not holds.exact.all():
            return [_anything(result) for result in op.results]
        if not holds.low:
            return carry
        values.update(zip(op.carry, carry))
        carry = _block(op.body.block, values)


def _top_k(op: kina.TopKOp, operands: Sequence[Interval]) -> list[Interval]:
    (x,) = operands
    if not x.exact.all():
        return [_anything(result) for result in op.results]
    return [one(np.asarray(result)) for result in MEANINGS[type(op)](op, [x.low])]


def _anything(result: SSAValue) -> Interval:
    type_: Tensor = tensor_of(result)
    return anything(numpy_dtype(type_.element_type), type_.get_shape())


def _meaning(op: Operation) -> Callable[..., Array]:
    """The oracle's meaning, given and giving arrays at every rank."""
    return lambda *given: np.asarray(MEANINGS[type(op)](op, [np.asarray(x) for x in given]))


def _elementary(op: Operation, x: Interval) -> Interval:
    """The function of a zero whose sign is not known is, where it is a zero, one of either sign."""
    result = ELEMENTARY[op.name.removeprefix("kina.")](x)
    return chosen(x.exact, result, with_zeros(result))


def _moved(op: Operation, operands: Sequence[Interval], at: Sequence[Array] = ()) -> Interval:
    """An operation that moves elements, to or from these indices, and computes nothing."""
    meaning = _meaning(op)
    return Interval(
        meaning(*(x.low for x in operands), *at),
        meaning(*(x.high for x in operands), *at),
        meaning(*(x.nan for x in operands), *at),
    )


def _monotone(op: Operation, operands: Sequence[Interval]) -> Interval:
    return applied(_meaning(op), *operands)


def _arithmetic(op: Operation, operands: Sequence[Interval]) -> Interval:
    """Floats round once; an integer that is not known may wrap to any."""
    if is_float(operands[0].low.dtype):
        return _monotone(op, operands)
    known = np.logical_and.reduce([x.exact for x in operands])
    return chosen(known, one(_meaning(op)(*(x.low for x in operands))), _anything(op.results[0]))


def _told(unknown: Array, op: Operation, operands: Sequence[Interval]) -> Interval:
    """What is told of an element, where it is known."""
    known = one(_meaning(op)(*(x.low for x in operands)))
    return chosen(unknown, _anything(op.results[0]), known)


def _remainder(op: kina.RemOp, operands: Sequence[Interval]) -> Interval:
    """Of floats that are not known: smaller than the divisor, not larger than the dividend."""
    if not is_float(operands[0].low.dtype):
        return _arithmetic(op, operands)
    known = operands[0].exact & operands[1].exact
    return chosen(known, one(_meaning(op)(*(x.low for x in operands))), _anything(op.results[0]))


def _compare(op: kina.CompareOp, operands: Sequence[Interval]) -> Interval:
    a, b = operands
    result = _monotone(op, operands)
    if op.predicate.data not in ("eq", "ne"):
        return result
    meeting = (a.low <= b.high) & (b.low <= a.high) & ~(a.exact & b.exact)
    return chosen(meeting, _anything(op.results[0]), result)


def _cast(op: kina.CastOp, operands: Sequence[Interval]) -> Interval:
    (x,) = operands
    to = numpy_dtype(tensor_of(op.results[0]).element_type)
    if is_float(x.low.dtype) or is_float(to) or np.bool_ in (x.low.dtype, to):
        if to == np.bool_ and not is_float(x.low.dtype):
            around = (x.low < 0) & (x.high > 0)
            return chosen(around, _anything(op.results[0]), _monotone(op, operands))
        return _monotone(op, operands)
    limits = np.iinfo(to)
    fits = x.exact | ((x.low >= limits.min) & (x.high <= limits.max))
    return chosen(fits, _moved_ends(op, x), _anything(op.results[0]))


def _moved_ends(op: Operation, x: Interval) -> Interval:
    return Interval(_meaning(op)(x.low), _meaning(op)(x.high), x.nan)


def _reduced(op: kina.ReductionOp, operands: Sequence[Interval]) -> Interval:
    """Maxima and minima, which are monotone in all elements together."""
    (x,) = operands
    axes = tuple(op.axis_list)
    nan = np.any(x.nan, axis=axes, keepdims=bool(op.keepdims))
    return Interval(_meaning(op)(x.low), _meaning(op)(x.high), nan)


def _sum(op: kina.SumOp, operands: Sequence[Interval]) -> Interval:
    (x,) = operands
    keepdims = bool(op.keepdims)
    if is_float(x.low.dtype):
        return total(x, op.axis_list, keepdims)
    known = np.all(x.exact, axis=tuple(op.axis_list), keepdims=keepdims)
    return chosen(known, one(_meaning(op)(x.low)), _anything(op.results[0]))


def _argmax(op: kina.ArgmaxOp, operands: Sequence[Interval]) -> Interval:
    """From the first to the last element that nothing is surely larger than."""
    (x,) = operands
    axis = op.axis_number
    if is_float(x.low.dtype):
        low, high = (end.astype(np.float64) for end in (x.low, x.high))
    else:
        low, high = x.low, x.high
    possible = x.nan | (high >= np.fmax.reduce(low, axis=axis, keepdims=True))
    first = np.argmax(possible, axis=axis)
    last = x.low.shape[axis] - 1 - np.argmax(np.flip(possible, axis), axis=axis)
    known = one(_meaning(op)(x.low))
    around = Interval(np.asarray(first), np.asarray(last), np.zeros(first.shape, np.bool_))
    return chosen(np.all(x.exact, axis=axis), known, around)


def _gather(op: kina.GatherOp, operands: Sequence[Interval]) -> Interval:
    table, ids = operands
    count = table.low.shape[0]
    first, last = (np.clip(end, 0, count - 1).ravel() for end in (ids.low, ids.high))
    rows = [
        united([table.map(partial(np.take, indices=i, axis=0)) for i in range(a, b + 1)])
        for a, b in zip(first, last)
    ]
    shape = tensor_of(op.results[0]).get_shape()

    def stacked(of: Callable[[Interval], Array]) -> Array:
        return np.stack([of(row) for row in rows]).reshape(shape)

    return Interval(
        stacked(lambda row: row.low), stacked(lambda row: row.high), stacked(lambda row: row.nan)
    )


def _placed(fixed: int, op: Operation, operands: Sequence[Interval]) -> Interval:
    """An operation on `fixed` tensors at indices, wherever those may be."""
    tensors, indices = operands[:fixed], operands[fixed:]
    whole = tensors[0].low.shape
    block = tensors[1].low.shape if fixed == 2 else tensor_of(op.results[0]).get_shape()
    places = [
        range(*(int(np.clip(end, 0, n - m)) + j for j, end in enumerate((at.low, at.high))))
        for n, m, at in zip(whole, block, indices)
    ]
    return united(
        [_moved(op, tensors, [np.asarray(i, np.int64) for i in at]) for at in product(*places)]
    )


INEXACT: Mapping[type[Operation], Enclosure] = {
    **{
        op: lambda op, x: _elementary(op, x[0])
        for op in (
            kina.ExpOp,
            kina.LogOp,
            kina.RsqrtOp,
            kina.TanhOp,
            kina.SigmoidOp,
            kina.SinOp,
            kina.CosOp,
            kina.ErfOp,
        )
    },
    kina.PowOp: lambda op, x: power(*x),
    kina.MatmulOp: lambda op, x: matrix_product(*x),
    kina.SumOp: _sum,
    kina.MeanOp: lambda op, x: mean(x[0], op.axis_list, bool(op.keepdims)),
    kina.SoftmaxOp: lambda op, x: softmax(x[0], op.axis_number),
}
"""Operations whose result is not one value even where their operands are."""

UNCERTAIN: Mapping[type[Operation], Enclosure] = {
    **{op: _monotone for op in (kina.NotOp, kina.SqrtOp, kina.MaxOp, kina.MinOp, kina.AndOp)},
    **{op: _monotone for op in (kina.OrOp, kina.SelectOp)},
    **{op: _arithmetic for op in (kina.NegOp, kina.AbsOp, kina.AddOp, kina.SubOp, kina.MulOp)},
    **{op: _monotone for op in (kina.FloorOp, kina.CeilOp, kina.RoundOp, kina.TruncOp)},
    kina.SignOp: _monotone,
    kina.IsnanOp: lambda op, x: _told(x[0].nan & ~np.isnan(x[0].low), op, x),
    kina.IsinfOp: lambda op, x: _told(~x[0].exact, op, x),
    kina.DivOp: _arithmetic,
    kina.RemOp: _remainder,
    kina.CompareOp: _compare,
    kina.CastOp: _cast,
    kina.ReduceMaxOp: _reduced,
    kina.ReduceMinOp: _reduced,
    kina.ArgmaxOp: _argmax,
    kina.GatherOp: _gather,
    kina.SliceOp: partial(_placed, 1),
    kina.UpdateOp: partial(_placed, 2),
}
"""Operations on operands that are not known for sure. The others only move elements."""
