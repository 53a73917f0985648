"""Random well-typed programs that draw on all of the language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from builders import BUILDERS, looped, returned, updated, write
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.strategies import SearchStrategy
from inputs import KINDS, Input
from writing import SIZES, Declarations, Draw, Scope, Type, Value, body, needed

_READING = ("neg", "abs", "slice", "transpose", "element", "compare", "sum")
"""Builders whose values are no donated parameter any more."""


@dataclass(frozen=True)
class Program:
    """A program with the one export `f`, and how the values of its parameters are made."""

    text: str
    inputs: Mapping[str, Input]


def random_program(draw: Draw) -> Program:
    """A random program; `draw(low, high)` is a random number."""
    file = Declarations()
    parameters: dict[Value, str] = {}

    def parameter(type_: Type) -> Value:
        value = Value(type_, file.fresh("x"))
        parameters[value] = w.typed(type_)
        return value

    def whole() -> Value:
        value = next((known for known in parameters if known.type.dtype == "Whole"), None)
        value = value or Value(Type("Whole"), "w")
        parameters[value] = "Whole"
        return value

    w = Scope(draw, file, parameter, whole, file.dims)
    for name in ("D", "N")[: w.number(0, 2)]:
        file.dims[name] = w.one_of(SIZES)
    donated = [_read(w, parameter(w.type())) for _ in range(w.number(0, 5) // 4)]
    write(w, 3, 16)
    results = returned(w, 1, 5) or ([] if donated else [w.operand()])
    results += [_rewritten(w, value) for value in donated]
    taken = needed(w.lines, results)
    declared = {value: text for value, text in parameters.items() if value in taken}
    types = ", ".join(w.typed(value.type) for value in results)
    function = (
        f"fn program({', '.join(f'{value}: {text}' for value, text in declared.items())}) -> "
        f"{types if len(results) == 1 else f'({types})'} {{\n"
        f"{body(w.lines, results, 'return')}\n}}\n"
    )
    giving = f" donate({', '.join(map(str, donated))})" if donated else ""
    text = _declared(file, function) + f"\n\nexport f = program{giving}\n"
    plain = {value.name: value.type for value in declared if value.type.dtype != "Whole"}
    types_ = plain | (_fields(file, text) if len(plain) < len(declared) else {})
    return Program(text, {name: _input(w, type_) for name, type_ in types_.items()})


def _read(w: Scope, donated: Value) -> Value:
    """The donated parameter, of which the program reads something now and then."""
    reading = replace(w, values=[donated])
    for _ in range(w.number(0, 2)):
        BUILDERS[w.one_of(_READING)](reading)
    w.values.extend(value for value in reading.values if value is not donated)
    return donated


def _rewritten(w: Scope, donated: Value) -> Value:
    """The result that is the donated parameter with something else in it."""
    if w.chance(3):
        (value,) = looped(w, [donated], updated)
        return value
    value = updated(w, donated)
    return updated(w, value) if w.chance(3) else value


def _declared(file: Declarations, text: str) -> str:
    """The text with what it names, and what that names, before it."""
    for function in reversed(file.functions):
        if _names(text, function.removeprefix("fn ").partition("(")[0].partition("[")[0]):
            text = f"{function}\n\n{text}"
    above = [f"const {name}: {rest}" for name, rest in file.constants.items() if _names(text, name)]
    if _names(text, "Whole"):
        fields = _mentioned(file, text)
        shown = "\n".join(f"  {name}: {_plain(type_)}" for name, type_ in fields.items())
        above.append(f"record Piece {{\n{shown}\n}}")
        above.append("record Whole { piece: Piece   pieces: Piece[2] }")
    above += [f"dim {name} = {size}" for name, size in file.dims.items() if _names(text, name)]
    return "\n".join(reversed(above)) + ("\n\n" if above else "") + text


def _mentioned(file: Declarations, text: str) -> dict[str, Type]:
    return {name: type_ for name, type_ in file.fields.items() if _names(text, name)}


def _fields(file: Declarations, text: str) -> dict[str, Type]:
    """What the record is at the boundary of the signature."""
    fields = _mentioned(file, text)
    parts = {name: Type(type_.dtype, (2, *type_.shape)) for name, type_ in fields.items()}
    one = {f"w.piece.{name}": type_ for name, type_ in fields.items()}
    return one | {f"w.pieces.{name}": type_ for name, type_ in parts.items()}


def _names(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


def _plain(type_: Type) -> str:
    return f"{type_.dtype}{list(type_.shape)}"


def _input(w: Scope, type_: Type) -> Input:
    return Input(type_, w.one_of(KINDS[type_.dtype]), w.number(0, 99))


class Programs(SearchStrategy[Program]):
    """Random programs, as a strategy.

    It draws its numbers itself: of strategies within it Hypothesis would make many programs that differ
    by a copied part alone, which is most often one that no result needs.
    """

    def do_draw(self, data: ConjectureData) -> Program:
        return random_program(data.draw_integer)
