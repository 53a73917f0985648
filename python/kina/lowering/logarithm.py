"""The natural logarithm. At most 2 units in the last place off."""

from __future__ import annotations

from math import inf, nan

from xdsl.dialects.builtin import Float64Type

from kina.lowering.elementary import Layout, elementary, horner, layout, small_integer
from kina.lowering.scalar import Scalar

# `log(1 + f) = f - f^2 / 2 + f^3 tail(f)` for 1 + f in sqrt(1/2) .. sqrt(2). Relative error: 2^-27.4.
_TAIL_F32 = (
    0.3333333,
    -0.25000823,
    0.20001228,
    -0.16623336,
    0.14201716,
    -0.13160358,
    0.12761983,
    -0.076345265,
)
# `log(1 + f) = 2 s + s^3 tail(s^2)` with `s = f / (2 + f)`, same range. Relative error: 2^-59.5.
_TAIL_F64 = (
    0.6666666666666734,
    0.39999999999413965,
    0.2857142874256295,
    0.22222198553656827,
    0.18183565415305203,
    0.15314020889262459,
    0.14796263643828017,
)


# The bits of sqrt(1/2) as F32 and as F64, by the length of the fraction.
_ROOT_OF_HALF = {23: 0x3F3504F3, 52: 0x3FE6A09E667F3BCD}


def _log(x: Scalar) -> Scalar:
    """`e log(2) + log(1 + f)` with `x = 2^e (1 + f)`."""
    c = layout(x.type)
    e, f = split(x, c)
    if isinstance(x.type, Float64Type):
        half = f * f * 0.5
        s = f / (f + 2.0)
        square = s * s
        r = square * horner(square, _TAIL_F64)
        # log(1 + f) = f - (half - s (half + r)): the largest term is exact.
        low = (half + r).fma(s, e * c.ln2_low)
        result = e.fma(c.ln2_high, f - (half - low))
    else:
        low = f * f * horner(f, _TAIL_F32).fma(f, -0.5)
        result = e.fma(c.ln2_high, f + e.fma(c.ln2_low, low))
    result = x.compare("lt", inf).select(result, x)
    result = x.compare("eq", 0.0).select(-inf, result)
    return x.compare("lt", 0.0).select(nan, result)


def split(x: Scalar, c: Layout) -> tuple[Scalar, Scalar]:
    """`e, f` with `x = 2^e (1 + f)` and 1 + f in sqrt(1/2) .. sqrt(2), for a positive finite x."""
    tiny = x.compare("lt", 2.0 ** (1 - c.bias))
    normal = tiny.select(x * 2.0**c.mantissa, x)
    root = _ROOT_OF_HALF[c.mantissa]
    shifted = normal.bits(c.bits) - root
    exponent = shifted >> c.mantissa
    fraction = (shifted & ((1 << c.mantissa) - 1)) + root
    e = small_integer(exponent, x) - tiny.select(x.like(float(c.mantissa)), 0.0)
    return e, fraction.bits(x.type) - 1.0


log = elementary("log", _log)
