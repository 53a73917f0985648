"""Tokens and their places. Expectations by hand."""

from __future__ import annotations

import pytest

from kina.syntax.lexer import tokenize
from kina.syntax.source import SourceFile


def texts(text: str) -> list[str]:
    tokens, diagnostics = tokenize(SourceFile("a.kina", text))
    assert not diagnostics
    return [token.text for token in tokens[:-1]]


def test_spans_are_exact() -> None:
    tokens, _ = tokenize(SourceFile("a.kina", "let  x // note\n= 1.5"))
    assert [(t.kind, t.span.start, t.span.end) for t in tokens] == [
        ("let", 0, 3),
        ("name", 5, 6),
        ("=", 15, 16),
        ("float", 17, 20),
        ("end of file", 20, 20),
    ]


def test_a_range_is_no_fraction() -> None:
    assert texts("0..L 1..2 1.5..x") == ["0", "..", "L", "1", "..", "2", "1.5", "..", "x"]


def test_numbers_and_marks() -> None:
    assert texts("1e-5 2E3 1.0e+2 ...") == ["1e-5", "2E3", "1.0e+2", "..."]
    assert texts("a==b!=c<=d>=e->f<g>h") == list("a") + [
        *("==", "b", "!=", "c", "<=", "d", ">=", "e", "->", "f", "<", "g", ">", "h")
    ]


def test_field_access_of_a_number_like_name() -> None:
    assert texts("w.l1.x") == ["w", ".", "l1", ".", "x"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12ab", "expected a number, found '12ab'"),
        ("1_000", "expected a number, found '1_000'"),
        ("1.5x", "expected a number, found '1.5x'"),
        ('"open', "expected a closing '\"' on the same line"),
        ("a ! b", "expected '!=', found '!'; negation is written not(a)"),
        ("x;", "expected Kina text, found ';'; statements end without a mark"),
        ("x && y", "expected Kina text, found '&&'; logic is written and(a, b), or(a, b)"),
        ("größe", "expected Kina text, found 'öß'; names are made of the letters A-Z"),
        ("\x00\x01\x02", "expected Kina text, found '"),
    ],
)
def test_what_is_no_token_is_one_diagnostic(text: str, message: str) -> None:
    _, diagnostics = tokenize(SourceFile("a.kina", text))
    assert len(diagnostics) == 1
    assert diagnostics[0].message.startswith(message)


def test_a_number_of_many_digits_is_refused_at_once() -> None:
    _, diagnostics = tokenize(SourceFile("a.kina", "9" * 1_000_000))
    assert len(diagnostics) == 1 and len(diagnostics[0].message) < 100
