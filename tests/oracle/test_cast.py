"""Casts of the oracle. Expected values: rational arithmetic rounded once, Python's integers, hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from kina.dialect import ops as kina
from kina.dialect.dtypes import ELEMENT_TYPES
from support.case import applied
from support.elementwise_cases import cast_arguments
from support.evaluate import array, evaluate, floats, ints, same
from support.rounding import nearest
from support.values import ALL, DTYPES, FLOATS, INTEGERS, NUMBERS, Array


def cast(x: Array, target: str) -> Array:
    return evaluate(applied(kina.CastOp, ELEMENT_TYPES[target]), x)


def rounded(value: float, target: str) -> float:
    if not math.isfinite(value):
        return value
    return nearest(Fraction(value), target, zero=value)


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", FLOATS)
def test_float_to_float_rounds_once(source: str, target: str) -> None:
    x = cast_arguments(source)
    assert same(floats(cast(x, target)), [rounded(value, target) for value in floats(x)])


def test_f64_to_bf16_is_not_rounded_twice() -> None:
    """1 + 2**-8 + 2**-40 lies above the middle of 1 and 1 + 2**-7; F32 would make it the middle."""
    x = array([1 + 2**-8 + 2**-40, 1 + 2**-8, 1 + 2**-8 - 2**-40, -1 - 2**-8 - 2**-40], "F64")
    assert floats(cast(x, "BF16")) == [1 + 2**-7, 1.0, 1.0, -1 - 2**-7]


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", FLOATS)
def test_integer_to_float_rounds_once(source: str, target: str) -> None:
    x = cast_arguments(source)
    assert floats(cast(x, target)) == [nearest(Fraction(value), target) for value in ints(x)]


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", INTEGERS)
def test_float_to_integer_truncates_and_saturates(source: str, target: str) -> None:
    limits = np.iinfo(DTYPES[target])
    x = cast_arguments(source)

    def expected(value: float) -> int:
        if math.isnan(value):
            return 0
        if math.isinf(value):
            return int(limits.max if value > 0 else limits.min)
        return min(max(int(value), int(limits.min)), int(limits.max))

    assert ints(cast(x, target)) == [expected(value) for value in floats(x)]


def test_float_to_integer_by_hand() -> None:
    x = array([2.9, -2.9, -0.5, math.nan, math.inf, -math.inf, 3e38, 127.5, -128.5], "F32")
    assert ints(cast(x, "I8")) == [2, -2, 0, 0, 127, -128, 127, 127, -128]
    assert ints(cast(x, "I64"))[4:7] == [2**63 - 1, -(2**63), 2**63 - 1]


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", INTEGERS)
def test_integer_to_integer_wraps(source: str, target: str) -> None:
    x = cast_arguments(source)
    bits = DTYPES[target].itemsize * 8
    half = 1 << (bits - 1)
    assert ints(cast(x, target)) == [(value + half) % (2 * half) - half for value in ints(x)]


@pytest.mark.parametrize("source", ALL)
def test_to_bool_is_unequal_to_zero(source: str) -> None:
    x = cast_arguments(source)
    result = cast(x, "Bool")
    assert result.dtype == np.bool_
    assert result.tolist() == [value != 0 for value in x.tolist()]


@pytest.mark.parametrize("target", NUMBERS)
def test_from_bool(target: str) -> None:
    result = cast(array([0, 1], "Bool"), target)
    assert result.dtype == DTYPES[target] and floats(result) == [0.0, 1.0]
