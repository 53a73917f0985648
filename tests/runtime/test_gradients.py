"""Gradients, compiled, beside the oracle, which gives them by the same rules.

That the rules are right is for tests/passes/test_differentiate.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from compiling import compile_text

from kina.elaborate import Elaborated, elaborate
from kina.oracle.interpreter import interpret
from kina.runtime import Module
from support.values import DTYPES, Array, shape_at, small_integers

# Whole numbers of small magnitude: every sum is exact, in whatever order.
EXACT = {
    "product": "(x: F32[2, S, 3], w: F32[3, 2]) -> F32[] { return sum(x @ broadcast(w), axis=[0, 1, 2]) }",
    "batches": "(a: F32[1, 2, S], b: F32[3, S, 2]) -> F32[] { return sum(a @ b, axis=[0, 1, 2]) }",
    "largest": "(x: F32[S, 4]) -> F32[] { return sum(max(x, axis=1) * 2.0, axis=0) + max(x, axis=[0, 1]) }",
    "top": "(x: F32[S, 4]) -> F32[] { let (v, i) = top_k(x, k=2, axis=1) return sum(v * v, axis=[0, 1]) }",
    "rows": "(t: F32[3, 2], ids: I64[S]) -> F32[] { let g = gather(t, ids) return sum(g * g, axis=[0, 1]) }",
    "rows32": "(t: F32[3], ids: I32[2, 2]) -> F32[] { return sum(gather(t, ids) * 3.0, axis=[0, 1]) }",
    "moved": """(x: F32[S, 2], y: F32[1, 2], v: F32[]) -> F32[] {
        let p = pad(concat(x, y, axis=0), low=[1, 0], high=[0, 1], value=v)
        return sum(transpose(p) * broadcast(p[1, 0]) * 2.0, axis=[0, 1])
    }""",
    "written": """(x: F32[S + 2], b: F32[2], i: I64[]) -> F32[] {
        let y = update(x, b, at=[i])
        return sum(y * y, axis=0) + sum(slice(x, at=[i + 1], size=[2]) * b, axis=0)
    }""",
    "halves": "(x: BF16[S], y: F16[S]) -> F32[] { return sum(cast(x * x, F32) + cast(y, F32), axis=0) }",
    "layers": """(w: F32[3, 2, 2], x: F32[S, 2]) -> F32[] {
        let h = for i in 0..3 with h = x { yield max(h @ w[i], 0.0) - h }
        return sum(h, axis=[0, 1])
    }""",
    "positions": """(x: F32[S, 2], w: F32[2]) -> F32[] {
        let (h, s) = for i in 0..S with h = w, s = full([2], 0.0) {
            yield (max(x[i], h), s + h * w)
        }
        return sum(s + h, axis=0)
    }""",
    "nested": """(w: F32[2, S]) -> F32[] {
        let (u, v) = for i in 0..2 with u = w, v = 0 {
            let r = for j in 0..S with r = u {
                yield update(r, slice(w, at=[i, j], size=[1, 1]) - slice(r, at=[0, j], size=[1, 1]), at=[i, j])
            }
            yield (r + u, v + 1)
        }
        return sum(u * u * broadcast(cast(v, F32)), axis=[0, 1])
    }""",
}
CLOSE = {
    "functions": """(x: F32[S], y: F32[S]) -> F32[] {
        let a = tanh(x) * sigmoid(y) + sin(x) * cos(y) + erf(x) - exp(y * 0.25)
        let b = log(abs(x) + 1.0) + sqrt(abs(y) + 1.0) * rsqrt(abs(x) + 2.0) + pow(abs(x) + 1.0, y)
        return mean(a / (abs(b) + 1.0) + softmax(x, axis=0) * y, axis=0)
    }""",
}
# Where nothing, or all, of a parameter comes back.
ENDS = {
    "itself": "(x: F32[]) -> F32[] { return x }",
    "one": "(a: F32[], b: F32[], unused: F32[3], n: I64[]) -> F32[] { return a + b }",
    "constant": "(x: F32[], y: F32[2]) -> F32[] { return 2.0 }",
}
SIZES = [1, 2, 5, 9]
PROGRAM = "\n".join(
    f"reverseMode fn the_{name}[S]{rest}\nexport {name} = the_{name}[S in 1..9]"
    if "S" in rest.partition("->")[0]
    else f"reverseMode fn the_{name}{rest}\nexport {name} = the_{name}"
    for name, rest in {**EXACT, **CLOSE, **ENDS}.items()
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Module:
    return compile_text(PROGRAM, tmp_path_factory.mktemp("gradients"))


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Elaborated]:
    path = tmp_path_factory.mktemp("gradients") / "program.kina"
    path.write_text(PROGRAM)
    return {one.signature.name: one for one in elaborate(path)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [*EXACT, *CLOSE, *ENDS])
def test_compiled_is_interpreted(
    program: Module, modules: Mapping[str, Elaborated], name: str, size: int
) -> None:
    gradient = modules[f"{name}_gradient"]
    values = [
        value(parameter.dtype, shape_at(parameter.shape, {"S": size}), seed)
        for seed, parameter in enumerate(gradient.signature.parameters)
    ]
    found = getattr(program, f"{name}_gradient")(*values)
    expected = interpret(gradient.module, values)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        # Of `CLOSE` each result is a handful of float32 operations on numbers of magnitude 1.
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-5 if name in CLOSE else 0)
    only = getattr(program, name)(*values)
    np.testing.assert_array_equal(only, found[0])


def test_nothing_along_an_open_dimension(tmp_path: Path) -> None:
    """The sum over the ids of `t[id] * y ** S`, where S is the number of ids."""
    text = """
        reverseMode fn powers[S](t: F32[3], ids: I64[S], y: F32[S]) -> F32[] {
          return sum(for i in 0..S with h = gather(t, ids) { yield h * y }, axis=0)
        }
        export f = powers[S in 0..3]
    """
    program = compile_text(text, tmp_path)
    t, nothing = np.array([2, 3, 4], np.float32), np.zeros(0, np.float32)
    value, by_t, by_y = program.f_gradient(t, nothing.astype(np.int64), nothing)
    assert (value, by_t.tolist(), by_y.tolist()) == (0, [0, 0, 0], [])
    ids, y = np.array([1, 1]), np.array([5, -1], np.float32)
    value, by_t, by_y = program.f_gradient(t, ids, y)
    # 3 * 25 + 3 * 1; 25 + 1 for the one row; 2 * 3 * y.
    assert (value, by_t.tolist(), by_y.tolist()) == (78, [0, 26, 0], [30, -6])


def value(dtype: str, shape: tuple[int, ...], seed: int) -> Array:
    """Whole numbers in -2..2; those of an integer dtype are ids of three rows."""
    drawn = small_integers(dtype, shape, seed, limit=2)
    return np.abs(drawn) if DTYPES[dtype].kind == "i" else drawn
