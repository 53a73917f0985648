"""Powers, by IEEE 754's rules."""

from __future__ import annotations

from math import inf, nan

from xdsl.dialects import math as upstream
from xdsl.dialects.builtin import Float64Type, f64

from kina.lowering.elementary import elementary
from kina.lowering.exponential import exp
from kina.lowering.logarithm import log
from kina.lowering.scalar import Scalar


def _pow(x: Scalar, y: Scalar) -> Scalar:
    """`exp(y log|x|)` in F64 for an F32, whose error is then that of rounding the result."""
    magnitude = exp(y.extend(f64) * log(x.absolute().extend(f64))).truncate(x.type)
    return _with_exceptions(x, y, magnitude)


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


_pow_f32 = elementary("pow", _pow)


def pow(x: Scalar, y: Scalar) -> Scalar:
    if isinstance(x.type, Float64Type):
        return x.code.insert(upstream.PowFOp(x.value, y.value))
    return _pow_f32(x, y)
