"""What the names of a program stand for, once its files are linked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard

from kina.dialect.dtypes import ELEMENT_TYPES
from kina.elaborate.names.suggest import did_you_mean
from kina.syntax import tree
from kina.syntax.source import Diagnostic, KinaError, Note, SourceFile, Span, error


@dataclass(frozen=True, eq=False, slots=True)
class Bound:
    """What an importing file gives for a parameter, in terms of that file's own names."""

    value: tree.Expression
    file: File


@dataclass(eq=False, slots=True)
class DimEntity:
    """A dimension of a file; `bound` where the file leaves it to its importer."""

    file: File
    node: tree.Dim
    bound: Bound | None = None
    known: object = None
    """The value, once `types.evaluate` was asked for it, which alone reads this."""
    busy: bool = False
    """Set while the value is computed, so that a cycle shows."""


@dataclass(eq=False, slots=True)
class ConstEntity:
    """A scalar constant of a file; `bound` where the file leaves it to its importer."""

    file: File
    node: tree.Const
    bound: Bound | None = None
    known: object = None
    """The value, once `types.evaluate` was asked for it, which alone reads this."""
    busy: bool = False
    """Set while the value is computed, so that a cycle shows."""


@dataclass(eq=False, slots=True)
class RecordEntity:
    file: File
    node: tree.Record
    known: object = None
    """The types of the fields, once `types.declared` was asked for them, which alone reads this."""


@dataclass(eq=False, slots=True)
class FunctionEntity:
    file: File
    node: tree.Function

    @property
    def name(self) -> str:
        return self.node.name.text

    @property
    def generics(self) -> frozenset[str]:
        return frozenset(generic.text for generic in self.node.generics)

    @property
    def is_reverse_mode(self) -> bool:
        """Whether its exports also compile to a gradient."""
        return self.node.reverse_mode


@dataclass(eq=False, slots=True)
class PartEntity:
    """A file whose names stand behind a prefix; `bound` where the file leaves it to its importer."""

    file: File
    node: tree.Part
    behind: File | None
    """None where no importer gives it: the file is checked alone."""
    is_open: bool = False
    """Whether the importer gives it."""
    bound: Bound | None = None

    def inside(self, name: str) -> str:
        """A name of the part as this file writes it."""
        return f"{self.node.name.text}.{name}"


Parameter: TypeAlias = DimEntity | ConstEntity | PartEntity
"""What an importing file may have to give."""

Entity: TypeAlias = DimEntity | ConstEntity | RecordEntity | FunctionEntity | PartEntity


@dataclass(eq=False)
class File:
    """One file with the values that its importer binds."""

    source: SourceFile
    names: dict[str, Entity] = field(default_factory=dict)
    """Its own and imported names; those of a part with their prefix, as `norm.eps`."""
    own: list[Entity] = field(default_factory=list)
    exports: dict[str, tree.Export] = field(default_factory=dict)
    main: FunctionEntity | None = None
    imported: list[File] = field(default_factory=list)
    bindings: list[tree.Binding] = field(default_factory=list)
    """The values that this file gives to the files that it imports."""


def gradient_name(export: str) -> str:
    """The signature that an export of a reverseMode function makes besides its own."""
    return f"{export}_gradient"


def kind(entity: Entity) -> str:
    """An entity as a message names it."""
    match entity:
        case DimEntity():
            return "a dimension"
        case ConstEntity():
            return "a constant"
        case RecordEntity():
            return "a record"
        case FunctionEntity():
            return "a function"
        case PartEntity():
            return "a part"


def place(entity: Entity) -> Span:
    """Where an entity is declared."""
    return entity.node.name.span


def behind_prefix(expression: tree.Expression, file: File) -> tree.Name | None:
    """`norm.eps` as one name, where `norm` is a part of the file."""
    name = tree.qualified(expression)
    return name if name is not None and part_of(name.text, file) is not None else None


def is_parameter(entity: Entity) -> TypeGuard[Parameter]:
    """Whether an importing file must give the value."""
    if isinstance(entity, PartEntity):
        return entity.is_open
    return isinstance(entity, DimEntity | ConstEntity) and entity.node.value is None


def part_of(name: str, file: File) -> PartEntity | None:
    """The part behind whose prefix a name of a file stands, if it has one."""
    prefix, point, _ = name.partition(".")
    part = file.names.get(prefix) if point else None
    return part if isinstance(part, PartEntity) else None


def no_file(name: tree.Identifier | tree.Name, file: File) -> KinaError | None:
    """The error for a name of a part that nobody gives; None where it is another's name."""
    part = part_of(name.text, file)
    if part is None or part.behind is not None:
        return None
    prefix = part.node.name
    note = Note("it is a parameter of this file: import the file with a part for it", prefix.span)
    return error(f"the part '{prefix.text}' has no file here", name.span, note)


def giver(part: PartEntity) -> Note | None:
    """Where an importer gives a part, for messages."""
    if part.bound is None:
        return None
    return Note(f"'{part.node.name.text}' is given here", part.bound.value.span)


def with_giver(diagnostic: Diagnostic, part: PartEntity) -> Diagnostic:
    """What is wrong where a part is used, with the place where it is given."""
    note = giver(part)
    known = {one.span for one in diagnostic.notes}
    return diagnostic if note is None or note.span in known else diagnostic.with_note(note)


def const_dtype(entity: ConstEntity) -> str:
    """The dtype of a constant; KinaError where its type is more than a dtype."""
    type_ = entity.node.type
    if type_.name.text not in ELEMENT_TYPES:
        hint = did_you_mean(type_.name.text, ELEMENT_TYPES)
        raise error(f"expected a dtype, found '{type_.name.text}'{hint}", type_.span)
    if type_.sizes is not None:
        name = type_.name.text
        raise error(f"a constant is a scalar; its type is written {name}", type_.span)
    return type_.name.text
