"""The compiler as the list of its stages, each usable by itself."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kina.abi import Signature
from kina.codegen import pipeline
from kina.codegen.header import header
from kina.codegen.link import OPENMP, Linked, LinkError, copy_whole, link
from kina.codegen.manifest import manifest
from kina.codegen.schedule import schedule
from kina.codegen.targets import Target
from kina.codegen.tools import CodeTools, Tools
from kina.elaborate import Elaborated, elaborate
from kina.lowering import lower
from kina.passes.simplify import simplify


@dataclass(frozen=True)
class Emitted:
    """One signature at the golden level: linalg on tensors, and the schedule for it."""

    signature: Signature
    module: str
    schedule: str


def emit(source: Path, target: Target, exports: Sequence[str] | None = None) -> list[Emitted]:
    """Check a program and lower its exports, all of them or those that are named.

    Raises KinaError with every diagnostic of the program.
    """
    return [emit_one(elaborated, target) for elaborated in elaborate(source, exports)]


def emit_one(elaborated: Elaborated, target: Target) -> Emitted:
    """Lower one signature, whose dialect module is used up."""
    simplify(elaborated.module)
    module = str(lower(elaborated.module)) + "\n"
    return Emitted(elaborated.signature, module, schedule(module, target))


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
