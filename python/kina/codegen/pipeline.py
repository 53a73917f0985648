"""The passes from linalg on tensors to object code, in the order in which they run."""

from __future__ import annotations

import tempfile
from pathlib import Path

from kina.codegen.targets import Target
from kina.codegen.tools import CodeTools, run_tool

_TILE = [
    # Elementary functions are functions of the module at the golden level.
    "--inline",
    "--symbol-dce",
    "--transform-interpreter=entry-point=tile",
    "--canonicalize",
    "--cse",
    # After tiling, so that what feeds a contraction is computed once and not in every tile.
    "--linalg-fuse-elementwise-ops",
    "--canonicalize",
    "--cse",
]

_BUFFERIZE = [
    "--eliminate-empty-tensors",
    "--empty-tensor-to-alloc-tensor",
    "--transform-interpreter=entry-point=bufferize",
    "--canonicalize",
    "--cse",
    "--drop-equivalent-buffer-results",
    # Before buffers are freed: one that leaves a loop must be freed outside it.
    "--buffer-hoisting",
    "--buffer-loop-hoisting",
    "--ownership-based-buffer-deallocation",
    "--canonicalize",
    "--buffer-deallocation-simplification",
    "--bufferization-lower-deallocations",
    "--canonicalize",
    "--cse",
]

_LOOPS = [
    "--convert-linalg-to-loops",
    "--scf-forall-to-parallel",
    "--transform-interpreter=entry-point=lower_vectors",
    "--cse",
    "--loop-invariant-code-motion",
    "--convert-vector-to-scf",
    "--convert-scf-to-openmp",
    "--canonicalize",
]

_LLVM = [
    "--convert-scf-to-cf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-vector-to-llvm=enable-x86vector=false",
    "--finalize-memref-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-openmp-to-llvm",
    "--convert-func-to-llvm",
    "--convert-index-to-llvm",
    "--convert-ub-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
]

STAGES = {
    "tiled": _TILE,
    "buffers": [*_TILE, *_BUFFERIZE],
    "llvm-dialect": [*_TILE, *_BUFFERIZE, *_LOOPS, *_LLVM],
}
"""What `mlir-opt` runs to reach each stage."""


def run_mlir(module: str, schedule: str, stage: str, tools: CodeTools) -> str:
    """A module at the golden level, taken to one of `STAGES`; text in, text out."""
    return _run_mlir(module, schedule, stage, tools).decode()


def _run_mlir(module: str, schedule: str, stage: str, tools: CodeTools, *options: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="kina-") as folder:
        script = Path(folder) / "schedule.mlir"
        script.write_text(schedule, encoding="utf-8")
        library = f"--transform-preload-library=transform-library-paths={script}"
        return run_tool([tools.mlir_opt, library, *options, *STAGES[stage]], module.encode())


def llvm_ir(
    module: str, schedule: str, target: Target, tools: CodeTools, opt_level: int = 3
) -> str:
    """The module as LLVM IR, optimized at `-O<opt_level>`."""
    # `run_mlir` verifies after every pass; here mlir-translate verifies what comes out of all of them.
    fast = ("--verify-each=false", "--emit-bytecode")
    lowered = _run_mlir(module, schedule, "llvm-dialect", tools, *fast)
    translated = run_tool([tools.mlir_translate, "--mlir-to-llvmir"], lowered)
    # The schedules have tiled what is worth it: unrolling again only makes four times the code. Nor are
    # vector loops interleaved: LLVM 22 takes minutes for one with a long computation that does not
    # depend on the loop (isUniformAcrossVFsAndUFs follows every path through it anew).
    unrolled = ["-disable-loop-unrolling", "-force-vector-interleave=1"]
    options = [f"-O{opt_level}", *unrolled, f"-mtriple={target.triple}"]
    return run_tool([tools.opt, "-S", *options, *target.llvm_options], translated).decode()


def assembly(ir: str, target: Target, tools: CodeTools, opt_level: int = 3) -> str:
    """Optimized LLVM IR as assembly text."""
    return run_tool([tools.llc, *_llc_options(target, opt_level)], ir.encode()).decode()


def build_object(
    module: str, schedule: str, target: Target, out: Path, tools: CodeTools, opt_level: int = 3
) -> None:
    """The module as a position-independent object file."""
    ir = llvm_ir(module, schedule, target, tools, opt_level)
    run_tool([tools.llc, *_llc_options(target, opt_level), "-filetype=obj", "-o", out], ir.encode())


def _llc_options(target: Target, opt_level: int) -> list[str]:
    return [
        f"-O{opt_level}",
        f"-mtriple={target.triple}",
        *target.llvm_options,
        "-relocation-model=pic",
        "-function-sections",
    ]
