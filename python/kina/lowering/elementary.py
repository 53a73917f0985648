"""The elementary functions, as straight-line code that vectorizes.

Each function of each float type is one private function of the module, called where it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import math as upstream
from xdsl.dialects.builtin import Float64Type, IntegerType, i32, i64
from xdsl.ir import Operation

from kina.lowering.scalar import Scalar


def exp(x: Scalar) -> Scalar:
    return _call("exp", _exp, x)


def log(x: Scalar) -> Scalar:
    return _libm(upstream.LogOp, x)


def tanh(x: Scalar) -> Scalar:
    return _libm(upstream.TanhOp, x)


def sigmoid(x: Scalar) -> Scalar:
    return _call("sigmoid", _sigmoid, x)


def sin(x: Scalar) -> Scalar:
    return _libm(upstream.SinOp, x)


def cos(x: Scalar) -> Scalar:
    return _libm(upstream.CosOp, x)


def erf(x: Scalar) -> Scalar:
    return _libm(upstream.ErfOp, x)


def pow(x: Scalar, y: Scalar) -> Scalar:
    return x.code.insert(upstream.PowFOp(x.value, y.value))


def _libm(operation: Callable[..., Operation], x: Scalar) -> Scalar:
    return x.code.insert(operation(x.value))


def _call(name: str, define: Callable[..., Scalar], *arguments: Scalar) -> Scalar:
    first = arguments[0]
    return first.code.call(f"kina.{name}.{first.type}", define, *arguments)


def horner(x: Scalar, coefficients: Sequence[float]) -> Scalar:
    """The polynomial with these coefficients, the constant one first."""
    value = x.like(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = value.fma(x, coefficient)
    return value


@dataclass(frozen=True)
class ExpConstants:
    """`exp(r) = 1 + r + r^2 tail(r)` for |r| <= log(2) / 2, and how to get there."""

    bits: IntegerType
    mantissa: int
    """Bits of the fraction."""
    bias: int
    low: float
    """Below this the result is 0."""
    high: float
    """Above this the result is infinite."""
    log2e: float
    magic: float
    """1.5 * 2^mantissa: adding it rounds to an integer, which lands in the low bits."""
    ln2_high: float
    """log(2) to so few bits that its product with any exponent is exact."""
    ln2_low: float
    tail: tuple[float, ...]
    """Minimax for the relative error of exp (Remez)."""


# Relative error of the polynomial: 3.1e-9, a twentieth of a unit in the last place.
EXP_F32 = ExpConstants(
    bits=i32,
    mantissa=23,
    bias=127,
    low=-104.0,
    high=89.0,
    log2e=1.4426950408889634,
    magic=1.5 * 2**23,
    ln2_high=0.693145751953125,
    ln2_low=1.428606765330187e-06,
    tail=(0.49999994, 0.1666652, 0.041668393, 0.008368781, 0.0013814475),
)

# Relative error of the polynomial: 3.7e-18.
EXP_F64 = ExpConstants(
    bits=i64,
    mantissa=52,
    bias=1023,
    low=-746.0,
    high=710.0,
    log2e=1.4426950408889634,
    magic=1.5 * 2**52,
    ln2_high=0.6931471803691238,
    ln2_low=1.9082149292705877e-10,
    tail=(
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


def _exp(x: Scalar) -> Scalar:
    """`2^n exp(r)` with `x = n log(2) + r`.

    2^n is applied as two factors, since n reaches beyond the exponents of normal numbers: the first
    product is exact, the second rounds once, to a denormal or infinity where need be. A comparison
    with a NaN is false, so that a NaN passes the clamps.
    """
    c = EXP_F64 if isinstance(x.type, Float64Type) else EXP_F32
    x = x.compare("lt", c.low).select(c.low, x)
    x = x.compare("gt", c.high).select(c.high, x)
    shifted = x.fma(c.log2e, c.magic)
    n = shifted - c.magic
    r = n.fma(-c.ln2_low, n.fma(-c.ln2_high, x))
    e = horner(r, c.tail).fma(r, 1.0).fma(r, 1.0)
    magic = int(c.magic.hex()[4:5] == "8") << (c.mantissa - 1) | c.mantissa + c.bias << c.mantissa
    exponent = shifted.bits(c.bits) - magic
    half = exponent >> 1
    return e * _power_of_two(half, c, x) * _power_of_two(exponent - half, c, x)


def _power_of_two(n: Scalar, c: ExpConstants, like: Scalar) -> Scalar:
    return ((n + c.bias) << c.mantissa).bits(like.type)


def _sigmoid(x: Scalar) -> Scalar:
    """`1 / (1 + e)` or `e / (1 + e)` with `e = exp(-|x|)`, which never overflows."""
    e = exp(-x.absolute())
    return x.compare("lt", 0.0).select(e, 1.0) / (e + 1.0)
