"""Libraries of `.kina` text."""

from __future__ import annotations

from pathlib import Path

import kina
from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.compiler import compile_program
from kina.runtime import Module


def compile_text(text: str, folder: Path, threads: int | None = None) -> Module:
    """The library of a program, loaded."""
    source = folder / "program.kina"
    source.write_text(text)
    out = folder / "program.so"
    compile_program(source, out, target(), find_tools())
    return kina.load(out, threads=threads)
