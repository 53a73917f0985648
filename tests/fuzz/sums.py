"""What sums, products and softmax may give: every order of adding up, as numerics.md leaves it open.

The bounds are those of Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 3.1 and 4.2. They
are computed in the processor's long double, whose own error is a thousandth of what they allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from interval import Interval, applied, chosen, one, with_zeros

from kina.oracle.arrays import DType, computing_dtype
from kina.oracle.elementwise import cast
from support.values import LEAST_EXPONENT, SIGNIFICAND_BITS, Array, dtype_name

_SLACK = 1 + 2.0**-9
"""For the error of long double beside that of F64, which is 2048 times as large."""


def bits(dtype: DType) -> int:
    """Of the significand."""
    return SIGNIFICAND_BITS[dtype_name(dtype)]


def least(dtype: DType) -> int:
    """The exponent of the least denormal."""
    return LEAST_EXPONENT[dtype_name(dtype)]


def widened(x: Interval) -> Interval:
    """The floats as long double."""
    return x.map(lambda a: a if a.dtype == np.bool_ else a.astype(np.float64).astype(np.longdouble))


def rounded(x: Interval, computing: DType, dtype: DType) -> Interval:
    """Numbers rounded to the dtype that was computed in, then to that of the result."""
    return x.map(lambda a: a if a.dtype == np.bool_ else cast(a.astype(computing), dtype))


def total(x: Interval, axes: Sequence[int], keepdims: bool) -> Interval:
    """The sum of floats along axes."""
    dtype = x.low.dtype
    return rounded(_along(x, axes, keepdims), computing_dtype(dtype), dtype)


def mean(x: Interval, axes: Sequence[int], keepdims: bool) -> Interval:
    """The sum along axes, divided by the count."""
    dtype = x.low.dtype
    computing = computing_dtype(dtype)
    count = computing.type(prod(x.low.shape[axis] for axis in axes))
    summed = rounded(_along(x, axes, keepdims), computing, computing)
    quotient = Interval(summed.low / count, summed.high / count, summed.nan)
    return with_zeros(rounded(quotient, computing, dtype))


def matrix_product(a: Interval, b: Interval) -> Interval:
    """`[.., M, K] @ [.., K, N]`, each product rounded or fused with its sum."""
    dtype = a.low.dtype
    left = widened(a).map(lambda x: x[..., :, None, :])
    right = widened(b).map(lambda x: np.swapaxes(x, -1, -2)[..., None, :, :])
    shape = np.broadcast_shapes(left.low.shape, right.low.shape)
    left = left.map(lambda x: np.broadcast_to(x, shape))
    right = right.map(lambda x: np.broadcast_to(x, shape))
    computing = computing_dtype(dtype)
    summed = _sum(applied(np.multiply, left, right), computing, 1)
    # A product that underflows keeps its sign where it is fused with a sum of 0, and not where it is added.
    return with_zeros(rounded(summed, computing, dtype))


def _along(x: Interval, axes: Sequence[int], keepdims: bool) -> Interval:
    kept = [axis for axis in range(x.low.ndim) if axis not in axes]
    sizes = [x.low.shape[axis] for axis in kept]
    terms = widened(x).map(lambda a: np.transpose(a, (*kept, *axes)).reshape((*sizes, -1)))
    result = _sum(terms, computing_dtype(x.low.dtype), 0)
    shape = [1 if axis in axes else n for axis, n in enumerate(x.low.shape)]
    return result.map(lambda a: a.reshape(shape)) if keepdims else result


def _sum(terms: Interval, dtype: DType, products: int) -> Interval:
    """Sums along the last axis in any order; `products` more roundings for each term."""
    low, high = (np.where(np.isnan(end), 0.0, end) for end in (terms.low, terms.high))
    finite_low, finite_high = (np.where(np.isfinite(end), end, 0.0) for end in (low, high))
    magnitude = np.maximum(np.abs(finite_low), np.abs(finite_high)).sum(axis=-1)
    count = low.shape[-1]
    unit = np.ldexp(np.longdouble(1), -bits(dtype))
    error = magnitude * ((count + products) * unit * _SLACK)
    error = error + products * count * np.ldexp(np.longdouble(1), least(dtype))
    error = np.where(_is_exact(terms, magnitude, dtype), 0, error)
    above = np.maximum(finite_high, 0).sum(axis=-1) + error
    below = np.maximum(-finite_low, 0).sum(axis=-1) + error
    largest = np.longdouble(np.finfo(dtype).max)
    may_above = (high == np.inf).any(axis=-1) | (above > largest)
    may_below = (low == -np.inf).any(axis=-1) | (below > largest)
    must_above, must_below = (low == np.inf).any(axis=-1), (high == -np.inf).any(axis=-1)
    least_sum = np.where(may_below, -np.inf, finite_low.sum(axis=-1) - error)
    most_sum = np.where(may_above, np.inf, finite_high.sum(axis=-1) + error)
    none = np.isnan(terms.low).any(axis=-1) | (must_above & must_below)
    result = Interval(
        np.where(none, np.nan, np.where(must_above, np.inf, least_sum)),
        np.where(none, np.nan, np.where(must_below, -np.inf, most_sum)),
        terms.nan.any(axis=-1) | (may_above & may_below),
    )
    return with_zeros(result)


def _is_exact(terms: Interval, magnitude: Array, dtype: DType) -> Array:
    """Where all terms are known multiples of one unit, and every sum of them has room in the dtype."""
    _, exponent = np.frexp(magnitude)
    unit = np.maximum(exponent - bits(dtype), least(dtype))[..., None]
    whole = np.ldexp(np.where(np.isfinite(terms.low), terms.low, 0.0), -unit)
    return np.asarray(((np.rint(whole) == whole) & (terms.low == terms.high)).all(axis=-1))


def softmax(x: Interval, axis: int) -> Interval:
    """`exp(x - max) / sum(exp(x - max))`: exp errs by 2 units, the other steps by half of one."""
    dtype = x.low.dtype
    computing = computing_dtype(dtype)
    wide = widened(x).map(lambda a: np.moveaxis(a, axis, -1))
    low, high = wide.low, wide.high
    with np.errstate(all="ignore"):
        peak = np.fmax.reduce(high, axis=-1, keepdims=True)
        peak = np.where(np.isfinite(peak), peak, 0.0)
        least_power, most_power = np.exp(low - peak), np.exp(high - peak)
        least_share = least_power / (least_power + _others(most_power))
        most_share = most_power / (most_power + _others(least_power))
        distance = np.where(np.isfinite(low), np.abs(low - peak), 0.0)
    # Of each exponential, and of their sum: the difference and its effect, exp, the additions.
    unit = np.ldexp(np.longdouble(1), -bits(computing))
    relative = unit * (distance + 5 + low.shape[-1] + 5 + np.minimum(distance, 1) + 1) * _SLACK
    smallest = 4 * np.ldexp(np.longdouble(1), least(computing))
    spread = Interval(
        np.fmax(least_share * (1 - relative) - smallest, 0.0),
        np.fmin(most_share * (1 + relative) + smallest, 1 + relative),
        np.zeros(low.shape, np.bool_),
    )
    rows = _rows(wide, spread)
    return rounded(rows, computing, dtype).map(lambda a: np.moveaxis(a, -1, axis))


def _others(x: Array) -> Array:
    """For each element of a row the sum of the others."""
    return np.asarray((x[..., None, :] * ~np.eye(x.shape[-1], dtype=np.bool_)).sum(axis=-1))


def _rows(x: Interval, spread: Interval) -> Interval:
    """The shares; where a row is or may be masked or spoilt, what numerics.md says."""

    def whole(condition: Array, reduce: np.ufunc) -> Array:
        return np.broadcast_to(reduce.reduce(condition, axis=-1, keepdims=True), condition.shape)

    masked = whole(x.high == -np.inf, np.logical_and) & ~whole(x.nan, np.logical_or)
    spoilt = whole(np.isnan(x.low) | (x.low == np.inf), np.logical_or)
    certain = ~whole(x.nan | ((x.high == np.inf) | (x.low == -np.inf)) & ~x.exact, np.logical_or)
    nothing, nan = np.zeros(x.low.shape, np.longdouble), np.full(x.low.shape, np.longdouble("nan"))
    zero_or_more = Interval(nothing, nothing + 1, np.ones(x.low.shape, np.bool_))
    result = chosen(certain, spread, zero_or_more)
    return chosen(spoilt, one(nan), chosen(masked, one(nothing), result))
