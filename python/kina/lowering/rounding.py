"""Whole numbers near a float, exact and the same bits everywhere.

No instruction is asked for that a processor may lack, as x86-64 without SSE 4.1 does: adding and
taking away 2^23, or 2^52 of F64, leaves no room for a fraction and rounds to nearest even. What is
as large as that is whole already, or an infinity or a NaN. The sign is that of the operand, of
zeros too.
"""

from __future__ import annotations

from kina.lowering.elementary import layout
from kina.lowering.scalar import Scalar


def nearest(x: Scalar) -> Scalar:
    """The nearest whole number, of two the even one."""
    whole = 2.0 ** layout(x.type).mantissa
    size = x.absolute()
    return size.compare("lt", whole).select((size + whole - whole).copysign(x), x)


def floor(x: Scalar) -> Scalar:
    """The greatest whole number that is not above x."""
    near = nearest(x)
    return near.compare("gt", x).select(near - 1.0, near)


def ceil(x: Scalar) -> Scalar:
    """The least whole number that is not below x."""
    near = nearest(x)
    return near.compare("lt", x).select((near + 1.0).copysign(x), near)


def trunc(x: Scalar) -> Scalar:
    """The whole number that is left without the fraction."""
    size = x.absolute()
    near = nearest(size)
    return near.compare("gt", size).select(near - 1.0, near).copysign(x)


def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1 of any number; a zero and a NaN stay themselves."""
    negative = x.compare("lt", 0).select(-1, x)
    return x.compare("gt", 0).select(1, negative)
