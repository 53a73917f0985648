"""Where the files of a compiled program go, and what must not lie there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kina.abi import OPENMP
from kina.codegen.link import LinkError, check_place
from kina.files import same_file


@dataclass(frozen=True)
class Places:
    """The files that a compiled program consists of."""

    library: Path
    header: Path
    openmp: Path
    """Written for parallel code only."""


def places_beside(out: Path) -> Places:
    """The places of a library and of what goes beside it; LinkError where one cannot be written."""
    check_place(out)
    if out.suffix == ".kina":
        raise LinkError(f"cannot write {out}: a library does not take the name of a source")
    places = Places(out, out.with_suffix(".h"), out.with_name(OPENMP))
    for name, path in {"header": places.header, "OpenMP runtime": places.openmp}.items():
        if path == out:
            raise LinkError(f"cannot write {out}: that is the name of its {name}")
        check_place(path)
    return places


def spare(sources: Iterable[Path], places: Places) -> None:
    """LinkError where a file of the compiled program would take the place of one of its sources."""
    for source in sources:
        for path in (places.library, places.header, places.openmp):
            if same_file(path, source):
                raise LinkError(f"cannot write {path}: it is a source of the program")
