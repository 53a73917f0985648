"""The compiler as the list of its stages, each usable by itself: emit, build objects, link."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from pathlib import Path

from kina.codegen.header import header
from kina.codegen.link import Linked, LinkError, copy_whole, link
from kina.codegen.manifest import manifest
from kina.codegen.pipeline import build_object
from kina.codegen.places import places_beside, spare
from kina.codegen.targets import Target
from kina.codegen.tools import Tools
from kina.elaborate import check
from kina.emit import Emitted, emit, emit_one

__all__ = ["Emitted", "build_object", "compile_program", "emit", "emit_one"]


def compile_program(
    source: Path, out: Path, target: Target, tools: Tools, exports: Collection[str] | None = None
) -> Linked:
    """A program as one shared library, with its C header and what it needs at run time beside it.

    Of its exports all, or those in `exports`.

    Raises KinaError for the program, LinkError for the place to write to.
    """
    places = places_beside(out)
    program = check(source)
    if not program.elaborated:
        raise LinkError(f"{source} exports nothing: write `export NAME` for what hosts will call")
    spare(map(Path, program.sources), places)
    emitted = [
        emit_one(one, target)
        for one in program.elaborated
        if exports is None or one.signature.name in exports
    ]
    described = manifest(source.stem, [one.signature for one in emitted], target)
    with tempfile.TemporaryDirectory(prefix="kina-") as folder:
        objects = [Path(folder) / f"{one.signature.name}.o" for one in emitted]
        for one, path in zip(emitted, objects):
            build_object(one.module, one.schedule, target, path, tools.code)
        linked = link(objects, described, out, tools.link)
        text = Path(folder) / "header.h"
        text.write_text(header(described), encoding="utf-8")
        try:
            copy_whole(text, places.header, mode=0o644)
            if linked.needs_openmp:
                copy_whole(tools.link.libomp, places.openmp)
        except OSError as problem:
            raise LinkError(f"cannot write beside {out}: {problem.strerror}") from None
    return linked
