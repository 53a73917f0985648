"""The sizes that a function declares, in the words of its caller, for messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kina.elaborate.bodies.operations.arguments import Operand
from kina.elaborate.names.entities import FunctionEntity
from kina.elaborate.types.values import TensorValue
from kina.elaborate.types.wording import quoted, written_sizes
from kina.syntax import tree

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def generics_here(
    function: FunctionEntity,
    dims: Sequence[tree.Binding | tree.OpenBinding],
    arguments: Sequence[Operand],
) -> dict[str, str]:
    """What a call writes for the dimensions of a function, as far as that shows."""
    here = {d.name.text: quoted(d.value.span, "") for d in dims if isinstance(d, tree.Binding)}
    for parameter, argument in zip(function.node.parameters, arguments):
        if isinstance(argument.value, TensorValue):
            declared = written_sizes(parameter.type.sizes or ())
            for size, name in zip(declared, argument.value.written):
                generic, more = _split(size)
                if generic in function.generics and name.endswith(more):
                    here.setdefault(generic, name.removesuffix(more))
    return here


def _split(size: str) -> tuple[str, str]:
    """`S + 1` as `S` and what is added to it; a size of another form whole."""
    found = re.fullmatch(r"(\w+)((?: [+-] \w+)?)", size)
    return (size, "") if found is None else (found[1], found[2])


def sizes_here(
    declared: tree.TypeExpression, function: FunctionEntity, here: Mapping[str, str]
) -> tuple[str, ...]:
    """The sizes of a declared type; one that cannot be said in these words is empty."""
    sizes = written_sizes(declared.sizes or ())
    return tuple(_size_here(size, function.generics, here) for size in sizes)


def _size_here(size: str, generics: frozenset[str], here: Mapping[str, str]) -> str:
    if size in generics:
        return here.get(size, "")
    used = generics.intersection(_WORD.findall(size))
    if all(here.get(generic, "").isidentifier() for generic in used):
        return _WORD.sub(lambda word: here[word[0]] if word[0] in used else word[0], size)
    return ""
