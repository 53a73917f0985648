"""What elementary functions may give: the exact result, and the error that numerics.md states."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from interval import Interval, anything, applied, chosen
from sums import bits, least, rounded, widened

from kina.oracle.arrays import computing_dtype
from support.values import Array

ULPS: Mapping[str, float] = {
    "exp": 2,
    "log": 2,
    "rsqrt": 1.5,
    "tanh": 2,
    "sigmoid": 3,
    "sin": 2,
    "cos": 2,
    "erf": 2,
}
"""The stated errors, in units in the last place of F32 and F64."""

POWER_ULPS: Mapping[str, float] = {"float32": 0.51, "float64": 2}


def _sigmoid(x: Array) -> Array:
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, small, 1.0) / (1.0 + small))


def _erf(x: Array) -> Array:
    """By the C library, which errs by less than one unit of F64: a third of what is allowed there."""
    each = np.frompyfunc(lambda value: math.erf(float(value)), 1, 1)
    return np.asarray(each(x), np.longdouble)


_MONOTONE: Mapping[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "log": np.log,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "tanh": np.tanh,
    "sigmoid": _sigmoid,
    "erf": _erf,
}


def monotone(name: str, x: Interval) -> Interval:
    """A function whose extremes lie at the ends."""
    return _widened_by(ULPS[name] + (name == "erf"), applied(_MONOTONE[name], widened(x)), x)


def wave(name: str, x: Interval) -> Interval:
    """sin or cos, whose slope is at most 1."""
    function = {"sin": np.sin, "cos": np.cos}[name]
    wide = widened(x)
    middle = (wide.low + wide.high) / 2
    radius = (wide.high - wide.low) / 2
    center = function(middle)
    unknown = ~np.isfinite(middle) | ~np.isfinite(radius)
    around = Interval(
        np.where(unknown, -1, np.maximum(center - radius, -1)),
        np.where(unknown, 1, np.minimum(center + radius, 1)),
        x.nan | np.isinf(wide.low) | np.isinf(wide.high),
    )
    exact = Interval(center, center, np.isnan(center))
    return _widened_by(ULPS[name], chosen(x.exact, exact, around), x)


ELEMENTARY: Mapping[str, Callable[[Interval], Interval]] = {
    **{name: partial(monotone, name) for name in _MONOTONE},
    **{name: partial(wave, name) for name in ("sin", "cos")},
}


def power(a: Interval, b: Interval) -> Interval:
    """`pow`, which is monotone in each operand for bases of 0 and above."""
    dtype = a.low.dtype
    known = a.exact & b.exact
    tame = known | ((a.low >= 0) & ~np.signbit(a.low) & ~a.nan & ~b.nan)
    exact = applied(np.power, widened(a), widened(b))
    ulps = POWER_ULPS[computing_dtype(dtype).name]
    return chosen(tame, _widened_by(ulps, exact, a), anything(dtype, a.low.shape))


def _widened_by(ulps: float, exact: Interval, operand: Interval) -> Interval:
    """Rounded with an error of so many units in the last place of the exact result.

    0, infinities and NaN are given exactly, and no result has the wrong sign.
    """
    dtype = operand.low.dtype
    computing = computing_dtype(dtype)
    # The units of F64 are those of a reference that errs a little itself.
    ulps *= 1 + 2.0**-9

    def moved(end: Array, by: float) -> Array:
        _, exponent = np.frexp(np.where(np.isfinite(end), end, 0.0))
        unit = np.ldexp(np.longdouble(1), np.maximum(exponent - bits(computing), least(computing)))
        result = np.where(np.isfinite(end) & (end != 0), end + by * unit, end)
        return np.asarray(np.where(result * np.sign(end) < 0, 0 * end, result))

    spread = Interval(moved(exact.low, -ulps), moved(exact.high, ulps), exact.nan)
    return rounded(spread, computing, dtype)
