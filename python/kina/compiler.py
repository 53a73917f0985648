"""The compiler as the list of its stages, each usable by itself: emit, build objects, link."""

from __future__ import annotations

import tempfile
from pathlib import Path

from kina.codegen import pipeline
from kina.codegen.header import header
from kina.codegen.link import OPENMP, Linked, LinkError, copy_whole, link
from kina.codegen.manifest import manifest
from kina.codegen.targets import Target
from kina.codegen.tools import CodeTools, Tools
from kina.emit import Emitted, emit, emit_one

__all__ = ["Emitted", "build_object", "compile_program", "emit", "emit_one"]


def build_object(module: str, script: str, target: Target, out: Path, tools: CodeTools) -> None:
    """One emitted signature as an object file."""
    pipeline.object_code(pipeline.llvm_ir(module, script, target, tools), target, out, tools)


def compile_program(source: Path, out: Path, target: Target, tools: Tools) -> Linked:
    """A program as one shared library, with its C header and what it needs at run time beside it.

    Raises KinaError for the program, LinkError for the place to write to.
    """
    beside = {"header": out.with_suffix(".h"), "OpenMP runtime": out.with_name(OPENMP)}
    for name, path in beside.items():
        if path == out:
            raise LinkError(f"cannot write {out}: that is the name of its {name}")
    emitted = emit(source, target)
    if not emitted:
        raise LinkError(f"{source} exports nothing: write `export NAME` for what hosts will call")
    if out.suffix == source.suffix:
        raise LinkError(f"cannot write {out}: a library does not take the name of a source")
    described = manifest(source.stem, [one.signature for one in emitted], target)
    with tempfile.TemporaryDirectory(prefix="kina-") as folder:
        objects = [Path(folder) / f"{one.signature.name}.o" for one in emitted]
        for one, path in zip(emitted, objects):
            build_object(one.module, one.schedule, target, path, tools.code)
        linked = link(objects, described, out, tools.link)
    beside["header"].write_text(header(described), encoding="utf-8")
    if linked.needs_openmp:
        copy_whole(tools.link.libomp, beside["OpenMP runtime"])
    return linked
