"""The meaning of operations along axes: reductions, softmax, argmax.

F32 sums are taken in F64 and rounded, as the nearest F32 to what any order of the sum gives; F16
and BF16 round that F32 once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from kina.oracle.arrays import Array, DType, computing_dtype, is_float, widen
from kina.oracle.elementwise import cast


def total(x: Array, axes: Sequence[int], keepdims: bool) -> Array:
    """The sum along `axes`: integers wrap, 0 over nothing."""
    return cast(_computed_sum(x, axes, keepdims), x.dtype)


def mean(x: Array, axes: Sequence[int], keepdims: bool) -> Array:
    """The sum divided by the count; NaN over nothing."""
    count = prod(x.shape[axis] for axis in axes)
    summed = _computed_sum(x, axes, keepdims)
    return cast(np.divide(summed, summed.dtype.type(count)), x.dtype)


def _computed_sum(x: Array, axes: Sequence[int], keepdims: bool) -> Array:
    wide = np.dtype(np.float64) if is_float(x.dtype) else x.dtype
    summed = np.asarray(np.sum(x.astype(wide), axis=tuple(axes), dtype=wide, keepdims=keepdims))
    return summed.astype(computing_dtype(x.dtype))


def largest(x: Array, axes: Sequence[int], keepdims: bool) -> Array:
    """The maximum along `axes`; NaN where any is NaN; -inf or the least integer over nothing."""
    lowest = -np.inf if is_float(x.dtype) else np.iinfo(x.dtype).min
    along: dict[str, Any] = {"axis": tuple(axes), "keepdims": keepdims}
    found = np.asarray(np.max(widen(x), initial=lowest, **along))
    if is_float(x.dtype):
        # Of a row's zeros NumPy takes either; 0.0 is the larger.
        positive = np.any((x == 0) & ~np.signbit(x), **along)
        found = np.where(found == 0, np.where(positive, 0.0, -0.0), found)
    return found.astype(x.dtype)


def smallest(x: Array, axes: Sequence[int], keepdims: bool) -> Array:
    """The minimum along `axes`; NaN where any is NaN; inf or the largest integer over nothing."""
    if is_float(x.dtype):
        return np.asarray(np.negative(largest(-x, axes, keepdims)))
    highest = np.iinfo(x.dtype).max
    return np.asarray(np.min(x, axis=tuple(axes), keepdims=keepdims, initial=highest))


def softmax(x: Array, axis: int) -> Array:
    """`exp(x - max) / sum(exp(x - max))` along `axis`.

    Zeros for a row that is all -inf; a NaN, or an inf, makes its row NaN.
    """
    wide = x.astype(np.float64)
    peak = np.max(wide, axis=axis, keepdims=True, initial=-np.inf)
    empty = peak == -np.inf
    powers = np.exp(wide - np.where(empty, 0.0, peak))
    share = powers / np.where(empty, 1.0, np.sum(powers, axis=axis, keepdims=True))
    return cast(share.astype(computing_dtype(x.dtype)), x.dtype)


def argmax(x: Array, axis: int) -> Array:
    """The I64 index of the first NaN, else the lowest index of the maximum."""
    return np.asarray(np.argmax(widen(x), axis=axis)).astype(np.int64)


def iota(dtype: DType, shape: Sequence[int], axis: int) -> Array:
    """The index along `axis`, cast to `dtype`."""
    line = cast(np.arange(shape[axis], dtype=np.int64), dtype)
    sizes = [size if i == axis else 1 for i, size in enumerate(shape)]
    return np.broadcast_to(line.reshape(sizes), tuple(shape)).copy()
