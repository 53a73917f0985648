"""Tensors whose elements are known to lie between two numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from kina.oracle.arrays import DType, is_float
from support.values import Array


@dataclass(frozen=True)
class Interval:
    """What each element may be: the numbers from `low` to `high`, and NaN where `nan` says so.

    Where an element can only be NaN, so are `low` and `high`. -0.0 lies before 0.0.
    """

    low: Array
    high: Array
    nan: Array

    @property
    def exact(self) -> Array:
        """Where there is one possible value; one NaN is as good as another."""
        if not _has_nan(self.low.dtype):
            return np.asarray(self.low == self.high)
        same = (self.low == self.high) & (np.signbit(self.low) == np.signbit(self.high))
        return np.asarray(np.where(self.nan, np.isnan(self.low), same))

    def map(self, function: Callable[[Array], Array]) -> Interval:
        """A function that moves elements, whatever they are."""
        return Interval(function(self.low), function(self.high), function(self.nan))


def one(array: Array) -> Interval:
    """Exactly these values."""
    return Interval(array, array, _is_nan(array))


def anything(dtype: DType, shape: Sequence[int]) -> Interval:
    """Every value of a dtype."""
    if _has_nan(dtype):
        least, most, nan = -np.inf, np.inf, True
    elif dtype == np.bool_:
        least, most, nan = False, True, False
    else:
        least, most, nan = np.iinfo(dtype).min, np.iinfo(dtype).max, False
    return Interval(
        np.full(shape, least, dtype), np.full(shape, most, dtype), np.full(shape, nan, np.bool_)
    )


def chosen(condition: Array, a: Interval, b: Interval) -> Interval:
    """`a` where the condition holds, else `b`."""
    return Interval(
        np.where(condition, a.low, b.low),
        np.where(condition, a.high, b.high),
        np.where(condition, a.nan, b.nan),
    )


def applied(function: Callable[..., Array], *operands: Interval) -> Interval:
    """A function that is monotone in each operand on either side of 0, and at each NaN.

    It is tried at all ends: then its least and its largest value are among those it gave.
    """
    exact = np.logical_and.reduce([np.broadcast_to(x.exact, _shape(operands)) for x in operands])
    first = function(*(x.low for x in operands))
    if exact.all():
        return one(first)
    tried = [function(*ends) for ends in product(*map(_ends, operands))]
    return chosen(exact, one(first), hull(tried))


def hull(arrays: Sequence[Array]) -> Interval:
    """The least interval around the elements of all these; a zero among its ends has either sign."""
    dtype = arrays[0].dtype
    if not _has_nan(dtype):
        stacked = np.stack(arrays)
        return Interval(stacked.min(axis=0), stacked.max(axis=0), np.zeros_like(stacked[0], bool))
    wide = np.stack(arrays) if dtype == np.longdouble else np.stack(arrays).astype(np.float64)
    low, high = np.fmin.reduce(wide, axis=0), np.fmax.reduce(wide, axis=0)
    nan = np.isnan(wide).any(axis=0)
    return with_zeros(Interval(low.astype(dtype), high.astype(dtype), nan))


def with_zeros(x: Interval) -> Interval:
    """The interval with zeros of both signs where it ends in one."""
    low = np.where(x.low == 0, np.asarray(-0.0, x.low.dtype), x.low)
    return Interval(low, np.where(x.high == 0, np.asarray(0.0, x.high.dtype), x.high), x.nan)


def united(parts: Sequence[Interval]) -> Interval:
    """What lies in any of these, of one shape."""
    if len(parts) == 1:
        return parts[0]
    around = hull([end for part in parts for end in (part.low, part.high)])
    return Interval(around.low, around.high, np.logical_or.reduce([part.nan for part in parts]))


def _ends(x: Interval) -> Iterator[Array]:
    yield x.low
    yield x.high
    if _has_nan(x.low.dtype):
        around = (x.low <= 0) & (x.high >= 0) & ~x.exact
        if around.any():
            for zero in (-0.0, 0.0):
                yield np.where(around, np.asarray(zero, x.low.dtype), x.low)
        if (x.nan & ~np.isnan(x.low)).any():
            yield np.where(x.nan, np.asarray(np.nan, x.low.dtype), x.low)


def _shape(operands: Sequence[Interval]) -> tuple[int, ...]:
    return np.broadcast_shapes(*(x.low.shape for x in operands))


def _has_nan(dtype: DType) -> bool:
    return is_float(dtype) or dtype == np.longdouble


def _is_nan(array: Array) -> Array:
    if _has_nan(array.dtype):
        return np.asarray(np.isnan(array))
    return np.zeros(array.shape, np.bool_)
