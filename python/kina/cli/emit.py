"""`kina emit`: what the compiler makes of a program, at any of its stages, as text."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kina.cli import console
from kina.cli.main import UserError

if TYPE_CHECKING:
    from kina.codegen.targets import Target
    from kina.elaborate import Elaborated

VALUES: Sequence[str] = ()

STAGES: Final[Mapping[str, str]] = {
    "kina": "the kina dialect, one module per export",
    "linalg": "linalg on tensors, the level of the goldens (default)",
    "schedule": "how the linalg is to be tiled and vectorized",
    "tiled": "tiled and vectorized, still on tensors",
    "buffers": "bufferized",
    "llvm-dialect": "the LLVM dialect of MLIR",
    "llvm": "optimized LLVM IR",
    "asm": "assembly",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of `kina emit`."""
    stages = "; ".join(f"{name}: {text}" for name, text in STAGES.items())
    parser.add_argument("source", type=Path, help="the program, a .kina file")
    parser.add_argument("--stage", choices=STAGES, default="linalg", help=stages)
    parser.add_argument("--export", metavar="NAME", help="of this export only")
    parser.add_argument("--target_cpu", metavar="CPU", help="default: this machine's baseline")


def run(arguments: argparse.Namespace) -> int:
    """Write the text of every export to standard output."""
    from kina.codegen.targets import TargetError, target
    from kina.codegen.tools import ToolError
    from kina.elaborate import elaborate
    from kina.syntax.source import KinaError

    console.require_output()
    exports = None if arguments.export is None else [arguments.export]
    try:
        processor = target(arguments.target_cpu)
        for elaborated in elaborate(arguments.source, exports):
            console.write(_text(elaborated, arguments.stage, processor))
    except KinaError as problem:
        console.complain(str(problem))
        return 1
    except (TargetError, ToolError) as problem:
        raise UserError(str(problem)) from problem
    return 0


def _text(elaborated: Elaborated, stage: str, processor: Target) -> str:
    from kina.codegen import pipeline
    from kina.codegen.tools import find_tools
    from kina.compiler import emit_one

    if stage == "kina":
        return str(elaborated.module) + "\n"
    emitted = emit_one(elaborated, processor)
    if stage == "linalg":
        return emitted.module
    if stage == "schedule":
        return emitted.schedule
    tools = find_tools().code
    if stage in pipeline.STAGES:
        return pipeline.run_mlir(emitted.module, emitted.schedule, stage, tools)
    ir = pipeline.llvm_ir(emitted.module, emitted.schedule, processor, tools)
    return ir if stage == "llvm" else pipeline.assembly(ir, processor, tools)
