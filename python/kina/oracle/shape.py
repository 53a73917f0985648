"""The meaning of operations that move elements and compute nothing.

`reshape`, `transpose`, `broadcast` and `block` may return a view of their operand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import TypeAlias

import numpy as np

from kina.oracle.arrays import Array


def reshape(x: Array, shape: Sequence[int]) -> Array:
    """The same elements in row-major order under another shape."""
    return x.reshape(tuple(shape))


def transpose(x: Array, perm: Sequence[int]) -> Array:
    """Axis `i` of the result is axis `perm[i]` of `x`."""
    return np.transpose(x, tuple(perm))


def broadcast(x: Array, shape: Sequence[int]) -> Array:
    """Pads unit axes on the left, then stretches unit axes to `shape`."""
    return np.broadcast_to(x, tuple(shape))


def concat(parts: Sequence[Array], axis: int) -> Array:
    """The parts one after the other along `axis`."""
    return np.concatenate(list(parts), axis=axis)


_Index: TypeAlias = tuple[slice | EllipsisType, ...]


def _box(starts: Iterable[int], sizes: Sequence[int]) -> _Index:
    """The index of a box; the ellipsis keeps an array of rank 0 an array."""
    return (*(slice(start, start + size) for start, size in zip(starts, sizes)), ...)


def _clamped(whole: Sequence[int], sizes: Sequence[int], at: Sequence[int]) -> _Index:
    return _box((min(max(i, 0), n - m) for i, n, m in zip(at, whole, sizes)), sizes)


def block(x: Array, at: Sequence[int], sizes: Sequence[int]) -> Array:
    """The block of shape `sizes` that begins at `at`, clamped so that the block fits."""
    return x[_clamped(x.shape, sizes, at)]


def update(x: Array, part: Array, at: Sequence[int], in_place: bool = False) -> Array:
    """`x` with `part` written at `at`, clamped so that the part fits.

    `in_place` writes into `x` itself, for a caller that has no other use of it.
    """
    result = x if in_place else x.copy()
    result[_clamped(x.shape, part.shape, at)] = part
    return result


def pad(x: Array, value: Array, low: Sequence[int], high: Sequence[int]) -> Array:
    """`low[i]` and `high[i]` copies of the scalar `value` before and after axis `i`."""
    shape = [a + n + b for a, n, b in zip(low, x.shape, high)]
    result = np.full(shape, value, dtype=x.dtype)
    result[_box(low, x.shape)] = x
    return result


def gather(table: Array, ids: Array) -> Array:
    """Row `ids[i..]` of `table` for each id, clamped to the table."""
    return np.take(table, ids, axis=0, mode="clip")
