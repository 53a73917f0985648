"""Sizes of tensors: whole numbers, and open ones such as `S + 1`, which a call determines.

An open size is a polynomial in symbols, each of which stands for every number of a range. Two sizes
are equal where they are so for every value of their symbols.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TypeAlias, Union

Size: TypeAlias = Union[int, "Open"]


@dataclass(frozen=True, order=True, slots=True)
class Symbol:
    """A dimension that is open: any whole number of `least .. most`, neither of them negative."""

    name: str
    least: int
    most: int


_Product: TypeAlias = tuple[Symbol, ...]
"""A product of symbols, in order; the empty one is 1."""


class Open:
    """A size that depends on symbols, by arithmetic with `+ - *`; what becomes a number is an int."""

    __slots__ = ("_factors", "_hash")

    def __init__(self, factors: Mapping[_Product, Fraction]) -> None:
        self._factors = dict(sorted(factors.items(), key=_order))
        self._hash = hash(tuple(self._factors.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Open) and self._factors == other._factors

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: Size | Fraction) -> Size:
        sums = dict(self._factors)
        for product, factor in _factors(other).items():
            sums[product] = sums.get(product, Fraction(0)) + factor
        return _made(sums)

    def __mul__(self, other: Size | Fraction) -> Size:
        sums: dict[_Product, Fraction] = {}
        for a, m in self._factors.items():
            for b, n in _factors(other).items():
                product = tuple(sorted(a + b))
                sums[product] = sums.get(product, Fraction(0)) + m * n
        return _made(sums)

    def __neg__(self) -> Size:
        return self * -1

    def __sub__(self, other: Size | Fraction) -> Size:
        return self + -other

    def __rsub__(self, other: int) -> Size:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def __str__(self) -> str:
        text = ""
        for product, factor in self._factors.items():
            sign = " - " if factor < 0 else " + "
            names = [symbol.name for symbol in product]
            number = [str(abs(factor))] if abs(factor) != 1 or not names else []
            text += (sign if text else sign.strip(" +")) + " * ".join(number + names)
        return text

    def __format__(self, _: str) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"Open({self})"

    @property
    def terms(self) -> Iterator[tuple[Fraction, _Product]]:
        """The products of symbols that are summed, each with its factor."""
        return ((factor, product) for product, factor in self._factors.items())

    @property
    def symbols(self) -> frozenset[Symbol]:
        return frozenset(symbol for product in self._factors for symbol in product)


def symbols(size: Size) -> frozenset[Symbol]:
    """The symbols of a size."""
    return size.symbols if isinstance(size, Open) else frozenset()


def symbol(name: str, least: int, most: int) -> Size:
    """The size that is any of `least .. most`; the number itself where both are one."""
    return least if least == most else Open({(Symbol(name, least, most),): Fraction(1)})


def divided(a: Size, b: Size) -> Size | None:
    """`a / b` where `b` is a number or one product, perhaps with factors that are not whole."""
    divisor = list(_factors(b).items())
    if len(divisor) != 1 or not b:
        return None
    ((product, factor),) = divisor
    result: dict[_Product, Fraction] = {}
    for term, number in _factors(a).items():
        rest = _without(term, product)
        if rest is None:
            return None
        result[rest] = number / factor
    return _made(result)


def quotient(a: Size, b: Size) -> Size | None:
    """`a / b`, where that is a polynomial of whole factors; None elsewhere."""
    result = divided(a, b)
    return None if result is None or not is_whole(result) else result


def is_whole(size: Size) -> bool:
    """Whether every factor is a whole number, as in all sizes but the halves that `divided` gives."""
    return all(factor.denominator == 1 for factor in _factors(size).values())


def least(size: Size) -> int:
    """A number that the size never falls below: the tightest where every symbol comes once."""
    return _bound(size, lowest=True)


def most(size: Size) -> int:
    """A number that the size never exceeds: the tightest where every symbol comes once."""
    return _bound(size, lowest=False)


def fits(part: Size, whole: Size) -> bool:
    """Whether `part <= whole` for every value of the symbols."""
    return least(whole - part) >= 0


def value(size: Size, values: Mapping[str, int]) -> int:
    """The size where the symbols have these values; KeyError for a symbol without one."""
    if not isinstance(size, Open):
        return size
    return int(
        sum(factor * prod(values[s.name] for s in product) for factor, product in size.terms)
    )


def linear(size: Size) -> tuple[Symbol, int, int] | None:
    """`(S, factor, rest)` of a size `factor * S + rest`; None for another form."""
    if len(symbols(size)) != 1:
        return None
    factors = _factors(size)
    (unknown,) = symbols(size)
    factor, rest = factors.pop((unknown,), Fraction(0)), factors.pop((), Fraction(0))
    return None if factors or not factor else (unknown, int(factor), int(rest))


def solve(size: Size, found: Size, unknown: Collection[Symbol]) -> tuple[Symbol, Size] | None:
    """The one unknown symbol in `size == found`, and the size that it must be.

    None where there is none or more than one, where it is not linear, and where it is no polynomial
    of whole factors.
    """
    s = sole_unknown(size, unknown)
    if s is None:
        return None
    factor = _factors(size)[s,]
    rest = size - Open({(s,): factor})
    solution = _made(
        {product: number / factor for product, number in _factors(found - rest).items()}
    )
    return (s, solution) if is_whole(solution) else None


def sole_unknown(size: Size, unknown: Collection[Symbol]) -> Symbol | None:
    """The one unknown symbol in a size, where it comes in one term, by itself."""
    terms = [product for product in _factors(size) if not set(product).isdisjoint(unknown)]
    return terms[0][0] if len(terms) == 1 and len(terms[0]) == 1 else None


def parse(text: str, known: Mapping[str, Symbol]) -> Size:
    """The inverse of `str`, for sizes in these symbols; ValueError on anything else."""
    result: Size = 0
    for sign, product in re.findall(r"([-+]?) ?([^-+]+)", text):
        term: Size = -1 if sign == "-" else 1
        for factor in product.strip().split(" * "):
            if factor in known:
                term = term * Open({(known[factor],): Fraction(1)})
            elif factor.isdecimal():
                term = term * int(factor)
        result = result + term
    if str(result) != text:
        raise ValueError(f"expected a size, found {text!r}")
    return result


def _order(term: tuple[_Product, Fraction]) -> tuple[int, _Product]:
    """Higher powers first, then by name: the order in which a size is written."""
    return -len(term[0]), term[0]


def _factors(size: Size | Fraction) -> dict[_Product, Fraction]:
    return dict(size._factors) if isinstance(size, Open) else {(): Fraction(size)}


def _made(factors: dict[_Product, Fraction]) -> Size:
    """The size of these terms; an int where no symbol is left."""
    kept = {product: factor for product, factor in factors.items() if factor}
    if any(kept):
        return Open(kept)
    number = kept.get((), Fraction(0))
    return int(number) if number.denominator == 1 else number  # type: ignore[return-value]


def _without(product: _Product, divisor: _Product) -> _Product | None:
    """The product without the symbols of another; None where it lacks one."""
    rest = list(product)
    for s in divisor:
        if s not in rest:
            return None
        rest.remove(s)
    return tuple(rest)


def _bound(size: Size, lowest: bool) -> int:
    """The sum of each term at the end of its range that is the worst."""
    if isinstance(size, int):
        return size
    return int(
        sum(
            factor * prod(s.least if (factor > 0) == lowest else s.most for s in product)
            for factor, product in size.terms
        )
    )
