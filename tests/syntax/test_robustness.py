"""Whatever the bytes, the parser answers with a tree or a KinaError, and soon."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kina.syntax.lexer import KEYWORDS
from kina.syntax.parser import DEEPEST, parse
from kina.syntax.source import KinaError, SourceFile, read_source

_WORDS = [*sorted(KEYWORDS), "x", "F32", "1", "2.5", '"a"', "main", *"()[]{}=,.:+-*/@<", "->", ".."]


def message(text: str) -> str | None:
    try:
        parse(SourceFile("a.kina", text))
    except KinaError as problem:
        return str(problem)
    return None


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_WORDS), max_size=60))
def test_any_words(words: list[str]) -> None:
    found = message(" ".join(words))
    assert found is None or found.startswith("a.kina:1:")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    message(text)


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "any.kina"
    path.write_bytes(data)
    try:
        parse(read_source(path))
    except KinaError as problem:
        str(problem).encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "dim a = " + "(" * 20_000,
        "dim a = " + "(" * 20_000 + "1" + ")" * 20_000,
        "dim a = " + "[" * 20_000,
        "dim a = " + "f(" * 20_000,
        "dim a = " + "-" * 20_000 + "1",
        "dim a = x" + "[0]" * 20_000,
        "dim a = x" + ".a" * 20_000,
        "dim a = " + "for i in 0..1 with k = " * 20_000,
        "fn f() -> F32[] {" + "let x = for i in 0..1 with k = 1 {" * 20_000,
        "dim a = " + "while a with k = " * 20_000,
        "fn f() -> F32[] {" + "let x = while k with k = 1 {" * 20_000,
        "{" * 20_000,
        "record R { a: " + "F32[" * 20_000,
    ],
)
def test_deep_nesting_is_a_diagnostic(text: str) -> None:
    started = time.monotonic()
    found = message(text)
    assert found is not None and "error: " in found
    assert time.monotonic() - started < 20  # seconds: quadratic work takes far longer


def test_nesting_up_to_the_limit_is_fine() -> None:
    inner = DEEPEST - 1
    assert message("dim a = " + "(" * inner + "1" + ")" * inner) is None
    assert message("dim a = " + "(" * DEEPEST + "1" + ")" * DEEPEST) is not None


def test_a_long_chain_is_no_nesting() -> None:
    assert message("dim a = " + " + ".join(["1"] * 50_000)) is None


def test_a_line_of_megabytes_is_shown_in_part() -> None:
    found = message("dim a = 1" + " " * 2_000_000 + "$")
    assert found is not None and len(found) < 1000


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(KinaError):
        read_source(tmp_path / "none.kina")
