"""What the builders of random programs write with: values, scopes, and the program that they make.

A program is text. A scope is a body of it, the exported function's, a called function's or a loop's:
lines that each define values of known types, in which later lines find their operands. A line is written
only if a result needs it, so whatever makes a program smaller makes its text smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias, TypeVar

from support.values import ALL, FLOATS, INTEGERS

Draw: TypeAlias = Callable[[int, int], int]
T = TypeVar("T")

SIZES = (1, 2, 3, 1, 4, 5, 2, 8, 17, 1, 2, 40)
"""Sizes of axes. 1 stretches; 8 is a vector of F32, 17 two with a rest, 40 a tile and a part."""
LARGEST = 1000
"""The most elements of a value."""
MOST_AXES = 4


@dataclass(frozen=True)
class Type:
    """A dtype and a shape."""

    dtype: str
    shape: tuple[int, ...] = ()

    @property
    def is_small(self) -> bool:
        return prod(self.shape) <= LARGEST and len(self.shape) <= MOST_AXES + 1


@dataclass(frozen=True, eq=False)
class Value:
    """What an expression may name."""

    type: Type
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Line:
    """A statement `let defines = text`, and what its text names."""

    defines: tuple[Value, ...]
    text: str
    uses: tuple[Value, ...]


@dataclass
class Declarations:
    """What the file declares besides the exported function."""

    dims: dict[str, int] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    fields: dict[str, Type] = field(default_factory=dict)
    """Of the record `Piece`; the record `Whole` holds one, `piece`, and an array of two, `pieces`."""
    names: int = 0

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"


@dataclass
class Scope:
    """A body in the making."""

    draw: Draw
    file: Declarations
    parameter: Callable[[Type], Value]
    """Makes a parameter, of the nearest function, that the body may name."""
    whole: Callable[[], Value]
    """The parameter of the record type `Whole`, of the nearest function."""
    dims: dict[str, int]
    """The dimensions of the nearest function and of the file."""
    values: list[Value] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    depth: int = 0

    # What is drawn. Hypothesis shrinks towards 0, False and the first of a list.

    def number(self, low: int, high: int) -> int:
        return self.draw(low, high)

    def chance(self, of: int) -> bool:
        """True once in `of` times."""
        return self.number(0, of - 1) == of - 1

    def one_of(self, choices: Sequence[T]) -> T:
        return choices[self.number(0, len(choices) - 1)]

    def dtype(self, of: Sequence[str] = ALL) -> str:
        return self.one_of([name for name in ("F32", *ALL) if name in of])

    def shape(self, least: int = 0, most: int = MOST_AXES) -> tuple[int, ...]:
        shape: list[int] = []
        for _ in range(self.number(least, most)):
            fits = [n for n in SIZES if n * prod(shape) <= LARGEST]
            shape.append(self.one_of(fits))
        return tuple(shape)

    def type(self, of: Sequence[str] = ALL, least: int = 0, most: int = MOST_AXES) -> Type:
        return Type(self.dtype(of), self.shape(least, most))

    # Operands.

    def operand(self, of: Sequence[str] = ALL, least: int = 0, most: int = MOST_AXES + 1) -> Value:
        """A value of one of these dtypes and a number of axes, rather a late one."""

        def fits(type_: Type) -> bool:
            return type_.dtype in of and least <= len(type_.shape) <= most

        return self.found(fits) or self.leaf(self.type(of, least, min(most, MOST_AXES)))

    def of_type(self, type_: Type) -> Value:
        """A value of this type."""
        return self.found(lambda other: other == type_) or self.leaf(type_)

    def found(self, fits: Callable[[Type], bool]) -> Value | None:
        """A value that is there already, if there is one; at times none all the same."""
        known = [value for value in self.values if fits(value.type)]
        if not known or self.chance(8):
            return None
        used = {value for line in self.lines for value in line.uses}
        unused = [value for value in known if value not in used]
        return self.one_of(unused if unused and self.chance(2) else known)

    def leaf(self, type_: Type) -> Value:
        """A new value from outside: a parameter, or a field of a record."""
        match self.number(0, 9):
            case 8:
                return self._field(type_, "piece")
            case 9:
                return self._field(type_, "pieces")
        value = self.parameter(type_)
        self.values.append(value)
        return value

    def _field(self, type_: Type, holder: str) -> Value:
        same = [name for name, known in self.file.fields.items() if known == type_]
        name = same[0] if same else self.file.fresh("field")
        self.file.fields[name] = type_
        whole = self.whole()
        at, uses = ("", ()) if holder == "piece" else self.indices([1])
        return self.let(type_, f"{whole}.{holder}{at}.{name}", whole, *uses)

    # Text.

    def let(self, type_: Type, text: str, *uses: Value) -> Value:
        """A line that defines one value."""
        return self.lets([type_], text, *uses)[0]

    def lets(self, types: Iterable[Type], text: str, *uses: Value) -> tuple[Value, ...]:
        defines = tuple(Value(type_, self.file.fresh("v")) for type_ in types)
        self.lines.append(Line(defines, text, uses))
        self.values.extend(defines)
        return defines

    def size(self, n: int) -> str:
        """A size as text: a number, or an expression that has its value."""
        forms = [str(n)]
        for name, value in self.dims.items():
            if value == n:
                forms.append(name)
            elif value and n % value == 0:
                forms.append(f"{n // value} * {name}")
            else:
                forms.append(f"{name} {'+' if n > value else '-'} {abs(n - value)}")
        return self.one_of(forms) if self.chance(3) else forms[0]

    def sizes(self, shape: Iterable[int]) -> str:
        return "[" + ", ".join(self.size(n) for n in shape) + "]"

    def typed(self, type_: Type) -> str:
        return type_.dtype + self.sizes(type_.shape)

    def literal(self, dtype: str) -> str:
        """A constant expression that the dtype can hold, or the name of a constant."""
        text = self.one_of(_LITERALS[dtype])
        if dtype != "Bool" and self.chance(6):
            name = self.file.fresh("c")
            self.file.constants[name] = f"{dtype} = {text}"
            return name
        return text

    def index(self, largest: int) -> tuple[str, tuple[Value, ...]]:
        """An index from 0 to `largest`: a constant, or an I64 scalar of any value."""
        if self.chance(2):
            value = self.of_type(Type("I64"))
            return str(value), (value,)
        return str(self.number(0, largest)), ()

    def indices(self, largest: Iterable[int]) -> tuple[str, tuple[Value, ...]]:
        found = [self.index(n) for n in largest]
        text = ", ".join(text for text, _ in found)
        return f"[{text}]", tuple(value for _, uses in found for value in uses)


_LITERALS = {
    **{
        dtype: (
            "1.0",
            "0.0",
            "-1.5",
            "2",
            "0.1",
            "-3",
            "1e-7",
            "1000",
            "-0.0",
            "inf",
            "-inf",
            "nan",
        )
        for dtype in FLOATS
    },
    **{dtype: ("1", "0", "-1", "2", "-3", "7", "127", "-128", "100") for dtype in INTEGERS},
    "Bool": ("true", "false"),
}


def needed(lines: Sequence[Line], results: Sequence[Value]) -> set[Value]:
    """What the results are made of, the results included."""
    found = set(results)
    for line in reversed(lines):
        if found.intersection(line.defines):
            found.update(line.uses)
    return found


def body(lines: Sequence[Line], results: Sequence[Value], ending: str) -> str:
    """The lines that the results need, then `return` or `yield` of the results."""
    found = needed(lines, results)
    written = [
        f"let {_tuple(line.defines)} = {line.text}"
        for line in lines
        if found.intersection(line.defines)
    ]
    written.append(f"{ending} {_tuple(results)}")
    return "\n".join("  " + text.replace("\n", "\n  ") for text in written)


def _tuple(values: Sequence[Value]) -> str:
    names = ", ".join(value.name for value in values)
    return names if len(values) == 1 else f"({names})"
