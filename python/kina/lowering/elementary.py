"""The elementary functions of F32 and F64, as straight-line code that vectorizes.

Each function of each type is one private function of the module, called where it is needed. The
results are the same bits on every processor that fuses multiply-adds, and no library is called.
Coefficients are minimax for the relative error of the result, by Remez's algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import Float64Type, IntegerType, i32, i64
from xdsl.ir import Attribute

from kina.lowering.scalar import Scalar


def elementary(name: str, define: Callable[..., Scalar]) -> Callable[..., Scalar]:
    """The function that calls the library's `name`, which `define` writes for each float type."""

    def call(*arguments: Scalar) -> Scalar:
        first = arguments[0]
        return first.code.call(f"kina.{name}.{first.type}", define, *arguments)

    return call


@dataclass(frozen=True)
class Layout:
    """How a float type lies in bits, and what depends on that alone."""

    bits: IntegerType
    mantissa: int
    """Bits of the fraction."""
    bias: int
    ln2_high: float
    """log(2) to so few bits that its product with any exponent is exact."""
    ln2_low: float

    @property
    def magic(self) -> float:
        """Adding it rounds a small number to an integer, which lands in the low bits."""
        return 1.5 * 2.0**self.mantissa

    @property
    def magic_bits(self) -> int:
        return (self.bias + self.mantissa) << self.mantissa | 1 << (self.mantissa - 1)

    @property
    def sign(self) -> int:
        return -(1 << int(self.bits.width.data - 1))


_F32 = Layout(i32, 23, 127, 0.693145751953125, 1.4286067653302014e-06)
_F64 = Layout(i64, 52, 1023, 0.6931471803691238, 1.9082149292705877e-10)


def layout(type_: Attribute) -> Layout:
    """The layout of F32 or F64."""
    return _F64 if isinstance(type_, Float64Type) else _F32


def horner(x: Scalar, coefficients: Sequence[float]) -> Scalar:
    """The polynomial with these coefficients, the constant one first."""
    value = x.like(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = value.fma(x, coefficient)
    return value


def rounded(x: Scalar, c: Layout) -> tuple[Scalar, Scalar]:
    """The nearest integer to a small number, as a float and as an integer."""
    shifted = x + c.magic
    return shifted - c.magic, shifted.bits(c.bits) - c.magic_bits


def small_integer(n: Scalar, like: Scalar) -> Scalar:
    """A small integer as a float of the type of `like`."""
    c = layout(like.type)
    return (n + c.magic_bits).bits(like.type) - c.magic
