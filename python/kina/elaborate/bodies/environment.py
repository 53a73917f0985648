"""What names mean at one point of a function, and how the elaborator came there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from xdsl.ir import Block

from kina.elaborate.bodies.builder import Builder
from kina.elaborate.bodies.operations.arguments import Context, Operand
from kina.elaborate.names.entities import File, FunctionEntity
from kina.elaborate.types.values import Value
from kina.sizes import Size
from kina.syntax import tree
from kina.syntax.source import KinaError, Note


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


class Elaborator(Context, Protocol):
    """What calls and loops need of the elaborator of a signature: `body.Body`."""

    builder: Builder
    environment: Environment
    frames: list[Frame]
    """The functions that are being inlined, the outermost first."""
    placeholders: Block | None
    """Where `main` takes the values of its placeholders from."""

    def operand(self, expression: tree.Expression) -> Operand:
        """The value of an expression, and its place."""

    def statements(self, body: Sequence[tree.Statement]) -> Operand | None:
        """Elaborate statements; the operand of the `return` or `yield` at the end."""

    def bind(self, name: tree.Identifier, value: Value) -> None:
        """Let a name stand for a value from here on."""

    def within(
        self, environment: Environment, frame: Frame | None = None
    ) -> AbstractContextManager[None]:
        """The names of a loop's body; or, with a frame, those of a function that is inlined."""

    def report(self, problem: KinaError) -> None:
        """Keep what is wrong, with the calls that led there."""
