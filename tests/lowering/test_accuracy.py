"""Compiled elementary functions against mpmath's, which are exact to hundreds of bits.

The promise is 2 units in the last place for F32 and F64, at any argument.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, ldexp, nan, pi

import mpmath
import numpy as np
import pytest
from mpmath import mp

from kina.dialect import ops as kina
from support.case import Case, applied
from support.compiled import Functions, compile_cases
from support.values import DTYPES, LEAST_EXPONENT, SIGNIFICAND_BITS, Array

TYPES = ("F32", "F64")
COUNT = 600

# Function, the range where its results vary, and what mpmath says of one argument.
FUNCTIONS: dict[str, tuple[type, tuple[float, float], Callable[[mpmath.mpf], mpmath.mpf]]] = {
    "exp": (kina.ExpOp, (-104.0, 89.0), mp.exp),
    "log": (kina.LogOp, (0.25, 4.0), mp.log),
    "tanh": (kina.TanhOp, (-10.0, 10.0), mp.tanh),
    "sigmoid": (kina.SigmoidOp, (-104.0, 20.0), lambda x: 1 / (1 + mp.exp(-x))),
    "sin": (kina.SinOp, (-100.0, 100.0), mp.sin),
    "cos": (kina.CosOp, (-100.0, 100.0), mp.cos),
    "erf": (kina.ErfOp, (-4.0, 4.0), mp.erf),
    "rsqrt": (kina.RsqrtOp, (0.25, 4.0), lambda x: 1 / mp.sqrt(x)),
}
WIDER = {"exp": (-745.0, 710.0), "sigmoid": (-745.0, 40.0), "erf": (-6.0, 6.0)}
"""The ranges of F64 where they are not those of F32."""
POSITIVE = ("log", "rsqrt")

# Arguments known for being hard: near overflow and underflow, near multiples of pi / 2 (16367173 *
# 2^72 and 6381956970095103 * 2^797 are within 2^-29 and 2^-61 of one, found by W. Kahan), and where
# one approximation hands over to the next.
_NEAR_QUARTERS = (ldexp(16367173, 72), ldexp(6381956970095103, 797))
HARD: dict[str, list[float]] = {
    "exp": [88.7228, 88.7229, -87.3, -87.4, -103.9, -104.0, 709.78, 709.79, -745.1, -745.2, 1e-30],
    "log": [1e-45, 1e-38, 5e-324, 2.3e-308, 1e308, 3.4e38, 0.70710678, 0.70710679, 1.4142135],
    "tanh": [0.625, 0.62499994, 1e-40, 9.0, 20.0, 1e38],
    "sigmoid": [-88.0, -103.0, 89.0, -709.0, -745.0, 40.0],
    "sin": [pi, 1e22, *_NEAR_QUARTERS, 2.0**27, 2.0**28, 2.0**39, 2.0**40, 3.4e38],
    "cos": [pi / 2, 1e22, *_NEAR_QUARTERS, 2.0**28, 2.0**40, 3.4e38],
    "erf": [0.92, 0.91999996, 0.89, 0.8899999999999999, 3.9, 4.0, 5.9, 6.0, 1e-40, 30.0],
    "rsqrt": [1e-45, 5e-324, 1e308, 3.0],
}


def arguments(name: str, dtype: str) -> Array:
    """Spread over the range where results vary, over all exponents, and the hard ones."""
    generator = np.random.default_rng(7)
    low, high = FUNCTIONS[name][1]
    if dtype == "F64":
        low, high = WIDER.get(name, (low, high))
    top = 127 if dtype == "F32" else 1023
    exponents = generator.integers(LEAST_EXPONENT[dtype], top, COUNT)
    wide = np.ldexp(generator.uniform(1, 2, COUNT), exponents) * generator.choice([-1, 1], COUNT)
    turns = generator.integers(1, 2**20, COUNT) * (pi / 2)
    hard = np.array([*HARD[name], *(-x for x in HARD[name])])
    with np.errstate(over="ignore"):
        values = np.concatenate([generator.uniform(low, high, COUNT), wide, hard]).astype(
            DTYPES[dtype]
        )
    if name in ("sin", "cos"):
        values = np.concatenate([values, turns.astype(DTYPES[dtype])])
    values = values[np.isfinite(values) & (values != 0)]
    return np.abs(values) if name in POSITIVE else values


def powers(dtype: str) -> tuple[Array, Array]:
    """Bases over all exponents and near 1, with powers that keep the result in range."""
    generator = np.random.default_rng(8)
    reach = 100.0 if dtype == "F32" else 740.0
    base = np.concatenate(
        [
            np.exp(generator.uniform(-0.9 * reach, 0.85 * reach, COUNT)),
            1 + generator.uniform(-1, 1, COUNT) * 10.0 ** generator.uniform(-6, -0.5, COUNT),
        ]
    ).astype(DTYPES[dtype])
    base[base == 1] = 2
    wanted = generator.uniform(-reach, 0.85 * reach, 2 * COUNT)
    return base, (wanted / np.log(base.astype(np.float64))).astype(DTYPES[dtype])


CASES = (
    *(
        Case(f"{name}-{dtype}", (arguments(name, dtype),), applied(FUNCTIONS[name][0]))
        for name in FUNCTIONS
        for dtype in TYPES
    ),
    *(Case(f"pow-{dtype}", powers(dtype), applied(kina.PowOp)) for dtype in TYPES),
)


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Functions:
    return compile_cases(CASES, tmp_path_factory.mktemp("accuracy"))


def error(result: float, exact: mpmath.mpf, dtype: str) -> float:
    """The distance in units in the last place of the exact value; inf for a wrong infinity."""
    bits, least = SIGNIFICAND_BITS[dtype], LEAST_EXPONENT[dtype]
    largest = mp.mpf(2) ** (128 if dtype == "F32" else 1024)
    if abs(exact) >= largest * (1 - mp.mpf(2) ** (-bits - 1)):
        return 0.0 if result == (inf if exact > 0 else -inf) else inf
    if not np.isfinite(result):
        return inf
    if exact == 0:
        return abs(result)
    unit = mp.mpf(2) ** max(int(mp.floor(mp.log(abs(exact), 2))) - bits + 1, least)
    return float(abs(mp.mpf(result) - exact) / unit)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_at_most_two_units_in_the_last_place(case: Case, functions: Functions) -> None:
    name, dtype = case.name.split("-")
    results = functions[case.name](*case.operands)
    exact = mp.power if name == "pow" else FUNCTIONS[name][2]
    with mp.workprec(1400 if name in ("sin", "cos") else 200):
        errors = [
            error(float(result), exact(*(mp.mpf(float(x)) for x in xs)), dtype)
            for result, *xs in zip(results, *case.operands)
        ]
    worst = int(np.argmax(errors))
    assert errors[worst] <= 2.0, [operand[worst] for operand in case.operands]


# IEEE 754-2019, section 9.2.1.
EXCEPTIONS: dict[str, list[tuple[float, float]]] = {
    "exp": [(-inf, 0.0), (inf, inf), (0.0, 1.0), (-0.0, 1.0), (nan, nan)],
    "log": [
        (0.0, -inf),
        (-0.0, -inf),
        (inf, inf),
        (1.0, 0.0),
        (-1.0, nan),
        (-inf, nan),
        (nan, nan),
    ],
    "tanh": [(inf, 1.0), (-inf, -1.0), (0.0, 0.0), (-0.0, -0.0), (nan, nan)],
    "sigmoid": [(inf, 1.0), (-inf, 0.0), (0.0, 0.5), (nan, nan)],
    "sin": [(inf, nan), (-inf, nan), (0.0, 0.0), (-0.0, -0.0), (nan, nan)],
    "cos": [(inf, nan), (-inf, nan), (0.0, 1.0), (nan, nan)],
    "erf": [(inf, 1.0), (-inf, -1.0), (0.0, 0.0), (-0.0, -0.0), (nan, nan)],
    "rsqrt": [(0.0, inf), (-0.0, -inf), (inf, 0.0), (-1.0, nan), (nan, nan)],
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exceptional_arguments(name: str, dtype: str, functions: Functions) -> None:
    size = len(arguments(name, dtype))
    for argument, expected in EXCEPTIONS[name]:
        result = functions[f"{name}-{dtype}"](np.full(size, argument, DTYPES[dtype]))
        np.testing.assert_array_equal(result, np.full(size, expected, DTYPES[dtype]))
        assert np.all(np.signbit(result) == np.signbit(expected)) or np.isnan(expected)
