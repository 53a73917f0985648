"""A compiled program as a person reads it: what its file holds, without loading it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from kina.abi import Manifest, Signature
from kina.elf import SharedObject
from kina.runtime.dtypes import describe_parameter, describe_result
from kina.runtime.library import read_library


def inspect_library(path: str | os.PathLike[str]) -> str:
    """The manifest, the sizes and the symbols of a library for any processor, as lines of text.

    Raises:
        LoadError: the file cannot be read, is damaged, is no Kina library or speaks another ABI.
    """
    library, manifest = read_library(path)
    lines = [*_program(library, manifest)]
    for signature in manifest.signatures:
        lines += ["", *_signature(signature)]
    lines += ["", *_symbols(library)]
    # Names come from the file: none may move the cursor of a terminal.
    return "".join("".join(c if c.isprintable() else "\ufffd" for c in s) + "\n" for s in lines)


def _program(library: SharedObject, manifest: Manifest) -> Iterator[str]:
    yield from _table(
        [
            ("program", manifest.program),
            ("compiler", f"{manifest.compiler}, ABI {manifest.abi}"),
            ("target", f"{manifest.target_cpu}, {manifest.target_triple}"),
            ("file", f"{len(library.data):,} bytes"),
            ("code", f"{library.code_size:,} bytes"),
            ("needs", ", ".join(library.needed) or "no other library"),
        ]
    )


def _signature(signature: Signature) -> Iterator[str]:
    yield f"signature {signature.name}"
    parameters = [(p.name, describe_parameter(p)) for p in signature.parameters]
    results = [(str(i), describe_result(r)) for i, r in enumerate(signature.results)]
    open_ = [(s.name, f"{s.least} .. {s.most}") for s in signature.open]
    constants = [(name, repr(value)) for name, value in signature.constants.items()]
    tables = {"dimensions": open_, "parameters": parameters, "results": results}
    for title, rows in {**tables, "constants": constants}.items():
        if rows:
            yield f"  {title}"
            yield from (f"    {line}" for line in _table(rows))


def _symbols(library: SharedObject) -> Iterator[str]:
    yield "exported symbols"
    exported = [symbol for symbol in library.symbols if symbol.defined and not symbol.local]
    rows = [(symbol.name, f"{symbol.size:,} bytes") for symbol in exported]
    yield from (f"  {line}" for line in _table(sorted(rows)))


def _table(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    width = max((len(name) for name, _ in rows), default=0)
    return (f"{name:{width}}  {text}" for name, text in rows)
