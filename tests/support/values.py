"""Arrays of each dtype that tests feed to operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from kina.sizes import Size, Symbol, value

Array: TypeAlias = NDArray[Any]

DTYPES: Mapping[str, np.dtype[Any]] = {
    "F64": np.dtype(np.float64),
    "F32": np.dtype(np.float32),
    "F16": np.dtype(np.float16),
    "BF16": np.dtype(ml_dtypes.bfloat16),
    "I64": np.dtype(np.int64),
    "I32": np.dtype(np.int32),
    "I8": np.dtype(np.int8),
    "Bool": np.dtype(np.bool_),
}
FLOATS = ("F64", "F32", "F16", "BF16")
INTEGERS = ("I64", "I32", "I8")
NUMBERS = FLOATS + INTEGERS
ALL = (*NUMBERS, "Bool")

SIGNIFICAND_BITS: Mapping[str, int] = {"F64": 53, "F32": 24, "F16": 11, "BF16": 8}
"""Bits of precision, the hidden one included."""
LEAST_EXPONENT: Mapping[str, int] = {"F64": -1074, "F32": -149, "F16": -24, "BF16": -133}
"""The least positive denormal is 2 to this power."""


def dtype_name(dtype: np.dtype[Any]) -> str:
    """Kina's name of a NumPy dtype."""
    return next(name for name, known in DTYPES.items() if known == dtype)


def _largest(name: str) -> float:
    """All bits of the significand set, at the largest exponent."""
    exponent = 15 if name == "F16" else 1023 if name == "F64" else 127
    return float(2.0**exponent * (2.0 - 2.0 ** (1 - SIGNIFICAND_BITS[name])))


def special(name: str) -> Array:
    """The values at which implementations go wrong, once each."""
    dtype = DTYPES[name]
    if name == "Bool":
        return np.array([False, True])
    if name in INTEGERS:
        limits = np.iinfo(dtype)
        extremes = [limits.min, limits.min + 1, limits.max - 1, limits.max]
        return np.array([0, 1, -1, 2, -2, 3, -3, 7, -7, 10, 100, *extremes], dtype)
    least = 2.0 ** LEAST_EXPONENT[name]
    normal = 2.0 ** (LEAST_EXPONENT[name] + SIGNIFICAND_BITS[name] - 1)
    above_one = 1.0 + 2.0 ** (1 - SIGNIFICAND_BITS[name])
    plain = [0.0, 1.0, 0.5, 1.5, 2.5, 3.0, 7.0, 10.0, 100.0, above_one, 1.0 / 3.0]
    edges = [least, 3 * least, normal, _largest(name), np.inf]
    positive = [*plain, *edges]
    return np.array([*positive, *(-x for x in positive), np.nan], dtype)


def pairs(name: str) -> tuple[Array, Array]:
    """Every pair of special values, as two arrays of rank 1."""
    values = special(name)
    a, b = zip(*product(range(len(values)), repeat=2))
    return values[list(a)], values[list(b)]


def random(name: str, shape: Sequence[int], seed: int = 0, scale: float = 4.0) -> Array:
    """Reproducible values: floats in `-scale .. scale`, any integer, either Bool."""
    generator = np.random.default_rng([seed, *shape])
    dtype = DTYPES[name]
    if name == "Bool":
        return generator.integers(0, 2, shape).astype(dtype)
    if name in INTEGERS:
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return np.asarray(generator.uniform(-scale, scale, shape)).astype(dtype)


def small_integers(name: str, shape: Sequence[int], seed: int = 0, limit: int = 3) -> Array:
    """Whole numbers in `-limit .. limit` of any dtype, whose sums and products are exact."""
    generator = np.random.default_rng([seed, *shape])
    return np.asarray(generator.integers(-limit, limit, shape, endpoint=True)).astype(DTYPES[name])


def distinct(name: str, shape: Sequence[int], start: int = 0) -> Array:
    """Values that tell elements apart, as far as the dtype can: 0, 1, 2, ..."""
    count = np.arange(start, start + int(np.prod(shape))).reshape(shape)
    return (count % 3 == 0) if name == "Bool" else (count % 120).astype(DTYPES[name])


def some_sizes(open_: Sequence[Symbol]) -> list[dict[str, int]]:
    """Open dimensions at the least, a middling and the greatest of their sizes; all at once."""
    if not open_:
        return [{}]
    picks = [lambda s: s.least, lambda s: (s.least + s.most) // 2, lambda s: s.most]
    return [{s.name: pick(s) for s in open_} for pick in picks]


def shape_at(shape: Sequence[Size], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """A shape where the open dimensions have these sizes."""
    return tuple(value(size, sizes) for size in shape)
