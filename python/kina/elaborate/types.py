"""Types and dimensions as a function finds them: every size is a number, or open until a call.

Dimensions are evaluated here, on demand, so that their order in a file is free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from kina.abi import DTYPES
from kina.dialect.dtypes import ELEMENT_TYPES, Tensor, show_type, tensor, type_shape
from kina.elaborate import constants
from kina.elaborate.constants import Constant
from kina.elaborate.entities import ConstEntity, DimEntity, File, RecordEntity
from kina.elaborate.limits import LARGEST_TENSOR, TooLarge
from kina.elaborate.suggest import did_you_mean
from kina.elaborate.values import lowest, quoted, show_size, show_tensor, written_sizes
from kina.sizes import Open, Size, least, most, symbol
from kina.syntax import tree
from kina.syntax.source import KinaError, Note, Span, error

_DIMENSION_RULE = "a dimension is made of whole numbers, dimensions and + - * /"


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


def show(type_: Type, declared: tree.TypeExpression | None = None) -> str:
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
    entity = record.entity
    if entity.fields is None:
        entity.fields = {
            typed.name.text: resolve(typed.type, entity.file, {}) for typed in entity.node.fields
        }
    result: dict[str, Type] = {}
    for name, type_ in entity.fields.items():
        if isinstance(type_, RecordType):
            result[name] = RecordType(type_.entity, record.sizes + type_.sizes)
        else:
            sizes = [*record.sizes, *type_shape(type_)]
            result[name] = tensor(type_.element_type, sizes)
    return result


def flatten(name: str, type_: Type) -> Iterator[tuple[str, Tensor]]:
    """The tensors that a parameter consists of, in order, with their dotted names."""
    if isinstance(type_, RecordType):
        for field, inner in field_types(type_).items():
            yield from flatten(f"{name}.{field}", inner)
    else:
        yield name, type_


def size(expression: tree.Expression, file: File, generics: Mapping[str, Size]) -> Size:
    """A size: a dimension that is at least 1, or an open one that is never negative."""
    return checked_size(dimension(expression, file, generics), expression.span)


def checked_size(value: Size, span: Span) -> Size:
    """The size, where it is one."""
    if isinstance(value, Open):
        if least(value) < 0:
            raise error(f"expected a size of at least 0, found {value}{lowest(value)}", span)
    elif value < 1:
        found = show_size(value, quoted(span, ""))
        raise error(f"expected a size of at least 1, found {found}", span)
    return value


def bindings(
    dims: Sequence[tree.Binding | tree.OpenBinding], file: File, generics: Mapping[str, Size]
) -> dict[str, Size]:
    """The sizes that an export or a call gives for dimensions of a function."""
    return {dim.name.text: _bound(dim, file, generics) for dim in dims}


def _bound(dim: tree.Binding | tree.OpenBinding, file: File, generics: Mapping[str, Size]) -> Size:
    if isinstance(dim, tree.Binding):
        return size(dim.value, file, generics)
    first, last = (int(least(dimension(end, file, {}))) for end in (dim.least, dim.most))
    if first < 0:
        raise error(f"expected a size of at least 0, found {first}", dim.least.span)
    if last < first:
        raise error(f"expected a size of at least {first}, found {last}", dim.most.span)
    return symbol(dim.name.text, first, last)


def dimension(expression: tree.Expression, file: File, generics: Mapping[str, Size]) -> Size:
    """The whole number that an expression of dimensions stands for."""
    value = evaluate(expression, file, generics, in_dimension=True).value
    return value if isinstance(value, Open) else int(value)


def evaluate(
    expression: tree.Expression,
    file: File,
    generics: Mapping[str, Size],
    in_dimension: bool = False,
) -> Constant:
    """The value of an expression that is known at compile time, in the names of a file.

    `in_dimension` narrows it to what dimensions are made of.

    Raises:
        KinaError: it is not known at compile time, or has no value.
    """
    chain: list[tree.Binary] = []
    while isinstance(expression, tree.Binary):
        if in_dimension and expression.operator not in ("+", "-", "*", "/"):
            raise error(f"{_DIMENSION_RULE}, not '{expression.operator}'", expression.operator_span)
        if expression.operator == "@":
            raise error("'@' takes tensors, not constants", expression.operator_span)
        chain.append(expression)
        expression = expression.left
    result = _evaluate_one(expression, file, generics, in_dimension)
    for binary in reversed(chain):
        right = evaluate(binary.right, file, generics, in_dimension)
        result = constants.arithmetic(binary.operator, result, right, binary.span, in_dimension)
    return result


def _evaluate_one(
    expression: tree.Expression, file: File, generics: Mapping[str, Size], in_dimension: bool
) -> Constant:
    match expression:
        case tree.Number(value=int(value)):
            return constants.integer(value)
        case tree.Negation(operand=operand):
            negated = evaluate(operand, file, generics, in_dimension)
            return constants.negate(negated, expression.span)
        case tree.Name(text=text) if text in generics:
            return constants.integer(generics[text])
        case tree.Name():
            return _named(expression, file, generics, in_dimension)
    if in_dimension:
        found = quoted(expression.span, "")
        raise error(_DIMENSION_RULE + (f", not {found}" if found else ""), expression.span)
    match expression:
        case tree.Number(value=float(number)):
            return Constant(number, "F32")
        case tree.Boolean(value=truth):
            return constants.boolean(truth)
        case tree.Call(callee=callee, arguments=[argument]) if callee.text in constants.FUNCTIONS:
            known = evaluate(argument.value, file, generics)
            return constants.apply(callee.text, known, expression.span)
    hint = ""
    if isinstance(expression, tree.Call):
        hint = "; of the operations, exp, log, sqrt and rsqrt of one are"
    raise error(f"expected a value that is known at compile time{hint}", expression.span)


def _named(
    name: tree.Name, file: File, generics: Mapping[str, Size], in_dimension: bool
) -> Constant:
    entity = file.names.get(name.text)
    if isinstance(entity, DimEntity) or (isinstance(entity, ConstEntity) and not in_dimension):
        return entity_value(entity, name.span)
    if entity is not None:
        raise error(f"expected a dimension, found '{name.text}'", name.span)
    wanted = DimEntity if in_dimension else (DimEntity, ConstEntity)
    known = [text for text, entity in file.names.items() if isinstance(entity, wanted)]
    what = "dimension" if in_dimension else "name"
    hint = did_you_mean(name.text, [*known, *generics])
    raise error(f"unknown {what} '{name.text}'{hint}", name.span)


def entity_value(entity: DimEntity | ConstEntity, used: Span) -> Constant:
    """The value of a dimension or constant.

    Raises:
        KinaError: it has no value, depends on itself, or does not fit its dtype.
    """
    if entity.value is not None:
        return entity.value
    name = entity.node.name
    if entity.node.value is not None:
        expression, file = entity.node.value, entity.file
    elif entity.bound is not None:
        expression, file = entity.bound.value, entity.bound.file
    else:
        what = "dimension" if isinstance(entity, DimEntity) else "constant"
        raise error(
            f"the {what} '{name.text}' has no value here",
            used,
            Note("it is a parameter of this file: import the file with a value for it", name.span),
        )
    if entity.busy:
        raise _circle(entity)
    entity.busy = True
    try:
        if isinstance(entity, DimEntity):
            value = constants.integer(dimension(expression, file, {}))
        else:
            dtype = const_dtype(entity)
            value = evaluate(expression, file, {})
            value = Constant(constants.to_dtype(value, dtype, expression.span), dtype)
    except RecursionError:
        message = f"'{name.text}' depends on too long a chain of others"
        raise TooLarge(message, name.span) from None
    finally:
        entity.busy = False
    entity.value = value
    return value


def _circle(entity: DimEntity | ConstEntity) -> KinaError:
    """The error for a value that depends on itself; at the same place from wherever it is found."""
    circle = [entity]
    while (following := _busy_one(circle[-1])) is not None and following is not entity:
        circle.append(following)
    first = min(range(len(circle)), key=lambda i: circle[i].node.name.span.start)
    circle = [*circle[first:], *circle[: first + 1]]
    name = circle[0].node.name
    way = " needs ".join(one.node.name.text for one in circle)
    return error(f"'{name.text}' depends on itself: {way}", name.span)


def _busy_one(entity: DimEntity | ConstEntity) -> DimEntity | ConstEntity | None:
    """What the value of an entity waits for, where its own file says so."""
    written = "" if entity.node.value is None else entity.node.value.span.text
    for word in re.findall(r"[A-Za-z_][A-Za-z0-9_]*", written):
        other = entity.file.names.get(word)
        if isinstance(other, DimEntity | ConstEntity) and other.busy:
            return other
    return None


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
