"""Cases of operations that act on each element by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from xdsl.ir import Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.dtypes import ELEMENT_TYPES, tensor
from kina.dialect.elementwise import PREDICATES
from support.case import Case, Tolerance, applied
from support.values import (
    ALL,
    DTYPES,
    FLOATS,
    INTEGERS,
    LEAST_EXPONENT,
    NUMBERS,
    SIGNIFICAND_BITS,
    Array,
    pairs,
    random,
    special,
)

SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (3, 5), (2, 1, 33), (0, 3))

ULPS: Mapping[str, float] = {"F64": 8, "F32": 4, "F16": 1, "BF16": 1}
"""How far an elementary function may be from the oracle, which is itself within 1."""


@dataclass(frozen=True)
class Elementary:
    """A function of one float, and where it is tried beyond the special values."""

    op: Callable[[SSAValue], Operation]
    low: float
    high: float
    bounded: bool = False
    """True where the result has a zero that no F32 argument hits: sin, cos."""


ELEMENTARY: Mapping[str, Elementary] = {
    "exp": Elementary(kina.ExpOp, -87.0, 88.0),
    "log": Elementary(kina.LogOp, 0.0, 1000.0),
    "rsqrt": Elementary(kina.RsqrtOp, 0.0, 1000.0),
    "tanh": Elementary(kina.TanhOp, -10.0, 10.0),
    "sigmoid": Elementary(kina.SigmoidOp, -90.0, 90.0),
    "sin": Elementary(kina.SinOp, -10000.0, 10000.0, bounded=True),
    "cos": Elementary(kina.CosOp, -10000.0, 10000.0, bounded=True),
    "erf": Elementary(kina.ErfOp, -4.0, 4.0),
}


def elementary_cases() -> Iterator[Case]:
    for op, function in ELEMENTARY.items():
        build = applied(function.op)
        for dtype in FLOATS:
            # Where the result is a denormal, a unit of it is all that is asked.
            absolute = 2.0 ** (LEAST_EXPONENT[dtype] + 1)
            if function.bounded:
                absolute = float(np.finfo(np.float64 if dtype == "F64" else np.float32).eps)
            tolerance = Tolerance(ULPS[dtype], absolute, either_zero=False)
            x = _special_arguments(op, dtype)
            yield Case(f"{op}-{dtype}-special", (x,), build, tolerance)
            ramp = np.linspace(function.low, function.high, 1001).astype(DTYPES[dtype])
            yield Case(f"{op}-{dtype}-ramp", (ramp,), build, tolerance)
            for shape in SHAPES:
                near = random(dtype, shape, seed=1)
                yield Case(f"{op}-{dtype}-{shape}", (near,), build, tolerance)


def _special_arguments(op: str, dtype: str) -> Array:
    values = special(dtype)
    if op in ("sin", "cos"):
        # The largest floats are many turns away from 0: no promise is made of their angle.
        finite = np.isfinite(values.astype(np.float64))
        return values[~finite | (np.abs(values.astype(np.float64)) < 1e5)]
    return values


def _two(dtype: str, shape: tuple[int, ...]) -> tuple[Array, Array]:
    return random(dtype, shape, seed=1), random(dtype, shape, seed=2)


def unary_cases() -> Iterator[Case]:
    """The exact ones."""
    for op, build, dtypes in (
        ("neg", kina.NegOp, NUMBERS),
        ("abs", kina.AbsOp, NUMBERS),
        ("sqrt", kina.SqrtOp, FLOATS),
        ("sign", kina.SignOp, NUMBERS),
        ("not", kina.NotOp, ("Bool",)),
    ):
        for dtype in dtypes:
            yield Case(f"{op}-{dtype}-special", (special(dtype),), applied(build))
            for shape in SHAPES:
                yield Case(f"{op}-{dtype}-{shape}", (random(dtype, shape),), applied(build))


ROUNDING: Mapping[str, Callable[[SSAValue], Operation]] = {
    "floor": kina.FloorOp,
    "ceil": kina.CeilOp,
    "round": kina.RoundOp,
    "trunc": kina.TruncOp,
    "isnan": kina.IsnanOp,
    "isinf": kina.IsinfOp,
}


def rounding_arguments(dtype: str) -> Array:
    """Halves and quarters, beside whole numbers, and where there is no more room for a fraction."""
    bits = SIGNIFICAND_BITS[dtype]
    near = np.arange(-20, 21) / 4
    large = [2.0**n + d for n in (bits - 2, bits - 1, bits) for d in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    one = [1 - 2.0**-bits, 1 + 2.0 ** (1 - bits), 0.5 - 2.0 ** (-1 - bits), 0.5 + 2.0**-bits]
    values = np.array([*near, *large, *(-x for x in large), *one, *(-x for x in one)])
    return np.concatenate([special(dtype), values.astype(DTYPES[dtype])])


def rounding_cases() -> Iterator[Case]:
    for op, build in ROUNDING.items():
        for dtype in FLOATS:
            yield Case(f"{op}-{dtype}-special", (rounding_arguments(dtype),), applied(build))
        for shape in SHAPES:
            yield Case(f"{op}-{shape}", (random("F32", shape),), applied(build))


BINARY: tuple[tuple[str, Callable[[SSAValue, SSAValue], Operation], tuple[str, ...]], ...] = (
    ("add", kina.AddOp, NUMBERS),
    ("sub", kina.SubOp, NUMBERS),
    ("mul", kina.MulOp, NUMBERS),
    ("div", kina.DivOp, NUMBERS),
    ("rem", kina.RemOp, NUMBERS),
    ("and", kina.AndOp, ("Bool",)),
    ("or", kina.OrOp, ("Bool",)),
)


def binary_cases() -> Iterator[Case]:
    for op, build, dtypes in BINARY:
        for dtype in dtypes:
            yield Case(f"{op}-{dtype}-special", pairs(dtype), applied(build))
            for shape in SHAPES:
                yield Case(f"{op}-{dtype}-{shape}", _two(dtype, shape), applied(build))


def extremum_cases() -> Iterator[Case]:
    """Exact: 0 is larger than -0."""
    for op, build in (("max", kina.MaxOp), ("min", kina.MinOp)):
        for dtype in NUMBERS:
            yield Case(f"{op}-{dtype}-special", pairs(dtype), applied(build))
            for shape in SHAPES:
                yield Case(f"{op}-{dtype}-{shape}", _two(dtype, shape), applied(build))


def pow_cases() -> Iterator[Case]:
    base = [0.0, 1.0, 2.0, 0.5, 3.0, 1.5, 10.0, np.inf]
    base = [*base, *(-x for x in base), np.nan]
    power = [0.0, 1.0, 2.0, 3.0, 0.5, 2.5, 4.0, np.inf]
    power = [*power, *(-x for x in power), np.nan]
    for dtype in FLOATS:
        tolerance = Tolerance(4 * ULPS[dtype], 2.0 ** (LEAST_EXPONENT[dtype] + 1))
        grid = np.array([(x, y) for x in base for y in power]).astype(DTYPES[dtype])
        columns = grid[:, 0].copy(), grid[:, 1].copy()
        yield Case(f"pow-{dtype}-special", columns, applied(kina.PowOp), tolerance)
        for shape in SHAPES:
            a, b = _two(dtype, shape)
            yield Case(f"pow-{dtype}-{shape}", (np.abs(a), b), applied(kina.PowOp), tolerance)


def compare_cases() -> Iterator[Case]:
    for predicate in PREDICATES:
        build = applied(partial(kina.CompareOp, predicate))
        for dtype in ALL:
            yield Case(f"compare-{predicate}-{dtype}", pairs(dtype), build)
            yield Case(f"compare-{predicate}-{dtype}-scalar", _two(dtype, ()), build)
        yield Case(f"compare-{predicate}-none", _two("F32", (0, 3)), build)


def select_cases() -> Iterator[Case]:
    for dtype in ALL:
        a, b = pairs(dtype)
        for name, where, x, y in (
            ("special", random("Bool", a.shape), a, b),
            ("scalar", np.array(True), a[0].reshape(()), b[-1].reshape(())),
            ("3x5", random("Bool", (3, 5)), random(dtype, (3, 5), 1), random(dtype, (3, 5), 2)),
            ("none", random("Bool", (0, 3)), random(dtype, (0, 3)), random(dtype, (0, 3))),
        ):
            yield Case(f"select-{dtype}-{name}", (where, x, y), applied(kina.SelectOp))


def cast_arguments(source: str) -> Array:
    """Values of a dtype that lie at, and just beside, where a cast to another changes."""
    values = special(source)
    if source == "Bool":
        return values
    if source in INTEGERS:
        # Halfway between two BF16, just below and above: 2**30 + half of 2**23, and so on.
        limits = np.iinfo(DTYPES[source])
        halfway = [2**30 + 2**22, 2**30 + 2**22 + 1, 2**30 + 2**22 - 1, 2049, 2051, 65519, 65520]
        wide = [2**53 + 1, 2**62 + 2**54, 2**62 + 2**54 + 1, 257, 258, 259, 128, 255]
        inside = [x for x in [*halfway, *wide] if x <= limits.max]
        extra = [*inside, *(-x for x in inside)]
        return np.concatenate([values, np.array(extra, DTYPES[source])])
    near_limits = [127.0, 127.5, 127.9, 128.0, 128.5, 129.0, 2.0**31, 2.0**31 - 1, 2.0**63, 1e20]
    ties = [0.5, 1.5, 2.5, 1.0 + 2.0**-8, 1.0 + 3 * 2.0**-8, 1.0 + 2.0**-11, 65519.0, 65520.0]
    twice = [1.0 + 2.0**-8 + 2.0**-40, 1.0 + 2.0**-8 - 2.0**-40, 1.0 + 2.0**-11 + 2.0**-40]
    small = [2.0**-25, 1.5 * 2.0**-25, 2.0**-134, 1.5 * 2.0**-134, 1e-40, 2.0**-150, 1e-300]
    extra_floats = [*near_limits, *ties, *twice, *small]
    with np.errstate(over="ignore"):
        more = np.array([*extra_floats, *(-x for x in extra_floats)]).astype(DTYPES[source])
    return np.concatenate([values, more])


def cast_cases() -> Iterator[Case]:
    for source in ALL:
        for target in ALL:
            element = ELEMENT_TYPES[target]
            for name, x in (
                (f"cast-{source}-{target}", cast_arguments(source)),
                (f"cast-{source}-{target}-scalar", random(source, ())),
                (f"cast-{source}-{target}-none", random(source, (0, 3))),
            ):
                yield Case(name, (x,), applied(kina.CastOp, element))


def constant_cases() -> Iterator[Case]:
    for dtype in ALL:
        values = special(dtype)
        for i, value in enumerate(values[:: max(1, len(values) // 8)]):
            type_ = tensor(ELEMENT_TYPES[dtype], SHAPES[i % len(SHAPES)])
            number = float(value) if dtype in FLOATS else int(value)
            name = f"constant-{dtype}-{value}"
            yield Case(name, (), applied(kina.ConstantOp, number, type_))


def elementwise_cases() -> Iterator[Case]:
    yield from elementary_cases()
    yield from unary_cases()
    yield from rounding_cases()
    yield from binary_cases()
    yield from extremum_cases()
    yield from pow_cases()
    yield from compare_cases()
    yield from select_cases()
    yield from cast_cases()
    yield from constant_cases()
