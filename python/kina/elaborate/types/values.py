"""What an expression is worth while a function is elaborated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.ir import SSAValue

from kina.dialect.dtypes import Tensor, dtype_name, type_shape
from kina.elaborate.types.constants import Constant
from kina.elaborate.types.declared import RecordType
from kina.elaborate.types.wording import show_tensor
from kina.sizes import Size
from kina.syntax.source import Span


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
