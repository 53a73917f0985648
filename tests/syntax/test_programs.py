"""Every program of the workspace is laid out, and however its blanks are mangled, it stays the program."""

from __future__ import annotations

import itertools
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kina.syntax import parser, structure
from kina.syntax.format import format_source
from kina.syntax.lexer import COMMENT, Token, tokenize
from kina.syntax.source import SourceFile
from support.workspace import FILES, programs

PROGRAMS = programs()


def tokens(source: SourceFile) -> list[Token]:
    found, diagnostics = tokenize(source, comments=True)
    assert not diagnostics
    return found


def words(source: SourceFile) -> list[str]:
    """What a layout keeps: every token, and every comment up to its last letter."""
    return [token.text.rstrip() for token in tokens(source)]


def code(source: SourceFile) -> list[str]:
    return [token.text for token in tokens(source) if token.kind != COMMENT]


def test_the_programs_are_here() -> None:
    assert {"llama.kina", "storylm0_generate.kina", "double.kina", "celsius.kina", "two.kina"} <= {
        path.name for path in FILES
    }
    assert len(PROGRAMS) > len(FILES) + 30


@pytest.mark.parametrize("place", PROGRAMS)
def test_every_program_is_laid_out(place: str) -> None:
    source = PROGRAMS[place]
    assert format_source(source) == source.text


BLANKS = st.sampled_from(["", " ", "\t", "   ", "\n", "\n\n\n", "\r\n", "\r", " \f\n\v "])
NOTES = st.sampled_from(["", "", "", "", "", "", "// a note \n", "  // one\n\n// two\n"])
ALONE = frozenset("()[]{},")
"""Tokens that are the same with no blank beside them."""


@st.composite
def mangled(draw: st.DrawFn) -> tuple[SourceFile, SourceFile]:
    """A program, and the same with other blanks, other line ends and more comments."""
    program = PROGRAMS[draw(st.sampled_from(sorted(PROGRAMS)))]
    between = itertools.cycle(draw(st.lists(st.tuples(BLANKS, NOTES), min_size=1, max_size=40)))
    parts: list[str] = []
    last = "("
    for token in tokens(program):
        blank, note = next(between)
        if last.startswith("//"):
            blank = "\n" + blank
        elif not blank and not {last, token.text} & ALONE:
            blank = " "
        parts += [blank, note if blank else "", token.text]
        last = token.text
    return program, SourceFile("mangled.kina", "".join(parts))


@settings(max_examples=150, deadline=None)
@given(mangled())
def test_a_mangled_program_stays_the_program(pair: tuple[SourceFile, SourceFile]) -> None:
    program, source = pair
    text = format_source(source)
    again = SourceFile("again.kina", text)
    assert words(again) == words(source)
    assert code(again) == code(program)
    assert format_source(again) == text
    assert not re.search(r"[ \t\r\f\v]\n|\A\n|\n\n\n|\n\n\Z", text) and text[-1:] in ("", "\n")


LARGE = {
    "lines": "dim A = 1 // one\n" * 50_000,
    "empty lines": "dim A = 1" + "\n" * 1_000_000 + "dim B = 2",
    "comments": "// one\n" * 50_000 + "fn f(x: F32[]) -> F32[] {\n  return x\n}\n",
    "one line": "dim A = " + "1 + " * 30_000 + "1",
    "one row of lets": "fn f(x: F32[]) -> F32[] {\n" + "let a = x\n" * 50_000 + "return a }",
    "brackets in turn": "dim A = f(" + "(1),\n" * 20_000 + ")",
    "wide lines before many": "dim A = f("
    + "1 + " * 20_000
    + "g(1, // one\n"
    + "1, // more\n" * 10_000
    + "1))\nfn f(x: F32[]) -> F32[] {\nlet "
    + "a" * 100_000
    + " = x\n"
    + "let a = x\n" * 10_000
    + "return a }",
    "nested": ("dim A = " + "(\n" * 59 + "1" + ")" * 59 + "\n") * 200,
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_program_takes_linear_time(name: str) -> None:
    started = time.process_time()
    text = format_source(SourceFile("large.kina", LARGE[name]))
    assert len(text) < 4_000_000  # of at most 1 MB: what lines up adds few blanks
    assert time.process_time() - started < 30  # seconds; quadratic work takes far longer


def test_declarations_and_statements_begin_as_the_parser_has_it() -> None:
    assert structure.DECLARATIONS == {*parser._ITEMS}
    assert structure.STATEMENTS == {*parser._STATEMENTS}
