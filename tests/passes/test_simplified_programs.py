"""The project's own programs keep every bit when they are simplified, and repeat to the byte."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from kina.abi import Parameter
from kina.elaborate import elaborate
from kina.oracle.interpreter import interpret
from kina.passes.simplify import simplify
from support.values import DTYPES, Array

PROGRAMS = Path(__file__).absolute().parents[2] / "kina"

SMALL_LLAMA = """
import "{llama}" with L = 2, D = 8, H = 4, G = 2, Dh = 2, F = 12, V = 16, C = 32, Block = 8,
    eps = 1e-5, rope_base = 10000.0
export small_prefill = forward[T = 5]
export small_decode = decode
"""


def argument(parameter: Parameter, seed: int) -> Array:
    """Reproducible values; integers, which are ids, positions and counts, are small."""
    generator = np.random.default_rng([seed, *parameter.shape])
    if parameter.dtype == "I64":
        return np.asarray(generator.integers(1, 5, parameter.shape))
    return np.asarray(generator.standard_normal(parameter.shape)).astype(DTYPES[parameter.dtype])


def check(path: Path) -> int:
    """Checks every export of a program; their number."""
    once, again = elaborate(path), elaborate(path)
    for first, second in zip(once, again):
        arguments = [argument(p, i) for i, p in enumerate(first.signature.parameters)]
        before = interpret(first.module, arguments)
        size = len(list(first.module.walk()))
        simplify(first.module)
        first.module.verify()
        simplify(second.module)
        assert str(first.module) == str(second.module)
        assert len(list(first.module.walk())) <= size
        after = interpret(first.module, arguments)
        assert [x.tobytes() for x in after] == [x.tobytes() for x in before]
    return len(once)


@pytest.mark.parametrize("program", ["forward", "generate", "sample", "prefill", "scratch"])
def test_storylm0(program: str) -> None:
    assert check(PROGRAMS / f"storylm0_{program}.kina") > 0


def test_a_small_llama(tmp_path: Path) -> None:
    path = tmp_path / "small.kina"
    path.write_text(
        SMALL_LLAMA.format(llama=os.path.relpath(PROGRAMS / "models/llama.kina", tmp_path))
    )
    assert check(path) == 2
