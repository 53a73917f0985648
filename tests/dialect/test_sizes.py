"""Sizes that are open until a call. Expectations by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kina.sizes import (
    Open,
    Size,
    Symbol,
    divided,
    fits,
    least,
    linear,
    most,
    parse,
    quotient,
    solve,
    symbol,
    symbols,
    value,
)

S, T = symbol("S", 1, 31), symbol("T", 0, 4)
KNOWN = {s.name: s for size in (S, T) for s in symbols(size)}


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (S, "S"),
        (S + 1, "S + 1"),
        (1 - S, "-S + 1"),
        (2 * S * T - T - 3, "2 * S * T - T - 3"),
        (S * S + S, "S * S + S"),
        (T * S, "S * T"),
        (7 - S + S, "7"),
        (S - S, "0"),
    ],
)
def test_a_size_is_written_as_a_sum_of_products(size: Size, text: str) -> None:
    assert str(size) == f"{size}" == text


def test_what_becomes_a_number_is_one() -> None:
    assert type(S - S) is int and type(S + 2 - S) is int and type(0 * S) is int
    assert symbol("N", 3, 3) == 3 and type(symbol("N", 3, 3)) is int


def test_sizes_are_equal_where_they_are_so_for_every_value() -> None:
    assert (S + 1) * (S - 1) == S * S - 1 and hash((S + 1) * 2) == hash(2 * S + 2)
    assert S + 1 != S and S != 5 and S != T
    assert symbol("S", 1, 30) != S, "another range is another dimension"


def test_a_division_comes_out_even_or_not_at_all() -> None:
    assert quotient(6 * S + 3, 3) == 2 * S + 1
    assert quotient(S * T, T) == S and quotient(12, 4) == 3
    assert quotient(S + 1, 2) is None and quotient(S, S + 1) is None and quotient(S, 0) is None
    half = divided(S, 2)
    assert isinstance(half, Open) and half * 2 == S
    assert divided(7, 2) == Fraction(7, 2)


@pytest.mark.parametrize(
    ("size", "low", "high"),
    [(5, 5, 5), (S, 1, 31), (S + T, 1, 35), (S - T, -3, 31), (2 * S * T, 0, 248), (-S, -31, -1)],
)
def test_the_bounds_of_a_size(size: Size, low: int, high: int) -> None:
    assert (least(size), most(size)) == (low, high)


def test_what_fits_does_so_for_every_value() -> None:
    assert fits(S, S + 1) and fits(S, 31) and fits(1, S) and fits(T, S + 3)
    assert not fits(S, 30) and not fits(2, S) and not fits(S + 1, S) and not fits(T, S)


def test_a_size_is_solved_for_the_one_that_is_unknown() -> None:
    (s,), (t,) = symbols(S), symbols(T)
    assert solve(S + 1, 5, [s]) == (s, 4)
    assert solve(2 * S + T, 2 * T, [s]) is None, "half of T is no size"
    assert solve(2 * S + 2 * T, 6 * T, [s]) == (s, 2 * T)
    assert solve(2 * S, 5, [s]) is None and solve(S * S, 4, [s]) is None
    assert solve(S + T, 5, [s, t]) is None and solve(T, 5, [s]) is None and solve(3, 3, [s]) is None


def test_a_linear_size_tells_its_symbol() -> None:
    (s,) = symbols(S)
    assert linear(3 * S - 2) == (s, 3, -2) and linear(S) == (s, 1, 0)
    assert linear(S * S) is None and linear(S + T) is None and linear(4) is None


_SIZES = st.recursive(
    st.sampled_from([S, T]) | st.integers(-9, 9),
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
        lambda part: {"+": part[0] + part[2], "-": part[0] - part[2], "*": part[0] * part[2]}[
            part[1]
        ]
    ),
    max_leaves=6,
)


@given(_SIZES)
def test_writing_reading_and_bounds_agree_with_the_values(size: Size) -> None:
    assert parse(str(size), KNOWN) == size
    for s, t in product((1, 2, 31), (0, 3, 4)):
        assert least(size) <= value(size, {"S": s, "T": t}) <= most(size)


@pytest.mark.parametrize("text", ["S +", "R", "S ** 2", "1.5", "2S", ""])
def test_other_text_is_no_size(text: str) -> None:
    with pytest.raises(ValueError, match="expected a size"):
        parse(text, KNOWN)


def test_symbols_are_in_order_of_their_names() -> None:
    assert sorted([Symbol("T", 0, 1), Symbol("S", 1, 9)])[0].name == "S"
