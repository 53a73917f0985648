"""What an expression is worth while a function is elaborated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import SSAValue

from kina.dialect.dtypes import Tensor, dtype_name, type_shape
from kina.elaborate.constants import Constant
from kina.sizes import Open, Size, least
from kina.syntax import tree
from kina.syntax.source import Span

if TYPE_CHECKING:
    from kina.elaborate.types import RecordType

_LONGEST_QUOTE = 30


@dataclass(frozen=True, slots=True)
class TensorValue:
    """A value of the program that runs."""

    ssa: SSAValue
    type: Tensor
    names: tuple[str, ...] = ()
    """Each size as the program writes it, for messages; empty where it does not."""

    @property
    def written(self) -> tuple[str, ...]:
        """Each size as the program writes it, or as a number."""
        return self.names or tuple(str(size) for size in self.shape)

    @property
    def shape(self) -> tuple[Size, ...]:
        return type_shape(self.type)

    @property
    def dtype(self) -> str:
        return dtype_name(self.type.element_type)


@dataclass(frozen=True, slots=True)
class BroadcastValue:
    """`broadcast(x)`, which takes its shape from the operand beside it."""

    tensor: TensorValue


@dataclass(frozen=True, slots=True)
class RecordValue:
    """A record, or an array of records, or an element of one.

    `fields` holds whole values, with a leading size for every array around them; `indices` pick one
    element from the first of those arrays on, and apply when a field is read.
    """

    type: RecordType
    fields: dict[str, Value]
    indices: tuple[SSAValue, ...] = ()


@dataclass(frozen=True, slots=True)
class TupleValue:
    """Several results; only `let`, `return` and `yield` take them."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class PlaceholderValue:
    """An argument of `main`'s calls, left to the host."""

    span: Span


@dataclass(frozen=True, slots=True)
class Poison:
    """The value of a name whose `let` was wrong, reported once, where it was wrong."""


Value: TypeAlias = (
    TensorValue | BroadcastValue | Constant | RecordValue | TupleValue | PlaceholderValue | Poison
)


def describe(value: Value) -> str:
    """A value as a message names what it found."""
    match value:
        case TensorValue():
            return show_tensor(value.type, value.written)
        case BroadcastValue():
            return f"broadcast of {describe(value.tensor)}"
        case Constant():
            return str(value)
        case RecordValue():
            return f"the record {value.type}"
        case TupleValue():
            return f"{len(value.parts)} values"
        case PlaceholderValue():
            return "placeholder"
        case Poison():
            return "a value that was not found"


def show_tensor(type_: Tensor, names: Sequence[str]) -> str:
    """A type with the program's own names for its sizes: `F32[T = 4, 2]`."""
    return dtype_name(type_.element_type) + show_shape(type_shape(type_), names)


def show_shape(shape: Sequence[Size], names: Sequence[str] = ()) -> str:
    """A shape, each size with the name that the program has for it, if it has one."""
    named = names or [str(size) for size in shape]
    return "[" + ", ".join(show_size(size, name) for size, name in zip(shape, named)) + "]"


def show_size(size: Size, name: str) -> str:
    """`T = 4`, or `4` where the program writes the number itself or too much."""
    return f"{name} = {size}" if name not in ("", str(size)) else str(size)


def lowest(size: Size) -> str:
    """What an open size can be at the least, for the end of a message; nothing for a number."""
    return f"; {size} can be {least(size)}" if isinstance(size, Open) else ""


def named(value: Value, names: Sequence[str]) -> Value:
    """A tensor whose last sizes have these names; any other value as it is."""
    if not isinstance(value, TensorValue):
        return value
    own = len(value.shape) - len(names)
    return replace(value, names=(*value.written[:own], *names))


def common_names(tensors: Sequence[TensorValue]) -> tuple[str, ...]:
    """The names of the sizes that tensors of one shape share: the first that is no number."""
    return tuple(
        next((name for name in names if name and not name.isdigit()), names[0])
        for names in zip(*(tensor.written for tensor in tensors))
    )


def written_sizes(sizes: Sequence[tree.Expression]) -> tuple[str, ...]:
    """Sizes as the program writes them; a long one is empty."""
    return tuple(quoted(size.span, "") for size in sizes)


def quoted(span: Span, otherwise: str = "..") -> str:
    """A short piece of the program as a message may repeat it; a long one as something else."""
    short = span.end - span.start <= _LONGEST_QUOTE
    return span.text if short and span.text.isprintable() else otherwise
