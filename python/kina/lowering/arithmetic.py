"""What Kina's numbers mean, on scalars: rounding, casting, dividing.

F16 and BF16 compute in F32 and round once per operation, so that no processor needs instructions
for them beyond conversions, and BF16 not even those.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float64Type,
    IntegerType,
    bf16,
    f32,
    f64,
    i1,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute

from kina.dialect.dtypes import is_float
from kina.lowering.scalar import Scalar, is_half


def accumulator(type_: Attribute) -> Attribute:
    """The type in which sums over this type run."""
    return f32 if is_half(type_) else type_


def widen(x: Scalar) -> Scalar:
    """F16 and BF16 as F32; others as they are."""
    if x.type == bf16:
        return x.code.call("kina.extend.bf16", _extend_bf16, x)
    return x.extend(accumulator(x.type))


def _extend_bf16(x: Scalar) -> Scalar:
    """BF16 to F32: the high half of its bits.

    LLVM would narrow what is done with an `extf` to BF16 where that is exact, and for that most
    processors need a library.
    """
    return (x.bits(i16).extend_unsigned(i32) << 16).bits(f32)


def in_wide(function: Callable[..., Scalar]) -> Callable[..., Scalar]:
    """The function over F32 where its arguments are F16 or BF16, rounded once to their type."""

    def wide(*arguments: Scalar) -> Scalar:
        result = function(*(widen(argument) for argument in arguments))
        return round_to(result, arguments[0].type)

    return wide


def round_to(x: Scalar, type_: Attribute) -> Scalar:
    """The nearest value of a float type, ties to even, rounded once; wider types are exact."""
    if x.type == type_:
        return x
    if not isinstance(x.type, Float64Type):
        x = widen(x)
    if not is_half(type_):
        return x.truncate(type_) if isinstance(x.type, Float64Type) else x.extend(type_)
    if isinstance(x.type, Float64Type):
        x = x.code.call("kina.round_to_odd.f32", _round_to_odd, x)
    if isinstance(type_, BFloat16Type):
        return x.code.call("kina.round.bf16", _round_bf16, x)
    return x.truncate(type_)


def _round_to_odd(x: Scalar) -> Scalar:
    """F64 to F32 such that a later rounding to 16 bits rounds as if from F64.

    An inexact result is the neighbor whose last bit is 1 (Boldo and Melquiond, 2005).
    """
    near = x.truncate(f32)
    back = near.extend(f64)
    away = back.absolute().compare("gt", x.absolute()).extend_unsigned(i32)
    inexact = (back.compare("lt", x) | back.compare("gt", x)).extend_unsigned(i32)
    return ((near.bits(i32) - away) | inexact).bits(f32)


def _round_bf16(x: Scalar) -> Scalar:
    """F32 to BF16, to nearest even: half a unit in the last place is added to the bits."""
    bits = x.bits(i32)
    last = bits.shift_right_unsigned(16) & 1
    rounded = (bits + last + 0x7FFF).shift_right_unsigned(16)
    quiet = bits.shift_right_unsigned(16) | 0x40
    return x.is_nan().select(quiet, rounded).truncate(i16).bits(bf16)


def cast(x: Scalar, type_: Attribute) -> Scalar:
    """`kina.cast` of one element."""
    source = x.type
    if source == type_:
        return x
    if type_ == i1:
        return widen(x).compare("ne", 0)
    if is_float(source):
        return round_to(x, type_) if is_float(type_) else _saturate(widen(x), type_)
    if is_float(type_):
        return _float_of_integer(x, type_)
    if source == i1:
        return x.extend_unsigned(type_)
    assert isinstance(type_, IntegerType)
    return x.extend(type_) if x.width < type_.width.data else x.truncate(type_)


def _saturate(x: Scalar, type_: Attribute) -> Scalar:
    assert isinstance(type_, IntegerType)
    width = type_.width.data

    def saturate(x: Scalar) -> Scalar:
        high = 2.0 ** (width - 1)
        inside = x.compare("ge", -high) & x.compare("lt", high)
        whole = inside.select(x, 0.0).to_integer(type_)
        whole = x.compare("ge", high).select(2 ** (width - 1) - 1, whole)
        return x.compare("lt", -high).select(-(2 ** (width - 1)), whole)

    return x.code.call(f"kina.saturate.{x.type}.{type_}", saturate, x)


def _float_of_integer(x: Scalar, type_: Attribute) -> Scalar:
    if not is_half(type_):
        return x.to_float(type_)
    if x.width <= 8:
        return round_to(x.to_float(f32), type_)
    if x.width == 32:
        return round_to(x.to_float(f64), type_)
    return round_to(x.code.call("kina.sticky.i64", _sticky, x).to_float(f64), type_)


def _sticky(x: Scalar) -> Scalar:
    """An I64 that F64 holds exactly and that rounds to 16-bit floats as `x` does.

    Where |x| >= 2^40 the low 16 bits are far below half a unit in the last place of such a float;
    whether they are zero is all that rounding can ask.
    """
    large = x.compare("ge", 1 << 40) | x.compare("le", -(1 << 40))
    low = (x & 0xFFFF).compare("ne", 0).extend_unsigned(i64) << 15
    return large.select((x & ~0xFFFF) | low, x)


def negate(x: Scalar) -> Scalar:
    """`-x`, which changes one bit of a float."""
    return (x.bits(i16) ^ -0x8000).bits(bf16) if x.type == bf16 else -x


def absolute(x: Scalar) -> Scalar:
    """`|x|`, which clears one bit of a float."""
    return (x.bits(i16) & 0x7FFF).bits(bf16) if x.type == bf16 else x.absolute()


def select(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """`condition ? a : b`."""
    if a.type == bf16:
        return condition.select(a.bits(i16), b.bits(i16)).bits(bf16)
    return condition.select(a, b)


def divide(a: Scalar, b: Scalar) -> Scalar:
    """`kina.div` of one element."""
    if a.is_float or _divides_safely(b):
        return a / b
    return a.code.call(f"kina.div.{a.type}", _divide_integers, a, b)


def _divides_safely(divisor: Scalar) -> bool:
    """True for a constant by which the processor can divide anything."""
    return divisor.known not in (None, 0, -1)


def _divide_integers(a: Scalar, b: Scalar) -> Scalar:
    zero, minus_one = b.compare("eq", 0), b.compare("eq", -1)
    quotient = a / (zero | minus_one).select(1, b)
    return zero.select(0, minus_one.select(0 - a, quotient))


def integer_remainder(a: Scalar, b: Scalar) -> Scalar:
    """`kina.rem` of one integer element."""
    if _divides_safely(b):
        return a % b
    return a.code.call(f"kina.rem.{a.type}", _integer_remainder, a, b)


def _integer_remainder(a: Scalar, b: Scalar) -> Scalar:
    harmful = b.compare("eq", 0) | b.compare("eq", -1)
    return a % harmful.select(1, b)
