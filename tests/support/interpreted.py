"""A compiled program beside the oracle's interpreter, signature by signature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from kina.abi import Parameter, Signature
from kina.elaborate import elaborate
from kina.oracle.interpreter import interpret
from support.values import DTYPES, Array

TOLERANCE = 1e-5
"""Sums of a dozen float32 products of magnitude 1, in whatever order."""


def assert_as_interpreted(program: Any, source: Path) -> None:
    """Every export of `source` gives, compiled, what the oracle gives for the same arguments."""
    exported = elaborate(source)
    assert [e.signature.name for e in exported] == [s.name for s in program.manifest.signatures]
    for each in exported:
        signature = each.signature
        values = [_value(p, i) for i, p in enumerate(signature.parameters)]
        expected = interpret(each.module, [value.copy() for value in values])
        found = getattr(program, signature.name)(**_arguments(signature, values))
        found = found if isinstance(found, tuple) else (found,)
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=0, atol=TOLERANCE, err_msg=signature.name)


def _value(parameter: Parameter, seed: int) -> Array:
    """Reproducible values; integers are ids and positions, so they are small."""
    random = np.random.default_rng([seed, *parameter.shape])
    if parameter.dtype == "I64":
        return np.asarray(random.integers(0, 8, parameter.shape))
    return np.asarray(random.standard_normal(parameter.shape)).astype(DTYPES[parameter.dtype])


def _arguments(signature: Signature, values: list[Array]) -> dict[str, Any]:
    """By the names of the function's parameters; a record is the mapping of its fields."""
    arguments: dict[str, Any] = {}
    for parameter, value in zip(signature.parameters, values, strict=True):
        name, _, field = parameter.name.partition(".")
        if field:
            arguments.setdefault(name, {})[field] = value
        else:
            arguments[name] = value
    return arguments
