"""Rounding by rational arithmetic: what IEEE 754 says, without NumPy's or ml_dtypes' code."""

from __future__ import annotations

import math
from fractions import Fraction

from support.values import LEAST_EXPONENT, SIGNIFICAND_BITS

MOST_EXPONENT = {"F64": 1024, "F32": 128, "F16": 16, "BF16": 128}
"""Finite values are less than 2 to this power."""


def nearest(exact: Fraction, dtype: str, zero: float = 0.0) -> float:
    """The float of `dtype` nearest to `exact`, ties to even; `zero` gives a zero its sign."""
    if exact == 0:
        return zero
    magnitude = abs(exact)
    exponent = _floor_log2(magnitude)
    unit = max(exponent - SIGNIFICAND_BITS[dtype] + 1, LEAST_EXPONENT[dtype])
    units = round(magnitude / Fraction(2) ** unit)  # Python rounds a tie to the even integer
    sign = 1.0 if exact > 0 else -1.0
    if units * Fraction(2) ** unit >= Fraction(2) ** MOST_EXPONENT[dtype]:
        return sign * math.inf
    return sign * math.ldexp(float(units), unit)


def _floor_log2(value: Fraction) -> int:
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1
