"""What the oracle gives for one operation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kina.oracle.interpreter import interpret
from support.case import Build, Case, module_of
from support.values import DTYPES, Array


def evaluate(build: Build, *operands: Array) -> Array:
    """The one result of an operation on these operands."""
    (result,) = evaluate_all(build, *operands)
    return result


def evaluate_all(build: Build, *operands: Array) -> tuple[Array, ...]:
    """Every result of an operation on these operands."""
    module = module_of(Case("evaluate", operands, build))
    module.verify()
    return interpret(module, operands)


def array(values: object, dtype: str) -> Array:
    """An array of Kina's dtype of that name; a float too large for it is an infinity."""
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(DTYPES[dtype])


def floats(x: Array) -> list[float]:
    """The elements, in order, as Python floats."""
    return [float(value) for value in x.ravel()]


def ints(x: Array) -> list[int]:
    """The elements, in order, as Python integers."""
    return [int(value) for value in x.ravel()]


def same(actual: Sequence[float], expected: Sequence[float]) -> bool:
    """Equal values in equal order, where NaN equals NaN and -0.0 is not 0.0."""
    return len(actual) == len(expected) and all(
        repr(float(a)) == repr(float(e)) for a, e in zip(actual, expected)
    )
