"""exp, and what is made of it: sigmoid and tanh. At most 2 units in the last place off."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import Float64Type

from kina.lowering.elementary import Layout, elementary, horner, layout
from kina.lowering.scalar import Scalar


@dataclass(frozen=True)
class _Exp:
    low: float
    """Below this the result is 0."""
    high: float
    """Above this the result is infinite."""
    tail: tuple[float, ...]
    """`exp(r) = 1 + r + r^2 tail(r)` for |r| <= log(2) / 2."""


# Relative error of exp(r): 3.1e-9, a twentieth of a unit in the last place.
_EXP_F32 = _Exp(-104.0, 89.0, (0.49999994, 0.1666652, 0.041668393, 0.008368781, 0.0013814475))
# Relative error of exp(r): 3.7e-18.
_EXP_F64 = _Exp(
    -746.0,
    710.0,
    (
        0.5000000000000011,
        0.1666666666666641,
        0.041666666666529184,
        0.008333333333495625,
        0.0013888888943923378,
        0.00019841269504756358,
        2.4801492762002333e-05,
        2.7557587354280988e-06,
        2.763037890494334e-07,
        2.4999960462135087e-08,
    ),
)

LOG2_E = 1.4426950408889634


def exp_of_sum(x: Scalar, low: Scalar | None = None) -> Scalar:
    """`exp(x + low)` for a `low` far below x: `2^n exp(r)` with `x + low = n log(2) + r`.

    2^n is applied as two factors, since n reaches beyond the exponents of normal numbers: the
    first product is exact, the second rounds once, to a denormal or infinity where need be. A
    comparison with a NaN is false, so that a NaN passes the clamps.
    """
    c, p = layout(x.type), _EXP_F64 if isinstance(x.type, Float64Type) else _EXP_F32
    x = x.compare("lt", p.low).select(p.low, x)
    x = x.compare("gt", p.high).select(p.high, x)
    shifted = x.fma(LOG2_E, c.magic)
    n = shifted - c.magic
    r = n.fma(-c.ln2_low, n.fma(-c.ln2_high, x))
    r = r if low is None else r + low
    return scaled(horner(r, p.tail).fma(r, 1.0).fma(r, 1.0), shifted.bits(c.bits) - c.magic_bits)


def scaled(x: Scalar, n: Scalar) -> Scalar:
    """`x 2^n` for x near 1, rounded once."""
    c = layout(x.type)
    half = n >> 1
    return x * _power_of_two(half, c, x) * _power_of_two(n - half, c, x)


def _power_of_two(n: Scalar, c: Layout, like: Scalar) -> Scalar:
    return ((n + c.bias) << c.mantissa).bits(like.type)


exp = elementary("exp", exp_of_sum)


def _sigmoid(x: Scalar) -> Scalar:
    """`1 / (1 + e)` or `e / (1 + e)` with `e = exp(-|x|)`, which never overflows."""
    e = exp(-x.absolute())
    return x.compare("lt", 0.0).select(e, 1.0) / (e + 1.0)


sigmoid = elementary("sigmoid", _sigmoid)

# `tanh(x) = x + x^3 tail(x^2)` for |x| <= 0.625. Relative error: 2^-27.8 and 2^-61.2.
_TANH_F32 = (-0.3333328, 0.13331442, -0.053739715, 0.020639094, -0.0057049948)
_TANH_F64 = (
    -0.33333333333333315,
    0.13333333333329742,
    -0.05396825396605898,
    0.02186948846871725,
    -0.008863234312604926,
    0.003592114000114226,
    -0.0014557259494970692,
    0.0005894518047144045,
    -0.00023701174554751202,
    9.155843779377414e-05,
    -3.0187245714079736e-05,
    6.042478986998125e-06,
)


def _tanh(x: Scalar) -> Scalar:
    """A polynomial near 0, else `1 - 2 / (exp(2 |x|) + 1)`; the sign of x."""
    tail = _TANH_F64 if isinstance(x.type, Float64Type) else _TANH_F32
    a = x.absolute()
    square = a * a
    near = (square * horner(square, tail)).fma(a, a)
    far = 1.0 - 2.0 / (exp(a + a) + 1.0)
    return a.compare("lt", 0.625).select(near, far).copysign(x)


tanh = elementary("tanh", _tanh)
