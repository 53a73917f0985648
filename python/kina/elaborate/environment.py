"""What names mean at one point of a function, and how the elaborator came there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kina.elaborate.entities import File, FunctionEntity
from kina.elaborate.values import Value
from kina.sizes import Size
from kina.syntax.source import Note


@dataclass
class Environment:
    """What names mean at one point of one function."""

    file: File
    generics: Mapping[str, Size] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)

    def inner(self) -> Environment:
        """The same names, where new ones do not reach outside."""
        return Environment(self.file, self.generics, dict(self.values))


@dataclass(frozen=True)
class Frame:
    """A function that is being inlined, and the note that says why."""

    function: FunctionEntity
    note: Note
