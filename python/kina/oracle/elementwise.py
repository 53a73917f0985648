"""The meaning of operations that act on each element by itself.

Arrays in, arrays out; operands have one shape. F16 and BF16 compute in F32 and round once. The
elementary functions of F32 are computed in F64 and rounded, so that they are the nearest F32 in
all but a few cases; those of F64 are NumPy's own.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from kina.oracle.arrays import BFLOAT16, Array, DType, computing_dtype, is_float, widen

Unary: TypeAlias = Callable[[Array], Array]
Binary: TypeAlias = Callable[[Array, Array], Array]


def elementary(function: Unary, x: Array) -> Array:
    """`function`, given and giving F64, on floats of any dtype."""
    result = function(x.astype(np.float64))
    return cast(result.astype(computing_dtype(x.dtype)), x.dtype)


def neg(x: Array) -> Array:
    return np.negative(x)


def absolute(x: Array) -> Array:
    return np.absolute(x)


def logical_not(x: Array) -> Array:
    return np.logical_not(x)


def rounded(function: Unary, x: Array) -> Array:
    """`function`, which gives whole numbers, on floats of any dtype: exact."""
    return cast(function(widen(x)), x.dtype)


def sign(x: Array) -> Array:
    """-1, 0 or 1; a zero and a NaN stay themselves."""
    one = np.ones_like(x)
    return np.where(x > 0, one, np.where(x < 0, np.negative(one), x))


def is_nan(x: Array) -> Array:
    return np.isnan(widen(x))


def is_infinite(x: Array) -> Array:
    return np.isinf(widen(x))


def rsqrt(x: Array) -> Array:
    """`1 / sqrt(x)`: inf at 0, -inf at -0."""
    return elementary(lambda y: 1.0 / np.sqrt(y), x)


def sigmoid(x: Array) -> Array:
    """`1 / (1 + exp(-x))`, without the overflow of `exp` for large negative x."""

    def stable(y: Array) -> Array:
        small = np.exp(-np.abs(y))
        return np.where(y < 0, small, 1.0) / (1.0 + small)

    return elementary(stable, x)


def erf(x: Array) -> Array:
    """The error function, as the C library computes it."""
    each = np.frompyfunc(math.erf, 1, 1)
    return elementary(lambda y: np.asarray(each(y), dtype=np.float64), x)


ELEMENTARY: Mapping[str, Unary] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
}
"""Functions of F64 that `elementary` carries to the other dtypes."""


def arithmetic(function: Binary, a: Array, b: Array) -> Array:
    """`+ - *`, or a float operation: integers wrap, F16 and BF16 round once."""
    return cast(function(widen(a), widen(b)), a.dtype)


def larger(a: Array, b: Array) -> Array:
    """The maximum; NaN where either is; 0.0 is larger than -0.0."""
    return _with_zeros(np.maximum(a, b), a + b, a, b)


def smaller(a: Array, b: Array) -> Array:
    """The minimum; NaN where either is; -0.0 is smaller than 0.0."""
    return _with_zeros(np.minimum(a, b), -(-a - b), a, b)


def _with_zeros(found: Array, of_zeros: Array, a: Array, b: Array) -> Array:
    """NumPy takes either of two zeros, whatever their signs."""
    return np.where((a == 0) & (b == 0), of_zeros, found)


def divide(a: Array, b: Array) -> Array:
    """`a / b`; integers truncate toward zero, wrap, and give 0 for a divisor of 0."""
    if is_float(a.dtype):
        return arithmetic(np.divide, a, b)
    plain = np.where((b == 0) | (b == -1), np.ones_like(b), b)
    quotient = (a - np.fmod(a, plain)) // plain
    return np.where(b == 0, np.zeros_like(a), np.where(b == -1, np.negative(a), quotient))


def remainder(a: Array, b: Array) -> Array:
    """`a - b * trunc(a / b)`, of the sign of `a`; integers give 0 for a divisor of 0."""
    if is_float(a.dtype):
        return arithmetic(np.fmod, a, b)
    return np.fmod(a, np.where((b == 0) | (b == -1), np.ones_like(b), b))


def power(a: Array, b: Array) -> Array:
    """`a` to the power `b`, as IEEE 754's pow."""
    result = np.power(a.astype(np.float64), b.astype(np.float64))
    return cast(result.astype(computing_dtype(a.dtype)), a.dtype)


COMPARISONS: Mapping[str, Callable[[Array, Array], Array]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def compare(predicate: str, a: Array, b: Array) -> Array:
    """A Bool for each element; every predicate but `ne` is false at a NaN."""
    return np.asarray(COMPARISONS[predicate](widen(a), widen(b)))


def select(condition: Array, a: Array, b: Array) -> Array:
    """`a` where the condition holds, else `b`."""
    return np.where(condition, a, b)


def cast(x: Array, dtype: DType) -> Array:
    """The nearest value of another dtype.

    Float to float and integer to float round once, to nearest even. Float to integer truncates
    toward zero, saturates, and gives 0 for NaN. Integer to integer wraps. To Bool is `x != 0`.
    """
    if x.dtype == dtype:
        return x
    if dtype == np.bool_:
        return np.asarray(x != np.zeros((), x.dtype))
    if is_float(x.dtype) and not is_float(dtype):
        return _saturate(x.astype(np.float64), dtype)
    if dtype == BFLOAT16 and x.dtype == np.float64:
        return _round_to_odd(x).astype(dtype)
    if dtype == BFLOAT16 and np.issubdtype(x.dtype, np.integer):
        return _integer_round_to_odd(x.astype(np.int64)).astype(dtype)
    return x.astype(dtype)


def _saturate(x: Array, dtype: DType) -> Array:
    limits = np.iinfo(dtype)
    above, below = x >= -float(limits.min), x <= float(limits.min)
    inside = np.where(above | below | np.isnan(x), 0.0, x).astype(dtype)
    return np.where(above, dtype.type(limits.max), np.where(below, dtype.type(limits.min), inside))


def _round_to_odd(x: Array) -> Array:
    """F64 as F32 that, where inexact, has an odd last bit.

    A second rounding, to BF16, then gives what one rounding of `x` would: Boldo and Melquiond,
    "Emulation of FMA and correctly rounded sums", 2008.
    """
    nearest = np.asarray(x.astype(np.float32))
    even = (nearest.view(np.int32) & 1) == 0
    inexact = (nearest.astype(np.float64) != x) & ~np.isnan(x)
    return np.where(inexact & even, np.nextafter(nearest, _toward(nearest, x)), nearest)


def _toward(nearest: Array, x: Array) -> Array:
    return np.where(nearest.astype(np.float64) < x, np.inf, -np.inf).astype(np.float32)


def _integer_round_to_odd(x: Array) -> Array:
    """I64 as F64 that keeps, where inexact, an odd last bit; then the same to F32."""
    low = x & 0xFFFF_FFFF
    high = (x - low).astype(np.float64)  # a multiple of 2**32: exact
    # In 2**32 there is room for 53 - 32 bits below, so only the sum can round.
    total = high + low.astype(np.float64)
    error = (high - total) + low.astype(np.float64)
    even = (np.asarray(total).view(np.int64) & 1) == 0
    toward = np.where(error > 0, np.inf, -np.inf)
    return _round_to_odd(np.where((error != 0) & even, np.nextafter(total, toward), total))
