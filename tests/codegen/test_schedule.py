"""Schedules: they apply where they should, hold what they need, and leave the numbers right."""

from pathlib import Path

import numpy as np
import pytest

import kina
from kina.codegen import pipeline
from kina.codegen.schedule import schedule
from kina.codegen.targets import Target, TargetError, target
from kina.codegen.tools import ToolError, find_tools
from kina.compiler import compile_program, emit

PROGRAM = """
fn nt[M, N, K](x: {dtype}[M, K], w: {dtype}[N, K]) -> {dtype}[M, N] {{ return x @ transpose(w) }}
fn nn[M, N, K](x: {dtype}[M, K], w: {dtype}[K, N]) -> {dtype}[M, N] {{ return x @ w }}
fn batch_nt[B, M, N, K](x: {dtype}[B, M, K], w: {dtype}[B, N, K]) -> {dtype}[B, M, N] {{
  return x @ transpose(w)
}}
fn batch_nn[B, M, N, K](x: {dtype}[B, M, K], w: {dtype}[B, K, N]) -> {dtype}[B, M, N] {{ return x @ w }}
"""

# Sizes that tile, sizes that tile in no direction, sizes large enough for threads.
SIZES = [
    (1, 8, 8),
    (1, 64, 576),
    (3, 128, 64),
    (4, 24, 16),
    (5, 7, 11),
    (3, 13, 6),
    (12, 1536, 64),
    (128, 48, 576),
    (33, 130, 66),
]


def programs(folder: Path, dtype: str) -> Path:
    exports = [
        f"export {form}_{m}_{n}_{k} = {form}[{batch}M = {m}, N = {n}, K = {k}]"
        for form, batch in [
            ("nt", ""),
            ("nn", ""),
            ("batch_nt", "B = 3, "),
            ("batch_nn", "B = 3, "),
        ]
        for m, n, k in SIZES
    ]
    path = folder / f"products_{dtype}.kina"
    path.write_text(PROGRAM.format(dtype=dtype) + "\n".join(exports) + "\n")
    return path


# Each accumulated product is off by at most K roundings of its terms: K * 2^-24 * K, as terms are below 1.
@pytest.mark.parametrize("dtype, numpy", [("F32", np.float32), ("F64", np.float64)])
@pytest.mark.parametrize("threads", [1, 2])
def test_every_form_and_size_multiplies(
    tmp_path: Path, dtype: str, numpy: type, threads: int
) -> None:
    source = programs(tmp_path, dtype)
    compile_program(source, tmp_path / "products.so", target(), find_tools())
    module = kina.load(tmp_path / "products.so", threads=threads)
    rng = np.random.default_rng(7)
    for signature in module.manifest.signatures:
        x, w = (rng.uniform(-1, 1, p.shape).astype(numpy) for p in signature.parameters)
        exact = np.float64(x) @ np.float64(w.swapaxes(-1, -2) if "nt" in signature.name else w)
        found = getattr(module, signature.name)(x, w)
        k = x.shape[-1]
        np.testing.assert_allclose(found, exact, rtol=0, atol=k * k * np.finfo(numpy).eps / 2)


@pytest.mark.parametrize("name", ["x86-64-v2", "x86-64-v3", "x86-64-v4", "armv8.2-a"])
def test_what_has_a_tiling_is_tiled(tmp_path: Path, name: str) -> None:
    processor = target(name)
    source = tmp_path / "tiled.kina"
    source.write_text(
        PROGRAM.format(dtype="F32")
        + "export a = nt[M = 4, N = 48, K = 64]\nexport b = batch_nn[B = 2, M = 4, N = 32, K = 8]\n"
    )
    for one in emit(source, processor):
        assert "kina.op" in one.module
        tiled = pipeline.run_mlir(one.module, one.schedule, "tiled", find_tools().code)
        assert "kina.op" not in tiled and "vector" in tiled


def test_a_schedule_holds_only_what_its_module_needs() -> None:
    dot = 'linalg.generic {kina.op = "matmul_nt_4x8x16_f32"}'
    outer = 'linalg.generic {kina.op = "matmul_nn_4x8x16_f32"}'
    processor = target("x86-64-v3")
    assert "outer product" not in schedule(dot, processor)
    assert "partial sums" not in schedule(outer, processor)
    assert schedule(dot, processor) == schedule(dot + dot, processor)


def test_an_unknown_target_is_named_with_those_that_are_known() -> None:
    with pytest.raises(TargetError, match="unknown target_cpu 'x87': expected one of .*x86-64-v3"):
        target("x87")


def test_a_target_takes_features() -> None:
    found = target("x86-64-v3+avxvnni")
    assert found.name == "x86-64-v3+avxvnni" and "-mattr=+avxvnni" in found.llvm_options
    with pytest.raises(TargetError, match="unknown feature 'sse9' of target_cpu"):
        target("x86-64-v3+sse9")


def test_a_failing_tool_is_named_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="^mlir-opt failed with status 1: .*error") as caught:
        pipeline.run_mlir("not mlir", schedule("", _any()), "tiled", find_tools().code)
    assert "\n" not in str(caught.value)


def test_a_missing_tool_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [])
    with pytest.raises(ToolError, match="mlir-opt was not found: install it with `pip install"):
        find_tools()


def _any() -> Target:
    return target("x86-64-v3")
