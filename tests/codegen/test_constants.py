"""What the compiler could compute itself follows the rules of what runs."""

from __future__ import annotations

import numpy as np
import pytest

import kina
from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.compiler import compile_program
from kina.runtime.module import Module

FLOATS = ("F64", "F32", "F16", "BF16")
PROGRAM = """
fn f{dtype}{place}() -> ({dtype}[], {dtype}[], I64[], {dtype}[5], {dtype}[]) {{
  let x = concat({parts}, axis=0)
  return (max(x, axis=0), min(x, axis=0), argmax(x, axis=0), softmax(x, axis=0), sum(x, axis=0))
}}
export f{dtype}{place}
"""


def program(dtype: str, place: int) -> str:
    numbers = [float(i) for i in range(5)]
    numbers[place] = float("nan")
    parts = ", ".join(f"full([1], {number}, dtype={dtype})" for number in numbers)
    return PROGRAM.format(dtype=dtype, place=place, parts=parts)


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Module:
    folder = tmp_path_factory.mktemp("constants")
    source = folder / "constants.kina"
    source.write_text("".join(program(dtype, place) for dtype in FLOATS for place in range(5)))
    compile_program(source, folder / "constants.so", target(), find_tools())
    return kina.load(folder / "constants.so")


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("dtype", FLOATS)
def test_a_constant_nan_at_each_of_five_places(module: Module, dtype: str, place: int) -> None:
    largest, smallest, first, shares, total = module.signatures[f"f{dtype}{place}"]()
    assert np.isnan(largest) and np.isnan(smallest) and np.isnan(total)
    assert first == place
    assert np.isnan(shares).all()
