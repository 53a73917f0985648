"""The project's own programs keep every bit when they are simplified, and repeat to the byte."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from kina.abi import Parameter
from kina.elaborate import elaborate
from kina.oracle.interpreter import interpret
from kina.passes.simplify import simplify
from support.values import DTYPES, Array, shape_at, some_sizes

PROGRAMS = Path(__file__).absolute().parents[2] / "kina"

SMALL_LLAMA = """
import "{llama}" with L = 2, D = 8, H = 4, G = 2, Dh = 2, F = 12, V = 16,
    eps = 1e-5, rope_base = 10000.0
export small_prefill = forward[T = 5, S in 0..9]
export small_decode = decode[S in 1..9] donate(k_past, v_past)
"""


def argument(parameter: Parameter, seed: int, sizes: Mapping[str, int]) -> Array:
    """Reproducible values; integers, which are ids, positions and counts, are small."""
    shape = shape_at(parameter.shape, sizes)
    generator = np.random.default_rng([seed, *shape])
    if parameter.dtype == "I64":
        return np.asarray(generator.integers(1, 5, shape))
    return np.asarray(generator.standard_normal(shape)).astype(DTYPES[parameter.dtype])


def check(path: Path) -> int:
    """Checks every export of a program; their number."""
    once, again = elaborate(path), elaborate(path)
    for first, second in zip(once, again):
        signature = first.signature
        calls = [
            [argument(p, i, sizes) for i, p in enumerate(signature.parameters)]
            for sizes in some_sizes(signature.open)
        ]
        before = [interpret(first.module, arguments) for arguments in calls]
        size = len(list(first.module.walk()))
        simplify(first.module)
        first.module.verify()
        simplify(second.module)
        assert str(first.module) == str(second.module)
        assert len(list(first.module.walk())) <= size
        after = [interpret(first.module, arguments) for arguments in calls]
        for one, other in zip(after, before, strict=True):
            assert [x.tobytes() for x in one] == [x.tobytes() for x in other]
    return len(once)


@pytest.mark.parametrize(
    "program", ["forward", "generate", "sample", "prefill", "scratch", "any", "loss"]
)
def test_storylm0(program: str) -> None:
    assert check(PROGRAMS / f"storylm0_{program}.kina") > 0


def test_a_small_llama(tmp_path: Path) -> None:
    path = tmp_path / "small.kina"
    path.write_text(
        SMALL_LLAMA.format(llama=os.path.relpath(PROGRAMS / "models/llama.kina", tmp_path))
    )
    assert check(path) == 2
