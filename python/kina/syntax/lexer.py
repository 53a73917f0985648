"""Text to tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kina.syntax.source import Diagnostic, SourceFile, Span

KEYWORDS = frozenset(
    {
        "dim",
        "const",
        "part",
        "record",
        "reverseMode",
        "fn",
        "export",
        "import",
        "as",
        "with",
        "donate",
    }
    | {"let", "return", "yield", "for", "in", "while", "placeholder", "true", "false", "inf", "nan"}
)

# The kinds of token that stand for more than their own text; a keyword's or a punctuation mark's
# kind is its text.
NAME, INTEGER, FLOAT, STRING, END = "name", "integer", "float", "string", "end of file"
COMMENT = "comment"

_TOKEN = re.compile(
    r"""
    (?P<blank>   [ \t\r\n\f\v]+ )
  | (?P<comment> //[^\r\n]* )
  | (?P<float>   [0-9]+ (?: \.[0-9]+ (?:[eE][+-]?[0-9]+)? | [eE][+-]?[0-9]+ ) )
  | (?P<integer> [0-9]+ )
  | (?P<name>    [A-Za-z_][A-Za-z0-9_]* )
  | (?P<string>  "[^"\r\n]*" )
  | (?P<mark>    \.\.\. | \.\. | -> | == | != | <= | >= | [-+*/%@<>=()\[\]{},.:] )
    """,
    re.VERBOSE,
)
_SINGLE_QUOTED = re.compile(r"'[^'\r\n]*'")
_WORD_REST = re.compile(r"[A-Za-z0-9_]+")
_UNKNOWN = re.compile(r"""[^ \t\r\n\f\vA-Za-z0-9_"\-+*/%@<>=()\[\]{},.:!]+""")
_LONGEST_NUMBER = 100
_SHOWN_TEXT = 30


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    span: Span


def tokenize(source: SourceFile, *, comments: bool = False) -> tuple[list[Token], list[Diagnostic]]:
    """The tokens of a file, ended by one of kind `END`, and what is no token at all.

    With `comments`, each comment is a token too.
    """
    skipped = {"blank"} if comments else {"blank", COMMENT}
    text = source.text
    tokens: list[Token] = []
    diagnostics: list[Diagnostic] = []
    at = 0
    while at < len(text):
        match = None if text.startswith("/*", at) else _TOKEN.match(text, at)
        if match is None:
            end, message = _no_token(text, at)
            diagnostics.append(Diagnostic(message, source.span(at, end)))
            at = end
            continue
        kind = match.lastgroup or ""
        word = match.group()
        end = match.end()
        if kind in (INTEGER, FLOAT):
            rest = _WORD_REST.match(text, end)
            end = end if rest is None else rest.end()
            if rest is not None or end - at > _LONGEST_NUMBER:
                shown = shortened(text[at : min(end, at + _LONGEST_NUMBER)])
                message = f"expected a number, found '{shown}'; 1000, 1.5 and 1e-5 are numbers"
                diagnostics.append(Diagnostic(message, source.span(at, end)))
                kind, word = INTEGER, "1"  # parsing goes on, to find what else is wrong
        if kind == "mark" or word in KEYWORDS:
            kind = word
        if kind not in skipped:
            tokens.append(Token(kind, word, source.span(at, end)))
        at = end
    tokens.append(Token(END, "", source.span(len(text), len(text))))
    return tokens, diagnostics


def shortened(text: str) -> str:
    """Text of a program as a message may quote it."""
    return text if len(text) <= _SHOWN_TEXT else text[:_SHOWN_TEXT] + "..."


def _no_token(text: str, at: int) -> tuple[int, str]:
    """Where a stretch that is no token ends, and what is wrong with it."""
    if text[at] == '"':
        end = at + 1
        while end < len(text) and text[end] not in "\r\n":
            end += 1
        return end, "expected a closing '\"' on the same line"
    if text[at] == "!":
        return at + 1, "expected '!=', found '!'; negation is written not(a)"
    if text.startswith("/*", at):
        closing = text.find("*/", at + 2)
        end = at + 2 if closing < 0 else closing + 2
        return end, "expected '//', found '/*'; a comment goes from // to the end of its line"
    if text[at] == "'":
        quoted = _SINGLE_QUOTED.match(text, at)
        end = at + 1 if quoted is None else quoted.end()
        return end, f'expected Kina text, found {shortened(text[at:end])}; only " opens a string'
    match = _UNKNOWN.match(text, at)
    end = at + 1 if match is None else match.end()
    found = shortened(text[at:end])
    hint = _HINTS.get(found[0], "")
    if found[0].isalpha():
        hint = "; names are made of the letters A-Z and a-z, digits and _"
    return end, f"expected Kina text, found '{found}'{hint}"


_HINTS = {
    ";": "; statements end without a mark",
    "&": "; logic is written and(a, b), or(a, b)",
    "|": "; logic is written and(a, b), or(a, b)",
    "~": "; negation is written not(a)",
    "^": "; a power is written pow(a, b)",
    "?": "; one of two values is written select(condition, a, b)",
    "#": "; a comment goes from // to the end of its line",
}
"""What stands in Kina for a mark of other languages."""
