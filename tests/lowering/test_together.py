"""Small programs whose lowering went wrong: decisions that depend on each other.

tests/fuzz finds them; each stands here for its kind, and gives what the oracle gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.compiler import compile_program
from kina.elaborate import elaborate
from kina.oracle.interpreter import interpret
from kina.runtime import load
from support.values import DTYPES, Array, distinct


@dataclass(frozen=True)
class Program:
    """A program of one export, and its arguments."""

    text: str
    arguments: tuple[Array, ...]


PROGRAMS: Mapping[str, Program] = {
    # What does not depend on the inner loop, at length: LLVM took minutes to interleave the loop.
    "a long computation beside a loop": Program(
        """
        fn f(x: BF16[17, 1], y: BF16[1, 17]) -> BF16[17, 17] {
          return erf(erf(x)) @ y
        }
        export f
        """,
        (
            np.linspace(-2, 2, 17).reshape(17, 1).astype(DTYPES["BF16"]),
            np.ones((1, 17), DTYPES["BF16"]),
        ),
    ),
    # One rank-reducing slice stands for a slice and the reshape after it, but not for any reshape.
    "slice, unit axes moved": Program(
        """
        fn f(x: F32[1, 1, 3], i: I64[]) -> F32[2, 1] {
          return reshape(slice(x, at=[0, 0, i], size=[1, 1, 2]), [2, 1])
        }
        export f
        """,
        (distinct("F32", (1, 1, 3)), np.asarray(1)),
    ),
    # MLIR unrolls the loop and finds the two zeros that the products begin with to be one.
    "a loop of one iteration beside a product": Program(
        """
        fn f(t: F64[2, 2]) -> (Bool[2, 2], F64[2, 2]) {
          let a = abs(t)
          let b = for i in 1..2 with c = a { yield t @ a }
          return (b != b, sqrt(t) @ a)
        }
        export f
        """,
        (distinct("F64", (2, 2)),),
    ),
    # LLVM compares BF16 by way of a function that no library here has.
    "a BF16 beside others that is cast to Bool": Program(
        """
        fn f(x: BF16[], y: BF16[2, 2]) -> (Bool[], BF16[2, 2]) {
          return (cast(x, Bool), y @ y)
        }
        export f
        """,
        (np.asarray(1.5, DTYPES["BF16"]), distinct("BF16", (2, 2))),
    ),
    # LLVM makes one choice of such a loop: between scalars of a type that it need not convert.
    "a loop that takes a BF16": Program(
        """
        fn f(n: I64[], x: BF16[], y: BF16[]) -> BF16[] {
          return for i in 0..n with s = x { yield y }
        }
        export f
        """,
        (np.asarray(3), np.asarray(1.5, DTYPES["BF16"]), np.asarray(2.5, DTYPES["BF16"])),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gives_what_the_oracle_gives(name: str, tmp_path: Path) -> None:
    program, source, library = PROGRAMS[name], tmp_path / "f.kina", tmp_path / "f.so"
    source.write_text(program.text)
    (exported,) = elaborate(source)
    expected = interpret(exported.module, program.arguments)
    compile_program(source, library, target(), find_tools())
    found = load(library).f(*program.arguments)
    found = found if isinstance(found, tuple) else (found,)
    for result, right in zip(found, expected, strict=True):
        assert result.dtype == right.dtype
        np.testing.assert_array_equal(result, right)
