"""The generic dimensions of a call, from the types of its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kina.dialect.dtypes import type_shape
from kina.elaborate.names.entities import FunctionEntity
from kina.elaborate.types.declared import RecordType, Type
from kina.elaborate.types.sizes import dimension
from kina.sizes import Open, Size, Symbol, divided, least, sole_unknown, solve, symbol, symbols
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
    function: FunctionEntity,
    explicit: Mapping[str, Size],
    arguments: Sequence[Given],
    call: Span,
) -> dict[str, Size]:
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
            if solved is not None and _is_size(solved[1]):
                bound[solved[0]] = solved[1]
                first[solved[0]] = equation
                progress = True
    for generic in function.node.generics:
        if generic.text not in bound:
            raise _misfit(generic, function, arguments) or _open(
                generic, function, bound, equations, call
            )
    _agree(function, bound, equations, first)
    return bound


def _is_size(size: Size) -> bool:
    return least(size) >= (0 if isinstance(size, Open) else 1)


def _agree(
    function: FunctionEntity,
    bound: Mapping[str, Size],
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
    found: Size
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


def _sizes(type_: Type) -> tuple[Size, ...]:
    return type_.sizes if isinstance(type_, RecordType) else type_shape(type_)


def _open(
    generic: tree.Identifier,
    function: FunctionEntity,
    bound: Mapping[str, Size],
    equations: Sequence[_Equation],
    call: Span,
) -> KinaError:
    """The error for a dimension that no argument determines."""
    name = generic.text
    for equation in equations:
        if _only_unknown(equation, function, bound) == name:
            declared = equation.declared.span
            size = declared.source.text[declared.start : declared.end]
            message = f"{function.name} expects the size {size}, found {equation.found}"
            note = Note(f"no whole {name} of at least 1 gives {equation.found}", declared)
            return error(message, equation.span, note)
    message = f"the arguments of {function.name} leave its dimension {name} open"
    hint = f"give it: {function.name}[{name} = ...](...)"
    return error(f"{message}; {hint}", call, Note(f"{name} is declared here", generic.span))


_LARGEST = 2**63


def _solve(
    equation: _Equation, function: FunctionEntity, bound: Mapping[str, Size]
) -> tuple[str, Size] | None:
    """The one unknown dimension of an equation, and what it must be."""
    unknown = _unknown(function, bound)
    declared = _polynomial(equation.declared, function, {**bound, **unknown})
    if declared is None:
        return None
    solved = solve(declared, equation.found, _symbols(unknown))
    return None if solved is None else (_name(solved[0], unknown), solved[1])


def _only_unknown(
    equation: _Equation, function: FunctionEntity, bound: Mapping[str, Size]
) -> str | None:
    """The one unknown dimension that the declared size names."""
    unknown = _unknown(function, bound)
    declared = _polynomial(equation.declared, function, {**bound, **unknown})
    sole = None if declared is None else sole_unknown(declared, _symbols(unknown))
    return None if sole is None else _name(sole, unknown)


def _name(s: Symbol, unknown: Mapping[str, Size]) -> str:
    (name,) = (name for name, size in unknown.items() if s in symbols(size))
    return name


def _unknown(function: FunctionEntity, bound: Mapping[str, Size]) -> dict[str, Size]:
    """A symbol for each dimension that is not bound, unlike those of any export."""
    open_ = (name for name in function.generics if name not in bound)
    return {name: symbol(f"{name} of {function.name}", 0, _LARGEST) for name in open_}


def _symbols(unknown: Mapping[str, Size]) -> frozenset[Symbol]:
    return frozenset(s for size in unknown.values() for s in symbols(size))


def _polynomial(
    expression: tree.Expression, function: FunctionEntity, generics: Mapping[str, Size]
) -> Size | None:
    """A size in terms of dimensions that may be unknown; None where it has another form."""
    match expression:
        case tree.Name() | tree.Number(value=int()):
            try:
                return dimension(expression, function.file, generics)
            except KinaError:
                return None  # reported where the parameter's type is resolved
        case tree.Negation(operand=operand):
            inner = _polynomial(operand, function, generics)
            return None if inner is None else -inner
        case tree.Binary(operator=operator):
            left = _polynomial(expression.left, function, generics)
            right = _polynomial(expression.right, function, generics)
            return None if left is None or right is None else _combine(operator, left, right)
    return None


def _combine(operator: str, a: Size, b: Size) -> Size | None:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return divided(a, b)
    return None
