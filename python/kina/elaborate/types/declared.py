"""Types as a function finds them: tensors of known or open sizes, and records of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import TypeAlias, cast

from kina.abi import DTYPES
from kina.dialect.dtypes import ELEMENT_TYPES, Tensor, show_type, tensor, type_shape
from kina.elaborate.names.entities import (
    File,
    Parameter,
    PartEntity,
    RecordEntity,
    is_parameter,
    no_file,
    part_of,
)
from kina.elaborate.names.suggest import did_you_mean
from kina.elaborate.types.evaluate import entity_value
from kina.elaborate.types.limits import LARGEST_TENSOR
from kina.elaborate.types.sizes import size
from kina.elaborate.types.wording import show_tensor, written_sizes
from kina.sizes import Size, most
from kina.syntax import tree
from kina.syntax.source import KinaError, Span, error


@dataclass(frozen=True)
class RecordType:
    """A record (`sizes` is empty) or an array of records."""

    entity: RecordEntity
    sizes: tuple[Size, ...] = ()

    def field_sizes(self, name: str) -> tuple[str, ...]:
        """The sizes of a field as its declaration writes them, without those of arrays around it."""
        (field,) = (one for one in self.entity.node.fields if one.name.text == name)
        return written_sizes(field.type.sizes or ())

    def __str__(self) -> str:
        name = self.entity.node.name.text
        return name + (f"[{', '.join(map(str, self.sizes))}]" if self.sizes else "")


Type: TypeAlias = Tensor | RecordType


def told_apart(a: RecordType, b: RecordType) -> tuple[str, str]:
    """Two types as messages name them; of one name, with the files and the values that make them two."""
    if str(a) != str(b) or a.entity is b.entity:
        return str(a), str(b)
    return f"{a} of {_instance(a.entity.file)}", f"{b} of {_instance(b.entity.file)}"


def _instance(file: File) -> str:
    """A file with what its importer gives: `norm.kina with D = 8`."""
    given = [
        f"{entity.node.name.text} = {_given(entity)}" for entity in file.own if is_parameter(entity)
    ]
    return file.source.name + (f" with {', '.join(given)}" if given else "")


def _given(parameter: Parameter) -> str:
    """What an importer gives for a parameter of a file, as a message says it."""
    if isinstance(parameter, PartEntity):
        return "" if parameter.behind is None else parameter.behind.source.name
    return str(entity_value(parameter, parameter.node.name.span))


def show_declared(type_: Type, declared: tree.TypeExpression | None = None) -> str:
    """A type as it is written; with the names of its sizes, where it is declared."""
    if isinstance(type_, RecordType):
        return str(type_)
    if declared is None:
        return show_type(type_)
    return show_tensor(type_, written_sizes(declared.sizes or ()))


def resolve(expression: tree.TypeExpression, file: File, generics: Mapping[str, Size]) -> Type:
    """The type that an expression stands for.

    Raises:
        KinaError: the name is no type, or a size is no positive whole number.
    """
    name = expression.name
    if name.text in ELEMENT_TYPES:
        if expression.sizes is None:
            hint = f"a scalar is written {name.text}[]"
            raise error(f"expected a shape after {name.text}; {hint}", expression.span)
        sizes = [size(part, file, generics) for part in expression.sizes]
        return checked_tensor(name.text, sizes, expression.span)
    entity = file.names.get(name.text)
    if not isinstance(entity, RecordEntity):
        if (problem := no_file(name, file)) is not None:
            raise problem
        if part_of(name.text, file) is not None:
            raise KinaError([])  # the check of names says what the part lacks
        names = [name for name, entity in file.names.items() if isinstance(entity, RecordEntity)]
        hint = did_you_mean(name.text, [*ELEMENT_TYPES, *names])
        raise error(f"unknown type '{name.text}'{hint}", name.span)
    if expression.sizes is not None and not expression.sizes:
        raise error(f"expected a size; one record is written {name.text}", expression.span)
    sizes = [size(part, file, generics) for part in expression.sizes or ()]
    return RecordType(entity, tuple(sizes))


def checked_tensor(dtype: str, sizes: list[Size], span: Span) -> Tensor:
    """A tensor type that fits into memory."""
    if DTYPES[dtype] * most(prod(sizes)) > LARGEST_TENSOR:
        shape = ", ".join(map(str, sizes))
        raise error(f"{dtype}[{shape}] is larger than any memory ({LARGEST_TENSOR} bytes)", span)
    return tensor(ELEMENT_TYPES[dtype], sizes)


def field_types(record: RecordType) -> dict[str, Type]:
    """The types of the fields of a record, each with the sizes of the arrays around it."""
    result: dict[str, Type] = {}
    for name, type_ in _own_fields(record.entity).items():
        if isinstance(type_, RecordType):
            result[name] = RecordType(type_.entity, record.sizes + type_.sizes)
        else:
            sizes = [*record.sizes, *type_shape(type_)]
            result[name] = tensor(type_.element_type, sizes)
    return result


def _own_fields(entity: RecordEntity) -> dict[str, Type]:
    if entity.known is None:
        entity.known = {
            typed.name.text: resolve(typed.type, entity.file, {}) for typed in entity.node.fields
        }
    return cast("dict[str, Type]", entity.known)


def flatten(name: str, type_: Type) -> Iterator[tuple[str, Tensor]]:
    """The tensors that a parameter consists of, in order, with their dotted names."""
    if isinstance(type_, RecordType):
        for field, inner in field_types(type_).items():
            yield from flatten(f"{name}.{field}", inner)
    else:
        yield name, type_
