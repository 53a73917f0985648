"""Sizes as a function finds them: a whole number, or open until a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kina.elaborate.names.entities import File
from kina.elaborate.types.evaluate import evaluate
from kina.elaborate.types.wording import lowest, quoted, show_size
from kina.sizes import Open, Size, least, symbol
from kina.syntax import tree
from kina.syntax.source import Span, error


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
