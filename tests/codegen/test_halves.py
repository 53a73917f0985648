"""F16 on x86-64 processors without instructions for it: the same numbers as NumPy's, in software."""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest

import kina
from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.compiler import compile_program
from kina.runtime.module import Module

PROGRAM = """
dim N = 65536
fn widen(x: F16[N]) -> (F32[N], F64[N], F16[N]) { return (cast(x, F32), cast(x, F64), x + x) }
fn narrow(x: F32[N]) -> F16[N] { return cast(x, F16) }
export widen
export narrow
"""
EVERY = np.arange(65536, dtype=np.uint16).view(np.float16)


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Module:
    if platform.machine() != "x86_64":
        pytest.skip("the code is for x86-64")
    folder: Path = tmp_path_factory.mktemp("halves")
    source = folder / "halves.kina"
    source.write_text(PROGRAM)
    compile_program(source, folder / "halves.so", target("x86-64"), find_tools())
    return kina.load(folder / "halves.so")


def test_every_half_is_itself_in_wider_floats(module: Module) -> None:
    single, double, twice = module.widen(EVERY)
    np.testing.assert_array_equal(single, EVERY.astype(np.float32))
    np.testing.assert_array_equal(double, EVERY.astype(np.float64))
    np.testing.assert_array_equal(np.signbit(single), np.signbit(EVERY))
    with np.errstate(over="ignore", invalid="ignore"):
        np.testing.assert_array_equal(twice, EVERY + EVERY)


def singles() -> np.ndarray:
    """Every half, the midpoints between neighbours, and what lies next to either."""
    values = EVERY.astype(np.float32)
    with np.errstate(all="ignore"):
        middles = ((values[:-1].astype(np.float64) + values[1:]) / 2).astype(np.float32)
        edges = np.array([65519.996, 65520, 1e38, 1e-45, 2**-25], np.float32)
        x = np.concatenate([values, middles, edges])
        return np.concatenate(
            [x, np.nextafter(x, np.float32(np.inf)), np.nextafter(x, np.float32(-np.inf))]
        )


def test_a_single_rounds_to_nearest_even(module: Module) -> None:
    x = singles()
    x = np.concatenate([x, np.zeros(-len(x) % 65536, np.float32)]).reshape(-1, 65536)
    for row in x:
        with np.errstate(over="ignore"):
            expected = row.astype(np.float16)
        found = module.narrow(row)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))
