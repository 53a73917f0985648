"""Elementwise operations of the oracle.

Expected values: rational arithmetic rounded once (support.rounding), Python's integers, the C
library through Python's `math`, and IEEE 754 by hand.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from xdsl.ir import Operation

from kina.dialect import ops as kina
from kina.dialect.dtypes import ELEMENT_TYPES, tensor
from support.case import Tolerance, applied, disagreement
from support.elementwise_cases import rounding_arguments
from support.evaluate import array, evaluate, floats, ints, same
from support.rounding import nearest
from support.values import ALL, DTYPES, FLOATS, INTEGERS, NUMBERS, pairs, special

INF, NAN = math.inf, math.nan


def wrap(value: int, dtype: str) -> int:
    bits = DTYPES[dtype].itemsize * 8
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b) if b else 0
    return -quotient if (a < 0) != (b < 0) else quotient


def remainder(a: int, b: int) -> int:
    return a - b * truncated(a, b) if b else 0


INTEGER_OPERATIONS: list[tuple[str, Callable[..., object], Callable[[int, int], int]]] = [
    ("add", kina.AddOp, operator.add),
    ("sub", kina.SubOp, operator.sub),
    ("mul", kina.MulOp, operator.mul),
    ("div", kina.DivOp, truncated),
    ("rem", kina.RemOp, remainder),
    ("max", kina.MaxOp, max),
    ("min", kina.MinOp, min),
]


@pytest.mark.parametrize(("name", "op", "meaning"), INTEGER_OPERATIONS)
def test_every_pair_of_i8(
    name: str, op: type[Operation], meaning: Callable[[int, int], int]
) -> None:
    everything = list(product(range(-128, 128), repeat=2))
    a, b = array([p[0] for p in everything], "I8"), array([p[1] for p in everything], "I8")
    expected = [wrap(meaning(x, y), "I8") for x, y in everything]
    assert ints(evaluate(applied(op), a, b)) == expected


@pytest.mark.parametrize("dtype", ["I64", "I32"])
@pytest.mark.parametrize(("name", "op", "meaning"), INTEGER_OPERATIONS)
def test_integer_extremes(
    name: str, op: type[Operation], meaning: Callable[[int, int], int], dtype: str
) -> None:
    a, b = pairs(dtype)
    expected = [wrap(meaning(x, y), dtype) for x, y in zip(ints(a), ints(b))]
    assert ints(evaluate(applied(op), a, b)) == expected


def test_division_by_zero_and_of_the_least_integer() -> None:
    least = -(2**63)
    a, b = array([7, -7, least, least], "I64"), array([0, 0, -1, 0], "I64")
    assert ints(evaluate(applied(kina.DivOp), a, b)) == [0, 0, least, 0]
    assert ints(evaluate(applied(kina.RemOp), a, b)) == [0, 0, 0, 0]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_negation_and_magnitude(dtype: str) -> None:
    x = special(dtype)
    assert ints(evaluate(applied(kina.NegOp), x)) == [wrap(-i, dtype) for i in ints(x)]
    assert ints(evaluate(applied(kina.AbsOp), x)) == [wrap(abs(i), dtype) for i in ints(x)]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    ("op", "meaning"),
    [
        (kina.AddOp, operator.add),
        (kina.SubOp, operator.sub),
        (kina.MulOp, operator.mul),
        (kina.DivOp, operator.truediv),
    ],
)
def test_float_arithmetic_rounds_once(
    op: type[Operation], meaning: Callable[[Fraction, Fraction], Fraction], dtype: str
) -> None:
    a, b = pairs(dtype)
    finite = np.isfinite(a.astype(np.float64)) & np.isfinite(b.astype(np.float64))
    usable = finite & (b != np.zeros((), b.dtype)) if op is kina.DivOp else finite
    a, b = a[usable], b[usable]
    expected = [
        nearest(meaning(Fraction(x), Fraction(y)), dtype) for x, y in zip(floats(a), floats(b))
    ]
    actual = floats(evaluate(applied(op), a, b))
    assert actual == expected


def test_float_arithmetic_of_infinities_and_zeros() -> None:
    """IEEE 754-2019, 6.1 to 6.3, and 7.2 and 7.3 for the invalid and infinite."""
    cases: list[tuple[type[Operation], float, float, float]] = [
        (kina.AddOp, INF, -INF, NAN),
        (kina.AddOp, INF, 1.0, INF),
        (kina.AddOp, -0.0, -0.0, -0.0),
        (kina.AddOp, 0.0, -0.0, 0.0),
        (kina.SubOp, INF, INF, NAN),
        (kina.SubOp, -0.0, 0.0, -0.0),
        (kina.MulOp, INF, 0.0, NAN),
        (kina.MulOp, -1.0, 0.0, -0.0),
        (kina.DivOp, 1.0, 0.0, INF),
        (kina.DivOp, 1.0, -0.0, -INF),
        (kina.DivOp, 0.0, 0.0, NAN),
        (kina.DivOp, INF, INF, NAN),
        (kina.DivOp, -1.0, INF, -0.0),
        (kina.RemOp, 5.5, 2.0, 1.5),
        (kina.RemOp, -5.5, 2.0, -1.5),
        (kina.RemOp, 5.5, -2.0, 1.5),
        (kina.RemOp, 5.5, INF, 5.5),
        (kina.RemOp, 5.5, 0.0, NAN),
        (kina.RemOp, INF, 2.0, NAN),
        (kina.RemOp, -4.0, 2.0, -0.0),
        # Of two zeros the sign decides (IEEE 754-2019, 9.6: maximum and minimum).
        (kina.MaxOp, 0.0, -0.0, 0.0),
        (kina.MaxOp, -0.0, 0.0, 0.0),
        (kina.MaxOp, -0.0, -0.0, -0.0),
        (kina.MinOp, 0.0, -0.0, -0.0),
        (kina.MinOp, -0.0, 0.0, -0.0),
        (kina.MinOp, 0.0, 0.0, 0.0),
    ]
    for (op, a, b, expected), dtype in product(cases, FLOATS):
        actual = floats(evaluate(applied(op), array([a], dtype), array([b], dtype)))
        assert same(actual, [expected]), (op.name, a, b, dtype)


WHOLE: list[tuple[type[Operation], Callable[[Fraction], int]]] = [
    (kina.FloorOp, math.floor),
    (kina.CeilOp, math.ceil),
    (kina.RoundOp, round),
    (kina.TruncOp, math.trunc),
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("op", "meaning"), WHOLE)
def test_whole_numbers_near_a_float(
    op: type[Operation], meaning: Callable[[Fraction], int], dtype: str
) -> None:
    """Python rounds fractions exactly, to even where two whole numbers are as near; the sign stays."""
    x = rounding_arguments(dtype)
    expected = [
        math.copysign(meaning(Fraction(v)), v) if math.isfinite(v) else v for v in floats(x)
    ]
    assert same(floats(evaluate(applied(op), x)), expected)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_sign(dtype: str) -> None:
    x = special(dtype)
    expected = [v if v == 0 or v != v else math.copysign(1.0, v) for v in floats(x)]
    assert same(floats(evaluate(applied(kina.SignOp), x)), expected)


@pytest.mark.parametrize("dtype", FLOATS)
def test_which_floats_are_no_numbers(dtype: str) -> None:
    x = special(dtype)
    for op, meaning in ((kina.IsnanOp, math.isnan), (kina.IsinfOp, math.isinf)):
        result = evaluate(applied(op), x)
        assert result.dtype == np.bool_ and result.tolist() == [meaning(v) for v in floats(x)]


def test_a_denormal_stays() -> None:
    """cases.md: 1e-40 * 1 stays 1e-40 in F32."""
    x = array([1e-40], "F32")
    assert evaluate(applied(kina.MulOp), x, array([1.0], "F32")).tobytes() == x.tobytes()


@pytest.mark.parametrize("dtype", FLOATS)
def test_max_and_min_give_nan_for_nan(dtype: str) -> None:
    a, b = array([1, NAN, NAN, -INF, 2], dtype), array([NAN, 1, NAN, -3, -2], dtype)
    assert same(floats(evaluate(applied(kina.MaxOp), a, b)), [NAN, NAN, NAN, -3.0, 2.0])
    assert same(floats(evaluate(applied(kina.MinOp), a, b)), [NAN, NAN, NAN, -INF, -2.0])


@pytest.mark.parametrize("dtype", FLOATS)
def test_zero_is_larger_than_minus_zero(dtype: str) -> None:
    """numerics.md, whatever the order; so has IEEE 754-2019, 9.6, maximum and minimum."""
    a, b = array([0.0, -0.0, 0.0, -0.0], dtype), array([-0.0, 0.0, 0.0, -0.0], dtype)
    assert same(floats(evaluate(applied(kina.MaxOp), a, b)), [0.0, 0.0, 0.0, -0.0])
    assert same(floats(evaluate(applied(kina.MinOp), a, b)), [-0.0, -0.0, 0.0, -0.0])


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else math.exp(x)


FUNCTIONS: list[tuple[type[Operation], Callable[[float], float], float, float]] = [
    (kina.ExpOp, math.exp, -80.0, 80.0),
    (kina.LogOp, math.log, 1e-30, 1e30),
    (kina.SqrtOp, math.sqrt, 0.0, 1e30),
    (kina.RsqrtOp, lambda x: 1 / math.sqrt(x), 1e-30, 1e30),
    (kina.TanhOp, math.tanh, -20.0, 20.0),
    (kina.SigmoidOp, sigmoid, -80.0, 80.0),
    (kina.SinOp, math.sin, -1e4, 1e4),
    (kina.CosOp, math.cos, -1e4, 1e4),
    (kina.ErfOp, math.erf, -6.0, 6.0),
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("op", "function", "low", "high"), FUNCTIONS)
def test_elementary_functions(
    op: type[Operation], function: Callable[[float], float], low: float, high: float, dtype: str
) -> None:
    """The C library's double, rounded; NumPy's double and it may be a unit or two apart."""
    limit = 6e4 if dtype == "F16" else 1e38
    low = max(low, 1e-4) if dtype == "F16" and low > 0 else low
    line = np.linspace(low, min(high, limit), 401)
    x = array(np.concatenate([line, np.linspace(max(low, -1.0), 1.0, 100)]), dtype)
    expected = array([function(value) for value in floats(x)], dtype)
    ulps = {"F64": 3.0, "F32": 1.0, "F16": 1.0, "BF16": 1.0}[dtype]
    assert disagreement(evaluate(applied(op), x), expected, Tolerance(ulps)) is None


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    ("op", "arguments", "expected"),
    [
        (kina.NegOp, [0.0, -0.0, INF, NAN], [-0.0, 0.0, -INF, NAN]),
        (kina.AbsOp, [-0.0, -2.0, -INF, NAN], [0.0, 2.0, INF, NAN]),
        (kina.ExpOp, [0.0, -0.0, -INF, INF, NAN], [1.0, 1.0, 0.0, INF, NAN]),
        (kina.LogOp, [1.0, 0.0, -0.0, -1.0, INF, NAN], [0.0, -INF, -INF, NAN, INF, NAN]),
        (kina.SqrtOp, [4.0, 0.0, -0.0, -1.0, INF, NAN], [2.0, 0.0, -0.0, NAN, INF, NAN]),
        (kina.RsqrtOp, [4.0, 0.0, -0.0, -1.0, INF, NAN], [0.5, INF, -INF, NAN, 0.0, NAN]),
        (kina.TanhOp, [0.0, -0.0, INF, -INF, NAN], [0.0, -0.0, 1.0, -1.0, NAN]),
        (kina.SigmoidOp, [0.0, INF, -INF, NAN], [0.5, 1.0, 0.0, NAN]),
        (kina.SinOp, [0.0, -0.0, INF, -INF, NAN], [0.0, -0.0, NAN, NAN, NAN]),
        (kina.CosOp, [0.0, -0.0, INF, -INF, NAN], [1.0, 1.0, NAN, NAN, NAN]),
        (kina.ErfOp, [0.0, -0.0, INF, -INF, NAN], [0.0, -0.0, 1.0, -1.0, NAN]),
    ],
)
def test_functions_at_the_ends(
    op: type[Operation], arguments: list[float], expected: list[float], dtype: str
) -> None:
    """ISO C, annex F.10, and the definitions for rsqrt and sigmoid."""
    assert same(floats(evaluate(applied(op), array(arguments, dtype))), expected)


def test_square_root_is_correctly_rounded() -> None:
    """Against integer square roots: the nearest float lies within half a unit of the root."""
    x = array(np.linspace(1.0, 4.0, 1001)[:-1], "F32")
    for value, root in zip(floats(x), floats(evaluate(applied(kina.SqrtOp), x))):
        exact, half = Fraction(value), Fraction(2) ** -24
        assert (Fraction(root) - half) ** 2 <= exact <= (Fraction(root) + half) ** 2


@pytest.mark.parametrize("dtype", FLOATS)
def test_pow(dtype: str) -> None:
    """ISO C, F.10.4.4; whole powers by hand."""
    cases = [
        (2.0, 10.0, 1024.0),
        (-2.0, 3.0, -8.0),
        (-8.0, 0.5, NAN),
        (9.0, 0.5, 3.0),
        (2.0, -1.0, 0.5),
        (1.0, NAN, 1.0),
        (NAN, 0.0, 1.0),
        (NAN, 1.0, NAN),
        (0.0, -1.0, INF),
        (-0.0, -1.0, -INF),
        (-0.0, 3.0, -0.0),
        (0.0, 0.0, 1.0),
        (-1.0, INF, 1.0),
        (0.5, INF, 0.0),
        (0.5, -INF, INF),
        (-INF, 3.0, -INF),
        (-INF, 0.5, INF),
    ]
    a, b, expected = zip(*cases)
    actual = floats(evaluate(applied(kina.PowOp), array(a, dtype), array(b, dtype)))
    assert same(actual, expected)


def test_logic() -> None:
    a, b = array([0, 0, 1, 1], "Bool"), array([0, 1, 0, 1], "Bool")
    assert ints(evaluate(applied(kina.AndOp), a, b)) == [0, 0, 0, 1]
    assert ints(evaluate(applied(kina.OrOp), a, b)) == [0, 1, 1, 1]
    assert ints(evaluate(applied(kina.NotOp), a)) == [1, 1, 0, 0]


PYTHON_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("predicate", PYTHON_COMPARISONS)
def test_compare(predicate: str, dtype: str) -> None:
    """Python compares floats as IEEE 754 does, and integers and Bools exactly."""
    a, b = pairs(dtype)
    expected = [PYTHON_COMPARISONS[predicate](x, y) for x, y in zip(a.tolist(), b.tolist())]
    actual = evaluate(applied(partial(kina.CompareOp, predicate)), a, b)
    assert actual.dtype == np.bool_ and actual.tolist() == expected


@pytest.mark.parametrize("dtype", NUMBERS)
def test_select(dtype: str) -> None:
    a, b = array([1, 2, 3], dtype), array([4, 5, 6], dtype)
    result = evaluate(applied(kina.SelectOp), array([1, 0, 1], "Bool"), a, b)
    assert result.dtype == DTYPES[dtype] and floats(result) == [1.0, 5.0, 3.0]


def test_select_keeps_a_nan_out() -> None:
    poisoned = array([NAN, 1.0], "F32")
    result = evaluate(applied(kina.SelectOp), array([0, 1], "Bool"), poisoned, array([0, 0], "F32"))
    assert same(floats(result), [0.0, 1.0])


@pytest.mark.parametrize("dtype", ALL)
def test_constant(dtype: str) -> None:
    type_ = tensor(ELEMENT_TYPES[dtype], (2, 3))
    for value in special(dtype).tolist():
        result = evaluate(applied(kina.ConstantOp, value, type_))
        assert result.shape == (2, 3) and result.dtype == DTYPES[dtype]
        assert same(floats(result), [float(value)] * 6)
