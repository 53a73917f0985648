"""The comparison that the tests of every implementation rest on. Expected answers by hand."""

from __future__ import annotations

import math

import pytest

from support.evaluate import array
from support.ops_cases import CASES, EXACT, VALUE, Tolerance, disagreement
from support.values import FLOATS, SIGNIFICAND_BITS

INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("dtype", FLOATS)
def test_units_in_the_last_place(dtype: str) -> None:
    eps = 2.0 ** (1 - SIGNIFICAND_BITS[dtype])
    one, three_more = array([1.0], dtype), array([1.0 + 3 * eps], dtype)
    assert disagreement(three_more, one, Tolerance(3)) is None
    assert disagreement(three_more, one, Tolerance(2)) is not None
    assert disagreement(three_more, one, Tolerance(0, 3 * eps)) is None
    assert disagreement(one, one, EXACT) is None


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("tolerance", [EXACT, VALUE, Tolerance(4, 1e-3)])
def test_what_no_tolerance_allows(dtype: str, tolerance: Tolerance) -> None:
    for actual, expected in ((NAN, 1.0), (1.0, NAN), (INF, -INF), (1.0, INF), (INF, 1.0), (1, -1)):
        assert disagreement(array([actual], dtype), array([expected], dtype), tolerance)
    for value in (NAN, INF, -INF, 0.0, -0.0):
        assert disagreement(array([value], dtype), array([value], dtype), tolerance) is None


def test_zeros() -> None:
    plus, minus = array([0.0], "F32"), array([-0.0], "F32")
    assert disagreement(minus, plus, EXACT) is not None
    assert disagreement(minus, plus, VALUE) is None
    assert disagreement(minus, plus, Tolerance(1, 1, either_zero=False)) is not None


def test_type_and_place() -> None:
    x = array([[1, 2], [3, 4]], "I32")
    assert disagreement(x.astype("i8"), x, VALUE) is not None
    assert disagreement(x.reshape(4), x, VALUE) is not None
    message = disagreement(array([[1, 2], [7, 4]], "I32"), x, VALUE)
    assert message is not None and "1 of 4" in message and "(1, 0)" in message


def test_names_of_cases_are_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
