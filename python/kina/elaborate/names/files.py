"""Reading a program: its file, the files that it imports, and what their names stand for."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from kina.dialect.dtypes import ELEMENT_TYPES
from kina.elaborate.names import entities
from kina.elaborate.names.entities import Bound, ConstEntity, DimEntity, Entity, File, PartEntity
from kina.elaborate.names.suggest import did_you_mean
from kina.syntax import tree
from kina.syntax.lexer import shortened
from kina.syntax.parser import parse
from kina.syntax.source import Diagnostic, KinaError, Note, Span, error, read_source

Evaluate: TypeAlias = Callable[[tree.Expression, File], object]
"""The value of an expression that is known at compile time, in the names of a file, or KinaError."""

_Values: TypeAlias = tuple[tuple[str, str | File], ...]
"""Names, and constants as text: as such -0.0 is not 0.0, and a NaN is itself. A part is its file."""

_MOST_IMPORTS = 1000
_DEEPEST_IMPORT = 50


def load(path: Path, name: str, operations: Container[str], evaluate: Evaluate) -> File:
    """The file at `path`, linked with everything that it imports; diagnostics call it `name`.

    Its declarations may not take the names of `operations`. An import of a file with the same values
    as another, by `evaluate`, is the same file.

    Raises:
        KinaError: a file cannot be read or parsed, imports run in a circle, an importer binds too
            little or too much, or a name is declared twice.
    """
    loader = _Loader(operations, evaluate)
    result = loader.load(path, name, {}, ())
    if loader.diagnostics:
        raise KinaError(each_once(loader.diagnostics))
    return result


def each_once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Without what is said again of a file that is imported again, with other values."""
    return list({(one.message, one.span): one for one in reversed([*diagnostics])}.values())[::-1]


@dataclass
class _Loader:
    operations: Container[str]
    evaluate: Evaluate
    diagnostics: list[Diagnostic] = field(default_factory=list)
    parsed: dict[str, tree.Program] = field(default_factory=dict)
    linked: dict[tuple[str, _Values], File] = field(default_factory=dict)
    """By their real path and the values of their parameters."""
    imports: int = 0

    def load(
        self, path: Path, name: str, bound: dict[str, Bound], importers: tuple[str, ...]
    ) -> File:
        """One file with its parameters bound; `importers` are the real paths on the way to it."""
        real = os.path.realpath(path)
        program = self.parsed.get(real)
        if program is None:
            program = self.parsed[real] = parse(read_source(path, name))
        file = File(program.source)
        for item in program.items:
            self.declare(file, item, bound)
        waiting = [item for item in program.items if isinstance(item, tree.Import)]
        while waiting:
            # One import may bind what another brings: the order of declarations is free.
            ready = [item for item in waiting if self.values(item, file) is not None]
            ready = ready or [item for item in waiting if not _awaited(item, waiting)]
            if not ready:
                self.diagnostics.append(_circle_of_parts(waiting))
                break
            for item in ready:
                try:
                    self.import_(file, path, item, (*importers, real))
                except KinaError as problem:
                    self.diagnostics += problem.diagnostics
            waiting = [item for item in waiting if item not in ready]
        return file

    def declare(self, file: File, item: tree.Item, bound: dict[str, Bound]) -> None:
        entity: Entity
        match item:
            case tree.Import():
                return
            case tree.Export(name=name):
                self.declare_export(file, item)
                return
            case tree.Function(name=name) if name.text == "main":
                if file.main is not None:
                    self.twice(name, place=file.main.node.name.span)
                else:
                    file.main = entities.FunctionEntity(file, item)
                return
            case tree.Function():
                entity = entities.FunctionEntity(file, item)
            case tree.Record():
                entity = entities.RecordEntity(file, item)
            case tree.Dim(name=name):
                entity = DimEntity(file, item, bound.get(name.text))
            case tree.Const(name=name):
                entity = ConstEntity(file, item, bound.get(name.text))
            case tree.Part(name=name):
                given = bound.get(name.text)
                behind = None if given is None else _file_of(given.value, given.file)
                self.land_behind(PartEntity(file, item, behind, is_open=True, bound=given))
                return
        self.introduce(file, item.name, entity)
        file.own.append(entity)

    def introduce(self, file: File, name: tree.Identifier, entity: Entity) -> None:
        """Let a name of a file stand for what it declares."""
        reserved = (
            "an operation"
            if name.text in self.operations
            else "a dtype"
            if name.text in ELEMENT_TYPES
            else None
        )
        if reserved is not None:
            self.diagnostics.append(
                Diagnostic(f"'{name.text}' is already the name of {reserved}", name.span)
            )
        elif name.text in file.names:
            self.twice(name, entities.place(file.names[name.text]))
        else:
            file.names[name.text] = entity

    def declare_export(self, file: File, item: tree.Export) -> None:
        other = file.exports.get(item.name.text)
        if other is not None:
            self.twice(item.name, other.name.span)
        else:
            file.exports[item.name.text] = item

    def twice(self, name: tree.Identifier, place: Span) -> None:
        note = Note("it is declared here first", place)
        message = f"duplicate name '{name.text}'"
        self.diagnostics.append(Diagnostic(message, name.span, (note,)))

    def import_(
        self, file: File, path: Path, item: tree.Import, importers: tuple[str, ...]
    ) -> None:
        self.imports += 1
        if self.imports > _MOST_IMPORTS:
            raise error(f"more than {_MOST_IMPORTS} imports in one program", item.span)
        if len(importers) > _DEEPEST_IMPORT:
            raise error(f"imports nested more than {_DEEPEST_IMPORT} deep", item.span)
        if os.path.isabs(item.path):
            raise error("expected a path relative to this file", item.path_span)
        target = path.parent / item.path
        real = os.path.realpath(target)
        if real in importers:
            raise error("imports run in a circle: this file is being imported", item.path_span)
        shown = os.path.normpath(os.path.join(os.path.dirname(file.source.name), item.path))
        bound = {b.name.text: Bound(b.value, file) for b in item.bindings}
        values = self.values(item, file)
        key = None if values is None else (real, values)
        imported = None if key is None else self.linked.get(key)
        if imported is None:
            try:
                imported = self.load(target, shown, bound, importers)
            except KinaError as problem:
                note = Note("imported here", item.path_span)
                raise KinaError(d.with_note(note) for d in problem.diagnostics) from None
            if key is not None:
                self.linked[key] = imported
        self.check_bindings(item, file, imported)
        file.imported.append(imported)
        if item.prefix is None:
            self.land(file, item, imported)
        else:
            self.land_behind(PartEntity(file, tree.Part(item.prefix), imported))

    def check_bindings(self, item: tree.Import, file: File, imported: File) -> None:
        parameters = {e.node.name.text: e for e in imported.own if entities.is_parameter(e)}
        seen: dict[str, Span] = {}
        for binding in item.bindings:
            name = binding.name
            part = parameters.get(name.text)
            if isinstance(part, PartEntity):
                self.check_part(binding.value, file, part)
            else:
                file.bindings.append(binding)
            if name.text in seen:
                self.twice(name, seen[name.text])
            elif name.text not in parameters:
                entity = imported.names.get(name.text)
                notes: tuple[Note, ...] = ()
                if entity is None:
                    hint = did_you_mean(name.text, parameters)
                    message = f"{imported.source.name} has no parameter '{name.text}'{hint}"
                else:
                    message = f"'{name.text}' of {imported.source.name} has a value already"
                    notes = (Note(f"'{name.text}' is declared here", entities.place(entity)),)
                self.diagnostics.append(Diagnostic(message, name.span, notes))
            seen[name.text] = name.span
        missing = [name for name in parameters if name not in seen]
        if missing:
            listed = ", ".join(missing)
            example = f"with {missing[0]} = ..."
            message = f"this import must bind {listed} of {imported.source.name}: {example}"
            notes = tuple(
                Note(f"'{one}' is declared here", entities.place(parameters[one]))
                for one in missing
            )
            self.diagnostics.append(Diagnostic(message, item.path_span, notes))

    def check_part(self, value: tree.Expression, file: File, part: PartEntity) -> None:
        """What is given for a part must be a part, too."""
        named = file.names.get(value.text) if isinstance(value, tree.Name) else None
        if isinstance(named, PartEntity):
            return
        prefixes = [name for name, entity in file.names.items() if isinstance(entity, PartEntity)]
        hint = did_you_mean(value.text, prefixes) if isinstance(value, tree.Name) else ""
        hint = hint or '; a file becomes one by import ".." as NAME'
        prefix = part.node.name
        note = Note(f"'{prefix.text}' is declared here", prefix.span)
        found = shortened(value.span.text)
        expected = f"expected a part for '{prefix.text}' of {part.file.source.name}"
        message = f"{expected}, found '{found}'{hint}"
        self.diagnostics.append(Diagnostic(message, value.span, (note,)))

    def land_behind(self, part: PartEntity) -> None:
        """Let the names of a part stand behind its prefix."""
        names, prefix = part.file.names, part.node.name
        self.introduce(part.file, prefix, part)
        if part.is_open:
            part.file.own.append(part)
        if part.behind is not None and names.get(prefix.text) is part:
            for name, entity in _seen_by_importers(part.behind):
                names[part.inside(name)] = entity

    def land(self, file: File, item: tree.Import, imported: File) -> None:
        for name, entity in _seen_by_importers(imported):
            other = file.names.setdefault(name, entity)
            if other is not entity and not _is_given(name, item):
                note = Note("it is declared here too", entities.place(other))
                message = f"duplicate name '{name}', declared by {imported.source.name}"
                self.diagnostics.append(Diagnostic(message, item.path_span, (note,)))

    def values(self, item: tree.Import, file: File) -> _Values | None:
        """What an import binds, which tells one linked file from another; None where it is not known yet."""
        values: dict[str, str | File] = {}
        try:
            for binding in sorted(item.bindings, key=lambda one: one.name.text):
                name, value = binding.name.text, binding.value
                part = _file_of(value, file)
                values[name] = part if part is not None else repr(self.evaluate(value, file))
        except KinaError:
            return None  # reported where the value is used, or by the check of names
        return tuple(values.items())


def _is_given(name: str, item: tree.Import) -> bool:
    """Whether an import gives a value of the importing file by its own name: `with D = D`."""
    given = {b.name.text: b.value for b in item.bindings}.get(name)
    return isinstance(given, tree.Name) and given.text == name


def _file_of(value: tree.Expression, file: File) -> File | None:
    """The file that stands behind what is given for a part, if it is a prefix."""
    part = file.names.get(value.text) if isinstance(value, tree.Name) else None
    return part.behind if isinstance(part, PartEntity) else None


def _awaited(item: tree.Import, waiting: Sequence[tree.Import]) -> tree.Import | None:
    """The import of which this one gives the prefix on."""
    given = {b.value.text for b in item.bindings if isinstance(b.value, tree.Name)}
    return next((one for one in waiting if one.prefix and one.prefix.text in given), None)


def _circle_of_parts(waiting: Sequence[tree.Import]) -> Diagnostic:
    """Imports of which each gives on the prefix of another."""
    circle = [waiting[0]]
    while (following := _awaited(circle[-1], waiting)) and following not in circle:
        circle.append(following)
    assert following is not None
    circle = circle[circle.index(following) :]
    names = [one.prefix for one in (*circle, circle[0]) if one.prefix is not None]
    way = " needs ".join(name.text for name in names)
    return Diagnostic(f"parts need each other: {way}", names[0].span)


def _seen_by_importers(file: File) -> Iterator[tuple[str, Entity]]:
    """The names of a file but for its prefixes, which are its own."""
    for name, entity in file.names.items():
        if "." not in name and not isinstance(entity, PartEntity):
            yield name, entity
