"""The tree of a `.kina` file, as written: nothing is resolved, every node knows its place.

Dimensions and constants are ordinary expressions here; the elaborator narrows what they may hold.
Nodes compare by identity. A chain `a + b + c + ...` makes a `Binary` whose left spine is as long as
the chain, so a walk must loop along it; all other nesting is at most `parser.DEEPEST` levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kina.syntax.source import SourceFile, Span


@dataclass(frozen=True, eq=False, slots=True)
class Identifier:
    """A name where it is introduced or refers to something that is not a value.

    Behind the prefix of an import it has a point: `norm.Weights`.
    """

    text: str
    span: Span


# Expressions


@dataclass(frozen=True, eq=False, slots=True)
class Name:
    text: str
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Number:
    value: int | float
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Boolean:
    value: bool
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Placeholder:
    """An argument that `main` leaves to the host."""

    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class TupleExpression:
    """`(a, b)`, at least two parts."""

    parts: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class ListExpression:
    """`[a, b]`: a shape or indices, given to an operation."""

    parts: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Negation:
    operand: Expression
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Binary:
    """`left operator right`; the operator is one of `+ - * / % @ == != < <= > >=`."""

    operator: str
    operator_span: Span
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Argument:
    """`value`, or `keyword=value`."""

    keyword: Identifier | None
    value: Expression
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Binding:
    """`name = value`, for a dimension, a constant or a carry."""

    name: Identifier
    value: Expression


@dataclass(frozen=True, eq=False, slots=True)
class OpenBinding:
    """`name in least..most`, for a dimension that an export leaves open; both ends belong to it."""

    name: Identifier
    least: Expression
    most: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """`callee[dims](arguments)`; with `rest`, a final `...` leaves the others to the host."""

    callee: Identifier
    dims: tuple[Binding, ...]
    arguments: tuple[Argument, ...]
    rest: bool
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class FieldAccess:
    base: Expression
    field: Identifier
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class IndexAccess:
    base: Expression
    indices: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class For:
    """`for index in lower..upper with name = value, ... { body }`; the body ends in a yield."""

    index: Identifier
    lower: Expression
    upper: Expression
    carry: tuple[Binding, ...]
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class While:
    """`while condition with name = value, ... { body }`; the body ends in a yield."""

    condition: Expression
    carry: tuple[Binding, ...]
    body: tuple[Statement, ...]
    span: Span


def qualified(expression: Expression) -> Name | None:
    """`norm.eps` as one name, where an expression may be that: a field, or a name behind a prefix."""
    match expression:
        case FieldAccess(base=Name(text=prefix), field=field):
            return Name(f"{prefix}.{field.text}", expression.span)
    return None


Expression: TypeAlias = (
    Name
    | Number
    | Boolean
    | Placeholder
    | TupleExpression
    | ListExpression
    | Negation
    | Binary
    | Call
    | FieldAccess
    | IndexAccess
    | For
    | While
)


# Statements


@dataclass(frozen=True, eq=False, slots=True)
class Let:
    """`let name = value`, or `let (a, b) = value` with more than one name."""

    names: tuple[Identifier, ...]
    value: Expression
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Return:
    """The last statement of a function."""

    value: Expression
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Yield:
    """The last statement of a loop's body."""

    value: Expression
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Evaluate:
    """A bare expression, in `main` only."""

    value: Expression
    span: Span


Statement: TypeAlias = Let | Return | Yield | Evaluate


# Items


@dataclass(frozen=True, eq=False, slots=True)
class TypeExpression:
    """`F32[B, S + 1]`, `Weights` or `Layer[L]`; `sizes` is None without brackets."""

    name: Identifier
    sizes: tuple[Expression, ...] | None
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Dim:
    """`dim name = value`; without a value it is a parameter of the file."""

    name: Identifier
    value: Expression | None


@dataclass(frozen=True, eq=False, slots=True)
class Const:
    """`const name: type = value`; without a value it is a parameter of the file."""

    name: Identifier
    type: TypeExpression
    value: Expression | None


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """`part name`: a file that the importer gives, whose names stand behind this prefix."""

    name: Identifier


@dataclass(frozen=True, eq=False, slots=True)
class Typed:
    """A field of a record or a parameter of a function."""

    name: Identifier
    type: TypeExpression


@dataclass(frozen=True, eq=False, slots=True)
class Record:
    name: Identifier
    fields: tuple[Typed, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Function:
    """`results` is empty for `main` alone; `main` ends in no return."""

    name: Identifier
    generics: tuple[Identifier, ...]
    parameters: tuple[Typed, ...]
    results: tuple[TypeExpression, ...]
    body: tuple[Statement, ...]
    reverse_mode: bool = False
    """Whether its exports also compile to a gradient."""


@dataclass(frozen=True, eq=False, slots=True)
class Export:
    """`export name = function[dims] donate(parameters)`."""

    name: Identifier
    function: Identifier
    dims: tuple[Binding | OpenBinding, ...]
    donated: tuple[Identifier, ...]
    span: Span


@dataclass(frozen=True, eq=False, slots=True)
class Import:
    """`import "path" as prefix with bindings`; the path is relative to the importing file."""

    path: str
    path_span: Span
    prefix: Identifier | None
    bindings: tuple[Binding, ...]
    span: Span


Item: TypeAlias = Dim | Const | Part | Record | Function | Export | Import


@dataclass(frozen=True, eq=False, slots=True)
class Program:
    """One file."""

    source: SourceFile
    items: tuple[Item, ...]
