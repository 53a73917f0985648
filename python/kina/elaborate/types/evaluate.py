"""What an expression is worth that is known at compile time: dimensions and constants of files.

A value is computed when it is first asked for, so that the order of declarations is free.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kina.elaborate.names.entities import (
    ConstEntity,
    DimEntity,
    File,
    behind_prefix,
    const_dtype,
    no_file,
)
from kina.elaborate.names.suggest import did_you_mean
from kina.elaborate.types import constants
from kina.elaborate.types.constants import Constant
from kina.elaborate.types.limits import TooLarge
from kina.elaborate.types.wording import quoted
from kina.sizes import Size
from kina.syntax import tree
from kina.syntax.source import KinaError, Note, Span, error

_DIMENSION_RULE = "a dimension is made of whole numbers, dimensions and + - * /"


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
        case tree.FieldAccess() if (name := behind_prefix(expression, file)) is not None:
            return _named(name, file, generics, in_dimension)
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
    if (problem := no_file(name, file)) is not None:
        raise problem
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
    if isinstance(entity.known, Constant):
        return entity.known
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
            value = evaluate(expression, file, {}, in_dimension=True)
        else:
            dtype = const_dtype(entity)
            value = evaluate(expression, file, {})
            value = Constant(constants.to_dtype(value, dtype, expression.span), dtype)
    except RecursionError:
        message = f"'{name.text}' depends on too long a chain of others"
        raise TooLarge(message, name.span) from None
    finally:
        entity.busy = False
    entity.known = value
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
    for word in re.findall(r"[A-Za-z_][A-Za-z0-9_.]*", written):
        other = entity.file.names.get(word)
        if isinstance(other, DimEntity | ConstEntity) and other.busy:
            return other
    return None
