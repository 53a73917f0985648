"""The generic dimensions of a call, from the types of its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kina.elaborate import types
from kina.elaborate.entities import FunctionEntity
from kina.elaborate.types import RecordType, Type
from kina.syntax import tree
from kina.syntax.source import KinaError, Note, Span, error


@dataclass(frozen=True)
class Given:
    """An argument: its type, None where it has none of its own, and where it is."""

    type: Type | None
    shown: str | None
    """What messages call it; None for a placeholder, which is anything."""
    span: Span


def bind_generics(
    function: FunctionEntity, explicit: Mapping[str, int], arguments: Sequence[Given], call: Span
) -> dict[str, int]:
    """A value for every generic dimension of a function that is called.

    A size such as `S + 1` or `2 * S` is solved for S.

    Raises:
        KinaError: the arguments leave a dimension open, or give it two values.
    """
    bound = dict(explicit)
    first: dict[str, _Equation] = {}
    equations = list(_equations(function, arguments))
    progress = True
    while progress and len(bound) < len(function.generics):
        progress = False
        for equation in equations:
            solved = _solve(equation, function, bound)
            if solved is not None and solved[1].denominator == 1 and solved[1] >= 1:
                bound[solved[0]] = int(solved[1])
                first[solved[0]] = equation
                progress = True
    for generic in function.node.generics:
        if generic.text not in bound:
            raise _misfit(generic, function, arguments) or _open(
                generic, function, bound, equations, call
            )
    _agree(function, bound, equations, first)
    return bound


def _agree(
    function: FunctionEntity,
    bound: Mapping[str, int],
    equations: Sequence[_Equation],
    first: Mapping[str, _Equation],
) -> None:
    """Refuse arguments that give one dimension two values."""
    for equation in equations:
        name = equation.declared.text if isinstance(equation.declared, tree.Name) else ""
        if name in first and equation.found != bound[name]:
            message = f"{function.name} has one size {name}, found {bound[name]} and"
            note = Note(f"{name} = {bound[name]} here", first[name].span)
            notes = [note] if first[name].span != equation.span else []
            raise error(f"{message} {equation.found}", equation.span, *notes)


@dataclass(frozen=True)
class _Equation:
    """A size as declared and a size as found."""

    declared: tree.Expression
    found: int
    span: Span


def _equations(function: FunctionEntity, arguments: Sequence[Given]) -> Iterator[_Equation]:
    for parameter, given in zip(function.node.parameters, arguments):
        declared = parameter.type.sizes or ()
        sizes = () if given.type is None else _sizes(given.type)
        if len(sizes) == len(declared):
            for expression, found in zip(declared, sizes):
                yield _Equation(expression, found, given.span)


def _misfit(
    generic: tree.Identifier, function: FunctionEntity, arguments: Sequence[Given]
) -> KinaError | None:
    """The error for an argument that leaves a dimension open as its rank is another."""
    for parameter, given in zip(function.node.parameters, arguments):
        declared = parameter.type.sizes or ()
        determines = any(
            isinstance(size, tree.Name) and size.text == generic.text for size in declared
        )
        rank = None if given.type is None else len(_sizes(given.type))
        if determines and given.shown is not None and rank != len(declared):
            name = parameter.name
            expected = f"expects '{name.text}' to be {parameter.type.span.text}"
            message = f"{function.name} {expected}, found {given.shown}"
            return error(message, given.span, Note(f"'{name.text}' is declared here", name.span))
    return None


def _sizes(type_: Type) -> tuple[int, ...]:
    return type_.sizes if isinstance(type_, RecordType) else type_.get_shape()


def _open(
    generic: tree.Identifier,
    function: FunctionEntity,
    bound: Mapping[str, int],
    equations: Sequence[_Equation],
    call: Span,
) -> KinaError:
    """The error for a dimension that no argument determines."""
    name = generic.text
    for equation in equations:
        solved = _solve(equation, function, bound)
        if solved is not None and solved[0] == name:
            declared = equation.declared.span
            size = declared.source.text[declared.start : declared.end]
            message = f"{function.name} expects the size {size}, found {equation.found}"
            note = Note(f"no whole {name} of at least 1 gives {equation.found}", declared)
            return error(message, equation.span, note)
    message = f"the arguments of {function.name} leave its dimension {name} open"
    hint = f"give it: {function.name}[{name} = ...](...)"
    return error(f"{message}; {hint}", call, Note(f"{name} is declared here", generic.span))


@dataclass(frozen=True)
class _Linear:
    """`factor * name + rest`."""

    name: str | None
    factor: Fraction
    rest: Fraction


def _solve(
    equation: _Equation, function: FunctionEntity, bound: Mapping[str, int]
) -> tuple[str, Fraction] | None:
    """The one open dimension of an equation, and what it must be."""
    linear = _linear(equation.declared, function, bound)
    if linear is None or linear.name is None or linear.factor == 0:
        return None
    return linear.name, (equation.found - linear.rest) / linear.factor


def _linear(
    expression: tree.Expression, function: FunctionEntity, bound: Mapping[str, int]
) -> _Linear | None:
    """A size in terms of one dimension that is not bound; None where it has another form."""
    match expression:
        case tree.Name(text=text) if text in function.generics and text not in bound:
            return _Linear(text, Fraction(1), Fraction(0))
        case tree.Name() | tree.Number(value=int()):
            try:
                value = types.dimension(expression, function.file, bound)
            except KinaError:
                return None  # reported where the parameter's type is resolved
            return _Linear(None, Fraction(0), Fraction(value))
        case tree.Negation(operand=operand):
            inner = _linear(operand, function, bound)
            return inner and _Linear(inner.name, -inner.factor, -inner.rest)
        case tree.Binary(operator=operator):
            left = _linear(expression.left, function, bound)
            right = _linear(expression.right, function, bound)
            return None if left is None or right is None else _combine(operator, left, right)
    return None


def _combine(operator: str, a: _Linear, b: _Linear) -> _Linear | None:
    if operator in ("+", "-"):
        if a.name is not None and b.name is not None and a.name != b.name:
            return None
        sign = 1 if operator == "+" else -1
        return _Linear(a.name or b.name, a.factor + sign * b.factor, a.rest + sign * b.rest)
    if operator == "*":
        if a.name is not None and b.name is not None:
            return None
        scale, other = (b, a) if b.name is None else (a, b)
        return _Linear(other.name, other.factor * scale.rest, other.rest * scale.rest)
    if operator == "/" and b.name is None and b.rest != 0:
        return _Linear(a.name, a.factor / b.rest, a.rest / b.rest)
    return None
