"""Names, dimensions and types: a tree becomes one dialect module per export.

Three rooms, each of which knows only those before it:

- `names`: which name means what. `files` links a program, `scopes` checks what needs no sizes.
- `types`: what sizes, constants and types are, and what expressions are worth.
- `bodies`: functions become operations, by the rules in `operations`; each export a module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kina.elaborate.bodies.operations import RULES
from kina.elaborate.bodies.signatures import (
    Elaborated,
    Report,
    check_function,
    check_main,
    elaborate_export,
)
from kina.elaborate.names.entities import (
    ConstEntity,
    DimEntity,
    File,
    FunctionEntity,
    RecordEntity,
    gradient_name,
    is_parameter,
)
from kina.elaborate.names.files import load
from kina.elaborate.names.scopes import check_names, linked_files
from kina.elaborate.names.suggest import did_you_mean
from kina.elaborate.types.declared import RecordType, field_types
from kina.elaborate.types.evaluate import entity_value, evaluate
from kina.syntax.source import Diagnostic, KinaError, Note, SourceFile, error

__all__ = ["Elaborated", "Program", "check", "elaborate"]


@dataclass(frozen=True)
class Program:
    """A program that was checked whole."""

    path: Path
    sources: tuple[str, ...]
    """The names of the file and of all that it imports, each once."""
    elaborated: tuple[Elaborated, ...]
    """Every signature, in the order of the exports; that of a gradient follows its value's."""


def check(path: Path | str) -> Program:
    """Check a whole program: every name of every function, every export, and `main`.

    A function without dimensions of its own is elaborated even where no export reaches it.

    Raises:
        KinaError: the program is wrong; it carries as many independent errors as were found.
    """
    return _check(path, _load(path))


def elaborate(path: Path | str, exports: Sequence[str] | None = None) -> list[Elaborated]:
    """The modules of these signatures, by default all, in the order given; checks the whole program.

    The same text gives the same modules, to the byte of their printed form.

    Raises:
        KinaError: the program is wrong, or has no export of a name.
    """
    root = _load(path)
    signatures = _signatures(root)
    names = signatures if exports is None else list(exports)
    for name in names:
        if name not in signatures:
            known = ", ".join(signatures) or "nothing"
            hint = did_you_mean(name, signatures)
            message = f"unknown export '{name}': this program exports {known}{hint}"
            raise error(message, root.source.span(0, 0))
    elaborated = {one.signature.name: one for one in _check(path, root).elaborated}
    return [elaborated[name] for name in names]


def _signatures(root: File) -> list[str]:
    """The names of what a program exports."""
    names: list[str] = []
    for name, export in root.exports.items():
        function = root.names[export.function.text]
        names.append(name)
        if isinstance(function, FunctionEntity) and function.is_reverse_mode:
            names.append(gradient_name(name))
    return names


def _check(path: Path | str, root: File) -> Program:
    report = Report()
    elaborated = [
        one
        for export in root.exports.values()
        if not report.stopped
        for one in elaborate_export(root, export, report)
    ]
    if not report.stopped:
        check_main(root, report)
    if not _is_generic(root):
        for function in _functions(root):
            if not report.stopped and function not in report.reached:
                check_function(function, report)
    _raise(report)
    sources = dict.fromkeys(file.source.name for file in linked_files(root))
    return Program(Path(path), tuple(sources), tuple(elaborated))


def _load(path: Path | str) -> File:
    """The linked program, whose names and sizes are right."""
    try:
        root = load(Path(path), str(path), RULES, lambda value, file: evaluate(value, file, {}))
        report = Report()
        report.add(KinaError(check_names(root, RULES)))
        if not _is_generic(root):
            for file in linked_files(root):
                _check_values(file, report)
    except RecursionError:
        place = SourceFile(str(path), "").span(0, 0)
        raise error("the declarations are nested too deeply", place) from None
    _raise(report)
    return root


def _is_generic(root: File) -> bool:
    """Whether the file waits for an importer's values; then no size in it is known."""
    return any(is_parameter(entity) for entity in root.own)


def _check_values(file: File, report: Report) -> None:
    """Every dimension and constant has a value, and every record has its types."""
    for entity in file.own:
        if report.stopped:
            return
        try:
            match entity:
                case DimEntity() | ConstEntity():
                    entity_value(entity, entity.node.name.span)
                case RecordEntity():
                    field_types(RecordType(entity))
        except KinaError as problem:
            report.add(
                KinaError(_with_givers(diagnostic, file) for diagnostic in problem.diagnostics)
            )


def _with_givers(diagnostic: Diagnostic, file: File) -> Diagnostic:
    """What is wrong in a file that is imported, with the values that its importer gives there."""
    words = re.findall(r"[A-Za-z_][A-Za-z0-9_]*", diagnostic.span.text)
    for entity in file.own if diagnostic.span.source is file.source else ():
        if is_parameter(entity) and entity.bound is not None:
            name = entity.node.name.text
            if name in words:
                note = Note(f"'{name}' gets its value here", entity.bound.value.span)
                diagnostic = diagnostic.with_note(note)
    return diagnostic


def _functions(root: File) -> list[FunctionEntity]:
    entities = [entity for file in linked_files(root) for entity in file.own]
    return [entity for entity in entities if isinstance(entity, FunctionEntity)]


def _raise(report: Report) -> None:
    """Raise what was found, file by file in the order of the text."""
    files: dict[SourceFile, int] = {}
    for diagnostic in report.diagnostics:
        files.setdefault(diagnostic.span.source, len(files))
    if files:
        raise KinaError(
            sorted(report.diagnostics, key=lambda d: (files[d.span.source], d.span.start))
        )
