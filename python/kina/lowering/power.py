"""Powers, by IEEE 754's rules. At most 2 units in the last place off."""

from __future__ import annotations

from math import inf, nan

from xdsl.dialects.builtin import Float64Type, f64

from kina.lowering.elementary import elementary, horner, layout
from kina.lowering.exponential import exp, exp_of_sum
from kina.lowering.logarithm import log, split
from kina.lowering.scalar import Scalar

# 2/3 is the sum of these.
_TWO_THIRDS = (0.6666666666666666, 3.700743415417188e-17)
# `log(1 + f) = 2 s + 2/3 s^3 + s^5 tail(s^2)` with `s = f / (2 + f)`. Relative error: 2^-66.
_TAIL = (
    0.40000000000002256,
    0.2857142857009843,
    0.22222222520130516,
    0.1818178434866843,
    0.15386758195152542,
    0.1325679730072706,
    0.13196521544155673,
)


def _pow(x: Scalar, y: Scalar) -> Scalar:
    if isinstance(x.type, Float64Type):
        return _with_exceptions(x, y, _power_f64(x.absolute(), y))
    # In F64, the error is that of rounding the result to F32.
    wide = exp(y.extend(f64) * log(x.absolute().extend(f64)))
    return _with_exceptions(x, y, wide.truncate(x.type))


pow = elementary("pow", _pow)


def _with_exceptions(x: Scalar, y: Scalar, magnitude: Scalar) -> Scalar:
    """`|x|` to the power y, with the sign that x and y ask for, and where it is no such thing."""
    whole = y.compare("eq", y.floor())
    half = y * 0.5
    odd = whole & half.compare("ne", half.floor())
    negative = x.like(1.0).copysign(x).compare("lt", 0.0)
    result = (odd & negative).select(-magnitude, magnitude)
    undefined = x.compare("lt", 0.0) & x.compare("gt", -inf) & y.compare("ne", y.floor())
    result = undefined.select(nan, result)
    one = x.compare("eq", 1.0) | y.compare("eq", 0.0)
    one = one | (x.compare("eq", -1.0) & y.absolute().compare("eq", inf))
    return one.select(1.0, result)


def _power_f64(a: Scalar, y: Scalar) -> Scalar:
    """`exp(y log(a))` for `a >= 0`, with log(a) and its product with y in two parts each.

    The exponent reaches 745, so that an error of it must be 2^-62 of its size to do no harm.
    """
    high, low = _log(a)
    product = y * high
    error = y.fma(high, -product) + y * low
    # Beyond, the result is 0 or infinite, and the error may be no number.
    near = product.absolute().compare("lt", 800.0)
    return exp_of_sum(product, near.select(error, 0.0))


def _log(a: Scalar) -> tuple[Scalar, Scalar]:
    """The logarithm in two parts: `e log(2) + log(1 + f)` with `a = 2^e (1 + f)`."""
    c = layout(f64)
    e, f = split(a, c)
    s, s_low = _quotient(f)
    # s^3 and 2/3 s^3 in two parts; from s^5 on, one is enough.
    square = s * s
    square_low = s.fma(s, -square) + s * s_low * 2.0
    cube = square * s
    cube_low = square.fma(s, -cube) + square.fma(s_low, square_low * s)
    third = cube * _TWO_THIRDS[0]
    third_low = cube.fma(_TWO_THIRDS[0], -third)
    third_low = third_low + cube.fma(_TWO_THIRDS[1], cube_low * _TWO_THIRDS[0])
    tail = (cube * square).fma(horner(square, _TAIL), third_low)
    high, low = _fast_sum(s * 2.0, third)
    low = low + (s_low * 2.0 + tail)
    high, rounding = _fast_sum(e * c.ln2_high, high)
    high, low = _fast_sum(high, rounding + e.fma(c.ln2_low, low))
    finite = a.compare("lt", inf) & a.compare("gt", 0.0)
    limit = a.compare("eq", 0.0).select(-inf, a)
    return finite.select(high, limit), finite.select(low, 0.0)


def _quotient(f: Scalar) -> tuple[Scalar, Scalar]:
    """`f / (2 + f)` in two parts."""
    divisor = f + 2.0
    divisor_low = f - (divisor - 2.0)
    s = f / divisor
    rest = (-s).fma(divisor, f) - s * divisor_low
    return s, rest / divisor


def _fast_sum(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """`a + b` and its error, for `|a| >= |b|` or `a = 0`."""
    total = a + b
    return total, (a - total) + b
