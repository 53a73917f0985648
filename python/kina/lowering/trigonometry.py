"""Sine and cosine, of any angle. At most 2 units in the last place off."""

from __future__ import annotations

from math import inf, nan

from xdsl.dialects import arith
from xdsl.dialects import tensor as upstream
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, Float64Type, TensorType, f64, i32, i64

from kina.lowering.elementary import elementary, horner, layout, rounded
from kina.lowering.scalar import INDEX, Scalar

TWO_OVER_PI = 0.6366197723675814
# pi / 2 is the sum of these, to 160 bits.
_HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33)

# 2 / pi in binary, 64 bits a word; a word of zeros ahead.
_TWO_OVER_PI_BITS = (
    0x0000000000000000,
    0xA2F9836E4E441529,
    0xFC2757D1F534DDC0,
    0xDB6295993C439041,
    0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0,
    0x06492EEA09D1921C,
    0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484,
    0xE99C7026B45F7E41,
    0x3991D639835339F4,
    0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F,
    0x6D367ECF27CB09B7,
    0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA,
    0x6BFB5FB11F8D5D08,
    0x56033046FC7B6BAB,
)

# `sin(r) = r + r^3 s(r^2)` and `cos(r) = 1 - r^2 / 2 + r^4 c(r^2)` for |r| <= pi / 4 and a little.
# Relative errors of F32: 2^-28, 2^-33; of F64: 2^-57, 2^-63.
_SIN_F32 = (-0.16666655, 0.0083321556, -0.00019514633)
_COS_F32 = (0.041666646, -0.0013887309, 2.4432413e-05)
_SIN_F64 = (
    -0.16666666666666616,
    0.008333333333318243,
    -0.00019841269826462204,
    2.755731253154445e-06,
    -2.5050576816951807e-08,
    1.5886325446713217e-10,
)
_COS_F64 = (
    0.04166666666666656,
    -0.0013888888888867518,
    2.480158728540458e-05,
    -2.755731318824224e-07,
    2.087556694664557e-09,
    -1.1351653349859536e-11,
)


def _sin(x: Scalar) -> Scalar:
    sign = x.bits(layout(x.type).bits) & layout(x.type).sign
    return _circular(x, 0, sign)


def _cos(x: Scalar) -> Scalar:
    return _circular(x, 1, None)


sin = elementary("sin", _sin)
cos = elementary("cos", _cos)


def _circular(x: Scalar, quarter: int, sign: Scalar | None) -> Scalar:
    """The sine of `|x|` turned by quarters of a circle, with `sign` taken over.

    `|x| = n pi / 2 + r`: the quarter chooses between the sine and cosine of r, and their sign.
    """
    c, a = layout(x.type), x.absolute()
    if isinstance(x.type, Float64Type):
        n, high, low = _reduce_f64(a)
        sine, cosine = _sin_f64(high, low), _cos_f64(high, low)
    else:
        n, r = _reduce_f32(a)
        sine, cosine = _sin_f32(r), _cos_f32(r)
    n = n + quarter if quarter else n
    value = (n & 1).compare("eq", 0).select(sine, cosine).bits(c.bits)
    value = value ^ ((n & 2) << (c.bits.width.data - 2))
    if sign is not None:
        value = value ^ sign
    return a.compare("lt", inf).select(value.bits(x.type), nan)


def _sin_f32(r: Scalar) -> Scalar:
    square = r * r
    return (square * horner(square, _SIN_F32)).fma(r, r)


def _cos_f32(r: Scalar) -> Scalar:
    square = r * r
    return (square * horner(square, _COS_F32)).fma(square, square.fma(-0.5, 1.0))


def _sin_f64(high: Scalar, low: Scalar) -> Scalar:
    """The sine of `high + low`, to first order in `low`."""
    square = high * high
    tail = (square * -0.5).fma(low, low)
    return high + (square * high).fma(horner(square, _SIN_F64), tail)


def _cos_f64(high: Scalar, low: Scalar) -> Scalar:
    square = high * high
    half = square * 0.5
    first = 1.0 - half
    tail = (square * square).fma(horner(square, _COS_F64), -(high * low))
    return first + (((1.0 - first) - half) + tail)


def _reduce_f32(a: Scalar) -> tuple[Scalar, Scalar]:
    """`n` modulo 4 as I32 and `r`: `a = n pi / 2 + r`. Computed in F64, which is ample."""
    wide = a.extend(f64)
    n, quadrant = rounded(wide * TWO_OVER_PI, layout(f64))
    r = n.fma(-_HALF_PI[1], n.fma(-_HALF_PI[0], wide))
    far_quadrant, far = _reduce_large_f32(a)
    large = a.compare("ge", 2.0**28)
    return (
        large.select(far_quadrant, quadrant).truncate(i32),
        large.select(far, r).truncate(a.type),
    )


def _reduce_large_f32(a: Scalar) -> tuple[Scalar, Scalar]:
    """The same for `a` from 2^28 on, by Payne and Hanek's method: `a 2 / pi` modulo 4.

    With `a = m 2^e`, only the 128 bits of `2^e 2 / pi` count that begin at the weight 2: their
    product with m, to 64 bits, of which the first two are the quadrant.
    """
    bits = a.bits(i32)
    m = ((bits & 0x7FFFFF) | 0x800000).extend(i64)
    first = (bits.shift_right_unsigned(23) - (150 + 2)).extend(i64)
    later = first.compare("ge", 64)
    words = [a.code.constant(_TWO_OVER_PI_BITS[i + 1], i64) for i in range(4)]
    one, two, three = (later.select(words[i + 1], words[i]) for i in range(3))
    shift = first & 63
    product = m * _window(one, two, shift)
    product = product + (
        m * _window(two, three, shift).shift_right_unsigned(32)
    ).shift_right_unsigned(32)
    n = (product + (1 << 61)).shift_right_unsigned(62)
    rest = product - (n << 62)
    return n, rest.to_float(f64) * (_HALF_PI[0] * 2.0**-62)


def _window(word: Scalar, following: Scalar, shift: Scalar) -> Scalar:
    """The 64 bits that begin `shift` bits into `word`."""
    low = following.shift_right_unsigned(1).shift_right_unsigned(63 - shift)
    return (word << shift) | low


def _reduce_f64(a: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """`n` modulo 4 as I64 and `r` in two parts: `a = n pi / 2 + r`.

    Up to 2^40 by Cody and Waite's method: the first difference is exact, since it and both of its
    terms are multiples of 2^-53; the next product's error and difference's error are kept.
    """
    n, quadrant = rounded(a * TWO_OVER_PI, layout(f64))
    near = n.fma(-_HALF_PI[0], a)
    product = n * _HALF_PI[1]
    product_error = n.fma(_HALF_PI[1], -product)
    high = near - product
    back = high - near
    low = (near - (high - back)) - (product + back)
    low = low - n.fma(_HALF_PI[2], product_error)
    far_quadrant, far_high, far_low = _reduce_large_f64(a)
    large = a.compare("ge", 2.0**40)
    high, low = large.select(far_high, high), large.select(far_low, low)
    total = high + low
    return large.select(far_quadrant, quadrant), total, (high - total) + low


def _reduce_large_f64(a: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """The same for `a` from 2^40 on, by Payne and Hanek's method, to 126 bits after the quadrant."""
    bits = a.bits(i64)
    m = (bits & ((1 << 52) - 1)) | (1 << 52)
    first = bits.shift_right_unsigned(52) - (1075 + 2 - 64)
    place = first.shift_right_unsigned(6).minimum(len(_TWO_OVER_PI_BITS) - 4).maximum(0)
    words = [_word(place + i if i else place) for i in range(4)]
    shift = first & 63
    one, two, three = (_window(words[i], words[i + 1], shift) for i in range(3))
    middle, top = m.times_extended(two)
    low = middle + m.times_extended(three)[1]
    carry = low.compare_unsigned("lt", middle).extend_unsigned(i64)
    product = m * one + top + carry
    n = (product + (1 << 61)).shift_right_unsigned(62)
    rest = product - (n << 62)
    # Of the 128 bits of the rest, the first 53 and the next 63: each part is a float.
    coarse = ((rest >> 11) << 11).to_float(f64) * 2.0**-62
    fine = ((rest & 0x7FF) << 52) | low.shift_right_unsigned(12)
    tail = fine.to_float(f64) * 2.0**-114
    turn = coarse + tail
    tail = (coarse - turn) + tail
    high = turn * _HALF_PI[0]
    error = turn.fma(_HALF_PI[0], -high)
    return n, high, tail.fma(_HALF_PI[0], turn.fma(_HALF_PI[1], error))


def _word(place: Scalar) -> Scalar:
    type_ = TensorType(i64, [len(_TWO_OVER_PI_BITS)])
    words = [word - (1 << 64) if word >> 63 else word for word in _TWO_OVER_PI_BITS]
    table = arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type_, words))
    place.code.builder.insert(table)
    index = place.index_cast(INDEX).value
    return place.code.insert(upstream.ExtractOp(table.result, [index], i64))
