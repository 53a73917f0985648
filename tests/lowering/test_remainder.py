"""The compiled remainder of floats against rational arithmetic and the C library's `fmod`: equal in every bit."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from kina.dialect import ops as kina
from support.case import EXACT, Case, applied, disagreement
from support.compiled import Functions, compile_cases
from support.values import DTYPES, FLOATS, SIGNIFICAND_BITS, Array, pairs

COUNT = 4000
LEAST, NORMAL, LARGEST = 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308
EXTREMES = [0.0, LEAST, 3 * LEAST, NORMAL - LEAST, NORMAL, 1e-308, 1.0, 1.5, 1e308, LARGEST]


def of_any_bits(dtype: str, generator: np.random.Generator, count: int = COUNT) -> Array:
    """Every value of the dtype is as likely as any other, so most quotients are huge or tiny."""
    size = DTYPES[dtype].itemsize
    return np.frombuffer(generator.bytes(count * size), DTYPES[dtype])


def near_multiples(dtype: str, generator: np.random.Generator) -> tuple[Array, Array]:
    """A multiple of the divisor, rounded: the quotient lies at a whole number, or just beside."""
    divisor = of_any_bits(dtype, generator).astype(np.float64)
    factor = np.ldexp(generator.integers(1, 100, COUNT), generator.integers(0, 100, COUNT))
    with np.errstate(all="ignore"):
        multiple = (divisor * factor).astype(DTYPES[dtype])
        beside = np.nextafter(multiple.astype(np.float64), np.inf).astype(DTYPES[dtype])
    some = np.where(generator.random(COUNT) < 0.5, multiple, beside)
    return some, divisor.astype(DTYPES[dtype])


def cases() -> list[Case]:
    found = []
    for dtype in FLOATS:
        generator = np.random.default_rng(SIGNIFICAND_BITS[dtype])
        any_bits = of_any_bits(dtype, generator), of_any_bits(dtype, generator)
        close = tuple(generator.standard_normal(COUNT).astype(DTYPES[dtype]) for _ in range(2))
        for name, operands in (
            ("any", any_bits),
            ("close", close),
            ("multiples", near_multiples(dtype, generator)),
            ("special", pairs(dtype)),
        ):
            found.append(Case(f"{dtype}-{name}", operands, applied(kina.RemOp)))
    x, y = np.meshgrid([*EXTREMES, *(-e for e in EXTREMES)], EXTREMES)
    found.append(Case("F64-extremes", (x.ravel(), y.ravel()), applied(kina.RemOp)))
    return found


CASES = cases()


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Functions:
    return compile_cases(CASES, tmp_path_factory.mktemp("remainder"))


def fmod(x: float, y: float) -> float:
    """`math.fmod`, where it raises for what IEEE 754 calls NaN."""
    if math.isinf(x) or y == 0:
        return math.nan
    return math.fmod(x, y)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_fmod_to_the_bit(case: Case, functions: Functions) -> None:
    columns = (x.astype(np.float64) for x in case.operands)
    expected = np.array([fmod(float(a), float(b)) for a, b in zip(*columns)])
    dtype = case.operands[0].dtype
    # A remainder of two values of a dtype is a value of it: the cast rounds nothing.
    assert np.array_equal(expected.astype(dtype).astype(np.float64), expected, equal_nan=True)
    found = functions[case.name](*case.operands)
    assert disagreement(found, expected.astype(dtype), EXACT) is None


@pytest.mark.parametrize("case", [c for c in CASES if "special" not in c.name], ids=str)
def test_it_is_exact(case: Case, functions: Functions) -> None:
    """`x - y trunc(x / y)` of rational numbers, and the sign of x where that is 0."""
    found = functions[case.name](*case.operands)
    for x, y, result in zip(*(v[:500].astype(np.float64) for v in (*case.operands, found))):
        if np.isfinite(x) and np.isfinite(y) and y != 0:
            a, b = Fraction(float(x)), Fraction(float(y))
            assert Fraction(float(result)) == a - b * math.trunc(a / b), (x, y)
            assert np.signbit(result) == np.signbit(x), (x, y)
