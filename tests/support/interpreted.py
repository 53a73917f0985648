"""A compiled program beside the oracle's interpreter, signature by signature."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kina.abi import Parameter
from kina.elaborate import elaborate
from kina.oracle.interpreter import interpret
from kina.runtime.npy import nested
from support.values import DTYPES, Array, shape_at, some_sizes

TOLERANCE = 1e-5
"""Sums of a dozen float32 products of magnitude 1, in whatever order."""


def assert_as_interpreted(program: Any, source: Path) -> None:
    """Every export of `source` gives, compiled, what the oracle gives for the same arguments."""
    exported = elaborate(source)
    assert [e.signature.name for e in exported] == [s.name for s in program.manifest.signatures]
    for each in exported:
        signature = each.signature
        for sizes in some_sizes(signature.open):
            values = [_value(p, i, sizes) for i, p in enumerate(signature.parameters)]
            expected = interpret(each.module, [value.copy() for value in values])
            found = getattr(program, signature.name)(**nested(signature, values))
            found = found if isinstance(found, tuple) else (found,)
            for one, other in zip(found, expected, strict=True):
                assert one.dtype == other.dtype
                where = f"{signature.name}, {sizes}"
                np.testing.assert_allclose(one, other, rtol=0, atol=TOLERANCE, err_msg=where)


def _value(parameter: Parameter, seed: int, sizes: Mapping[str, int]) -> Array:
    """Reproducible values; integers are ids and positions, so they are small."""
    shape = shape_at(parameter.shape, sizes)
    random = np.random.default_rng([seed, *shape])
    if parameter.dtype == "I64":
        return np.asarray(random.integers(0, 8, shape))
    return np.asarray(random.standard_normal(shape)).astype(DTYPES[parameter.dtype])
