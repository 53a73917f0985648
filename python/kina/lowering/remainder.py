"""The remainder of floats, C's `fmod`: exact, and the same bits everywhere.

A step takes `x mod y` for a quotient below 2^52. It rounds the quotient to a whole number, which may
be one too many; what is left is then exact in one fused multiply-add, and negative, and y is added.
"""

from __future__ import annotations

from math import inf, nan

from xdsl.builder import Builder
from xdsl.dialects import scf
from xdsl.dialects.builtin import Float64Type, f64, i64
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

from kina.lowering.elementary import elementary, layout
from kina.lowering.scalar import INDEX, Code, Scalar

_BITS = 52
"""Bits of the quotient that one step takes; a fraction of F64 has as many."""


def _step(x: Scalar, y: Scalar) -> Scalar:
    """`x mod y` for `0 <= x < 2^52 y`, both whole multiples of a unit of which y has below 2^53."""
    quotient = (x / y + 2.0**_BITS) - 2.0**_BITS
    left = (-quotient).fma(y, x)
    return left.compare("lt", 0.0).select(left + y, left)


def _remainder(x: Scalar, y: Scalar) -> Scalar:
    size, divisor = x.absolute(), y.absolute()
    of = _f64 if isinstance(x.type, Float64Type) else _f32
    return of(size, divisor).copysign(x)


def _f32(x: Scalar, y: Scalar) -> Scalar:
    """In F64, from `2^260 y` down to y: a quotient of two F32 is below 2^277, and needs no loop.

    An infinite y is like any that is larger than all of F32.
    """
    wide, divisor = x.extend(f64), y.extend(f64)
    divisor = divisor.compare("eq", inf).select(2.0**200, divisor)
    for shift in range(5 * _BITS, -1, -_BITS):
        wide = _step(wide, divisor * 2.0**shift)
    return wide.truncate(x.type)


def _f64(x: Scalar, y: Scalar) -> Scalar:
    """`x = m 2^d n` with m and n in 1 .. 2: 52 bits of the d are taken at a time, in a loop."""
    m, exponent = _split(x)
    n, divisor_exponent = _split(y)
    distance = exponent - divisor_exponent
    far = distance.compare("lt", 0).select(0, distance)
    times = far / _BITS
    left = _step(m * _power_of_two(far - times * _BITS), n)
    left = _repeated(times, left, n)
    # Back to the scale of y, in two products where y is a denormal: both are exact.
    tiny = divisor_exponent.compare("le", 0)
    scale = _power_of_two(divisor_exponent + tiny.select(64, divisor_exponent.like(0)) - 1023)
    left = left * scale * tiny.select(2.0**-64, scale.like(1.0))
    left = distance.compare("lt", 0).select(x, left)
    valid = x.compare("lt", inf) & y.compare("gt", 0.0)
    return valid.select(left, nan)


def _split(x: Scalar) -> tuple[Scalar, Scalar]:
    """A number in 1 .. 2 and the exponent, biased, such that both make x; of 0, less than of others."""
    c = layout(x.type)
    tiny = x.compare("lt", 2.0**-1022)
    bits = tiny.select(x * 2.0**64, x).bits(i64)
    fraction = (bits & ((1 << c.mantissa) - 1)) | (c.bias << c.mantissa)
    exponent = (bits >> c.mantissa) - tiny.select(64, bits.like(0))
    return fraction.bits(x.type), exponent


def _power_of_two(n: Scalar) -> Scalar:
    c = layout(f64)
    return ((n + c.bias) << c.mantissa).bits(f64)


def _repeated(times: Scalar, x: Scalar, y: Scalar) -> Scalar:
    """`(x 2^52) mod y`, so many times."""
    code = x.code
    first, step = code.constant(0, INDEX).value, code.constant(1, INDEX).value
    block = Block(arg_types=[INDEX, x.type])
    inside = Code(Builder(InsertPoint.at_end(block)), code.library)
    left = _step(inside.scalar(block.args[1]) * 2.0**_BITS, inside.scalar(y.value))
    block.add_op(scf.YieldOp(left.value))
    return code.insert(scf.ForOp(first, times.index_cast(INDEX).value, step, [x.value], block))


remainder = elementary("rem", _remainder)
