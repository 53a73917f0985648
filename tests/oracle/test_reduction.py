"""Reductions, softmax, argmax, top_k and products of the oracle.

Expected values: by hand, from cases.md's kinds, and by rational arithmetic rounded once.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from kina.dialect import ops as kina
from kina.dialect.dtypes import ELEMENT_TYPES
from support.case import applied
from support.evaluate import array, evaluate, evaluate_all, floats, ints, same
from support.rounding import nearest
from support.values import DTYPES, FLOATS, INTEGERS, NUMBERS, small_integers

INF, NAN = math.inf, math.nan
GRID = [[1, 2, 3], [40, 50, 60]]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_axes_and_keepdims(dtype: str) -> None:
    x = array(GRID, dtype)
    for op, axes, expected in (
        (kina.SumOp, [0], [41, 52, 63]),
        (kina.SumOp, [1], [6, -106 if dtype == "I8" else 150]),  # 150 - 256
        (kina.ReduceMaxOp, [0], [40, 50, 60]),
        (kina.ReduceMaxOp, [1], [3, 60]),
        (kina.ReduceMinOp, [1], [1, 40]),
        (kina.ReduceMinOp, [0, 1], [1]),
    ):
        flat = evaluate(applied(op, axes), x)
        kept = evaluate(applied(op, axes, True), x)
        assert flat.dtype == kept.dtype == DTYPES[dtype]
        assert flat.shape == tuple(n for i, n in enumerate(x.shape) if i not in axes)
        assert kept.shape == tuple(1 if i in axes else n for i, n in enumerate(x.shape))
        assert ints(flat) == ints(kept) == expected


@pytest.mark.parametrize("dtype", FLOATS)
def test_mean(dtype: str) -> None:
    x = array(GRID, dtype)
    assert floats(evaluate(applied(kina.MeanOp, [1]), x)) == [2.0, 50.0]
    assert floats(evaluate(applied(kina.MeanOp, [0, 1]), x)) == [26.0]
    third = evaluate(applied(kina.MeanOp, [0]), array([1, 0, 0], dtype))
    assert floats(third) == [nearest(Fraction(1, 3), dtype)]


def test_halves_accumulate_in_f32() -> None:
    """2048 + 1 is 2048 in F16, 256 + 1 is 256 in BF16; 1 + 4096 * 2**-12 is 2."""
    assert floats(evaluate(applied(kina.SumOp, [0]), array([2048, 1, 1], "F16"))) == [2050.0]
    assert floats(evaluate(applied(kina.SumOp, [0]), array([256, 1, 1], "BF16"))) == [258.0]
    for dtype in ("F16", "BF16"):
        steps = array([1.0] + [2.0**-12] * 4096, dtype)
        assert floats(evaluate(applied(kina.SumOp, [0]), steps)) == [2.0]
        ones = array([[1.0] * 4097], dtype)
        column = steps.reshape(-1, 1)
        assert floats(evaluate(applied(kina.MatmulOp), ones, column)) == [2.0]
    big = array([60000, 60000, -60000], "F16")
    assert floats(evaluate(applied(kina.SumOp, [0]), big)) == [60000.0]
    assert floats(evaluate(applied(kina.MeanOp, [0]), array([60000, 60000], "F16"))) == [60000.0]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_sums_wrap(dtype: str) -> None:
    limits = np.iinfo(DTYPES[dtype])
    x = array([limits.max, 1, 1], dtype)
    assert ints(evaluate(applied(kina.SumOp, [0]), x)) == [limits.min + 1]


@pytest.mark.parametrize("dtype", FLOATS)
def test_sums_of_infinities(dtype: str) -> None:
    x = array([[INF, 1], [INF, -INF], [NAN, 1], [-INF, 1]], dtype)
    assert same(floats(evaluate(applied(kina.SumOp, [1]), x)), [INF, NAN, NAN, -INF])
    assert same(floats(evaluate(applied(kina.MeanOp, [1]), x)), [INF, NAN, NAN, -INF])


@pytest.mark.parametrize("dtype", NUMBERS)
def test_reductions_of_nothing(dtype: str) -> None:
    x = array(np.zeros((2, 0)), dtype)
    lowest, highest = -INF, INF
    if dtype in INTEGERS:
        limits = np.iinfo(DTYPES[dtype])
        lowest, highest = limits.min, limits.max
    assert evaluate(applied(kina.SumOp, [1]), x).tolist() == [0, 0]
    assert evaluate(applied(kina.ReduceMaxOp, [1]), x).tolist() == [lowest, lowest]
    assert evaluate(applied(kina.ReduceMinOp, [1]), x).tolist() == [highest, highest]
    assert evaluate(applied(kina.SumOp, [0]), x).shape == (0,)
    if dtype in FLOATS:
        assert same(floats(evaluate(applied(kina.MeanOp, [1]), x)), [NAN, NAN])


@pytest.mark.parametrize("dtype", NUMBERS)
def test_max_of_negatives(dtype: str) -> None:
    x = array([-3, -2, -9, -4, -7], dtype)
    assert ints(evaluate(applied(kina.ReduceMaxOp, [0]), x)) == [-2]
    assert ints(evaluate(applied(kina.ReduceMinOp, [0]), x)) == [-9]


@pytest.mark.parametrize("dtype", FLOATS)
def test_max_of_zeros_looks_at_their_signs(dtype: str) -> None:
    rows = array([[0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0], [-1.0, -0.0]], dtype)
    largest = floats(evaluate(applied(kina.ReduceMaxOp, [1]), rows))
    assert same(largest, [0.0, 0.0, -0.0, -0.0])
    smallest = floats(evaluate(applied(kina.ReduceMinOp, [1]), -rows))
    assert same(smallest, [-0.0, -0.0, 0.0, 0.0])


@pytest.mark.parametrize("dtype", FLOATS)
def test_max_of_infinities_and_nan(dtype: str) -> None:
    down = array([-INF] * 5, dtype)
    assert floats(evaluate(applied(kina.ReduceMaxOp, [0]), down)) == [-INF]
    assert floats(evaluate(applied(kina.ReduceMinOp, [0]), -down)) == [INF]
    for place in range(5):
        x = array([-3, -2, -9, -4, -7], dtype)
        x[place] = NAN
        assert same(floats(evaluate(applied(kina.ReduceMaxOp, [0]), x)), [NAN])
        assert same(floats(evaluate(applied(kina.ReduceMinOp, [0]), x)), [NAN])
        assert ints(evaluate(applied(kina.ArgmaxOp, 0), x)) == [place]


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_largest_zero_is_the_positive_one(dtype: str) -> None:
    x = array([[-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0], [-0.0, -1.0], [0.0, 1.0]], dtype)
    largest = evaluate(applied(kina.ReduceMaxOp, [1]), x)
    assert same(floats(largest), [0.0, 0.0, -0.0, -0.0, 1.0])
    smallest = evaluate(applied(kina.ReduceMinOp, [1]), x)
    assert same(floats(smallest), [-0.0, -0.0, -0.0, -1.0, 0.0])


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("size", [1, 8, 33, 49152])
def test_argmax_of_equals_is_the_first(dtype: str, size: int) -> None:
    result = evaluate(applied(kina.ArgmaxOp, 0), array(np.full(size, 5), dtype))
    assert result.dtype == np.int64 and result.shape == () and int(result) == 0


@pytest.mark.parametrize("dtype", NUMBERS)
def test_argmax(dtype: str) -> None:
    peaks = np.zeros(45)
    peaks[[7, 40]] = 1
    assert ints(evaluate(applied(kina.ArgmaxOp, 0), array(peaks, dtype))) == [7]
    x = array([[1, 5, 5], [9, 2, 3]], dtype)
    assert ints(evaluate(applied(kina.ArgmaxOp, 1), x)) == [1, 0]
    assert ints(evaluate(applied(kina.ArgmaxOp, 0), x)) == [1, 0, 0]


@pytest.mark.parametrize("dtype", FLOATS)
def test_argmax_takes_the_first_nan(dtype: str) -> None:
    assert ints(evaluate(applied(kina.ArgmaxOp, 0), array([1, NAN, 3], dtype))) == [1]
    assert ints(evaluate(applied(kina.ArgmaxOp, 0), array([INF, NAN, NAN], dtype))) == [1]
    assert ints(evaluate(applied(kina.ArgmaxOp, 0), array([-INF, -INF], dtype))) == [0]
    assert ints(evaluate(applied(kina.ArgmaxOp, 0), array([-0.0, 0.0], dtype))) == [0]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_top_k_falls_and_ties_go_to_the_lower_index(dtype: str) -> None:
    x = array([[4, 9, 4, 9, 1], [1, 2, 3, 4, 5]], dtype)
    for k, places in (
        (1, [[1], [4]]),
        (3, [[1, 3, 0], [4, 3, 2]]),
        (5, [[1, 3, 0, 2, 4], [4, 3, 2, 1, 0]]),
    ):
        values, indices = evaluate_all(applied(kina.TopKOp, k, 1), x)
        assert values.dtype == x.dtype and indices.dtype == np.int64
        assert indices.tolist() == places
        assert values.tolist() == [[x[row, i] for i in places[row]] for row in range(2)]
    values, indices = evaluate_all(applied(kina.TopKOp, 1, 0), x)
    assert ints(values) == [4, 9, 4, 9, 5] and ints(indices) == [0, 0, 0, 0, 1]
    values, indices = evaluate_all(applied(kina.TopKOp, 0, 1), x)
    assert values.shape == indices.shape == (2, 0)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_top_k_of_the_extremes_of_integers(dtype: str) -> None:
    """The least integer has no negative: an order by `-x` would put it first."""
    limits = np.iinfo(DTYPES[dtype])
    x = np.array([0, limits.min, limits.max, limits.min + 1], DTYPES[dtype])
    values, indices = evaluate_all(applied(kina.TopKOp, 4, 0), x)
    assert ints(indices) == [2, 0, 3, 1]
    assert ints(values) == [limits.max, 0, limits.min + 1, limits.min]


@pytest.mark.parametrize("dtype", FLOATS)
def test_top_k_puts_nan_first_and_equates_zeros(dtype: str) -> None:
    """As argmax, which is its first index."""
    x = array([-INF, NAN, INF, -0.0, 0.0, NAN], dtype)
    values, indices = evaluate_all(applied(kina.TopKOp, 6, 0), x)
    assert ints(indices) == [1, 5, 2, 3, 4, 0]
    assert same(floats(values), [NAN, NAN, INF, -0.0, 0.0, -INF])
    assert ints(evaluate(applied(kina.ArgmaxOp, 0), x)) == [1]


@pytest.mark.parametrize("dtype", FLOATS)
def test_softmax_of_rows_that_go_wrong(dtype: str) -> None:
    """choices.md: all -inf gives zeros, a NaN its whole row; the rest by hand."""
    x = array(
        [[-INF, -INF], [NAN, 0], [-INF, NAN], [0, -INF], [0, 0], [INF, 0], [30000, 30000]], dtype
    )
    expected: list[list[float]] = [
        [0, 0],
        [NAN, NAN],
        [NAN, NAN],
        [1, 0],
        [0.5, 0.5],
        [NAN, NAN],
        [0.5, 0.5],
    ]
    result = evaluate(applied(kina.SoftmaxOp, 1), x)
    assert same(floats(result), [float(value) for row in expected for value in row])


@pytest.mark.parametrize("dtype", FLOATS)
def test_softmax_against_the_formula(dtype: str) -> None:
    """exp(x) / sum of exp(x) with the C library's exp, rounded to the dtype."""
    x = array([[0.5, -1.0, 3.0], [10.0, 9.0, -20.0]], dtype)
    actual = evaluate(applied(kina.SoftmaxOp, 1), x)
    for i in range(2):
        powers = [math.exp(value) for value in floats(x[i])]
        expected = [value / sum(powers) for value in powers]
        eps = 2.0 ** -{"F64": 51, "F32": 23, "F16": 10, "BF16": 7}[dtype]
        least = 2.0**-24 if dtype == "F16" else 0.0
        assert floats(actual[i]) == pytest.approx(expected, rel=eps, abs=least)
    assert evaluate(applied(kina.SoftmaxOp, 0), x).shape == (2, 3)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((1, 1), (1, 1)),
        ((3, 5), (5, 2)),
        ((2, 3, 5), (2, 5, 4)),
        ((1, 3, 5), (4, 5, 2)),
        ((2, 1, 3, 5), (1, 4, 5, 2)),
        ((2, 1, 3, 1, 5), (1, 2, 3, 5, 2)),
        ((3, 0), (0, 2)),
    ],
)
def test_matmul(dtype: str, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    """Whole numbers by Python's integers, one product after the other."""
    a, b = small_integers(dtype, left, 1), small_integers(dtype, right, 2)
    result = evaluate(applied(kina.MatmulOp), a, b)
    batch = tuple(max(m, n) for m, n in zip(left[:-2], right[:-2]))
    assert result.dtype == DTYPES[dtype] and result.shape == (*batch, left[-2], right[-1])
    for index in np.ndindex(*result.shape):
        i, j = index[-2:]
        p = tuple(min(at, n - 1) for at, n in zip(index, left[:-2]))
        q = tuple(min(at, n - 1) for at, n in zip(index, right[:-2]))
        terms = (int(a[(*p, i, k)]) * int(b[(*q, k, j)]) for k in range(left[-1]))
        assert int(result[index]) == sum(terms)


@pytest.mark.parametrize("dtype", FLOATS)
def test_matmul_keeps_nan_and_inf_in_their_rows(dtype: str) -> None:
    a = array([[1, NAN], [1, 2], [0, 1]], dtype)
    b = array([[INF, 1], [1, 1]], dtype)
    assert same(floats(evaluate(applied(kina.MatmulOp), a, b)), [NAN, NAN, INF, 3.0, NAN, 1.0])


@pytest.mark.parametrize("dtype", NUMBERS)
def test_iota(dtype: str) -> None:
    element = ELEMENT_TYPES[dtype]
    result = evaluate(applied(kina.IotaOp, element, (2, 3), 1))
    assert result.dtype == DTYPES[dtype] and result.tolist() == [[0, 1, 2], [0, 1, 2]]
    assert evaluate(applied(kina.IotaOp, element, (2, 2), 0)).tolist() == [[0, 0], [1, 1]]


def test_iota_beyond_the_dtype() -> None:
    """As a cast from I64: I8 wraps, BF16 rounds to even."""
    assert ints(evaluate(applied(kina.IotaOp, ELEMENT_TYPES["I8"], (130,), 0)))[126:] == [
        126,
        127,
        -128,
        -127,
    ]
    line = floats(evaluate(applied(kina.IotaOp, ELEMENT_TYPES["BF16"], (260,), 0)))
    assert line[255:260] == [255.0, 256.0, 256.0, 258.0, 260.0]
