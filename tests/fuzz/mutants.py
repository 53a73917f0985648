"""Programs with something wrong: texts of the tree, with tokens lost, doubled, exchanged or broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.strategies import SearchStrategy

Draw: TypeAlias = Callable[[int, int], int]
"""A random number from the first to the second."""

_TOKEN = re.compile(
    rb"\s+|//[^\n]*|[A-Za-z_]\w*|[0-9][\w.]*|\"[^\"\n]*\"|->|\.\.\.?|[=!<>]=|.", re.DOTALL
)
_BLOCK = re.compile(r"^```kina[^\n`]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STRANGE = (
    *(
        b"0",
        b"-1",
        b"1e308",
        b"9223372036854775807",
        b"99999999999999999999",
        b"0.5",
        b"inf",
        b"nan",
    ),
    *(
        b"placeholder",
        b"...",
        b"..",
        b"for",
        b"let",
        b"return",
        b"yield",
        b"fn",
        b"export",
        b"with",
    ),
    *(
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b"=",
        b":",
        b"@",
        b"%",
        b"-",
        b"->",
        b"//",
        b'"',
        b"\r",
    ),
    *(
        b"Bool",
        b"I8",
        b"F16",
        b"true",
        b"main",
        b"donate",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\0",
        b"\xe2\x80\xae",
    ),
    *(
        b"softmax",
        b"broadcast",
        b"transpose",
        b"update",
        b"gather",
        b"cast",
        b"dim D = 0",
        b"record",
    ),
)
_LARGEST = 200_000
"""Bytes; parts that are doubled many times would grow without end."""


def corpus(root: Path) -> list[bytes]:
    """The programs of kina/ and those that the reference shows, the shortest first."""
    files = {path.read_bytes() for path in (root / "kina").rglob("*.kina")}
    pages = [page.read_text(encoding="utf-8") for page in (root / "kina/spec").glob("*.md")]
    shown = {block.encode() for page in pages for block in _BLOCK.findall(page)}
    return sorted(files | shown, key=lambda text: (len(text), text))


def neighbours(root: Path, folder: Path) -> None:
    """Puts into a folder the files that programs of the corpus import."""
    for path in (root / "kina").rglob("*.kina"):
        for place in (folder / path.name, folder / "models" / path.name):
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(path.read_bytes())
    for page in (root / "kina/spec").glob("*.md"):
        for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
            if named := re.match(r"// (\w+\.kina)\n", block):
                (folder / named[1]).write_text(block, encoding="utf-8")


def mutant(draw: Draw, texts: Sequence[bytes]) -> bytes:
    """A program of the corpus after one to four changes; once in twenty times only noise."""
    if draw(0, 19) == 19:
        return _noise(draw)
    tokens = _TOKEN.findall(texts[draw(0, len(texts) - 1)])
    changes = (_GENTLE, _CHANGES)[draw(0, 1)]
    for _ in range(draw(1, 4)):
        changes[draw(0, len(changes) - 1)](draw, tokens, texts)
    return b"".join(tokens)[:_LARGEST]


def _noise(draw: Draw) -> bytes:
    if draw(0, 1):
        return bytes(draw(0, 255) for _ in range(draw(0, 60)))
    return b" ".join(_STRANGE[draw(0, len(_STRANGE) - 1)] for _ in range(draw(0, 40)))


def _place(draw: Draw, tokens: Sequence[bytes]) -> int:
    """The place of a token that is no space, where there is one."""
    at = draw(0, max(len(tokens) - 1, 0))
    return at + 1 if tokens[at : at + 1] and tokens[at].isspace() and at + 1 < len(tokens) else at


def _delete(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    at = _place(draw, tokens)
    del tokens[at : at + 1]


def _delete_many(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    at = _place(draw, tokens)
    del tokens[at : at + draw(2, 40)]


def _double(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    at, count = _place(draw, tokens), draw(1, 30)
    tokens[at:at] = tokens[at : at + count] * draw(1, 3)


def _exchange(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    if tokens:
        a, b = _place(draw, tokens), _place(draw, tokens)
        tokens[a], tokens[b] = tokens[b], tokens[a]


def _copy(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    """A token in the place of another of its kind: most often the text still parses."""
    if tokens:
        at = _place(draw, tokens)
        same = [token for token in tokens if _kind(token) == _kind(tokens[at])]
        tokens[at] = same[draw(0, len(same) - 1)]


def _kind(token: bytes) -> int:
    """Names, numbers, marks: by the first byte."""
    return 0 if token[:1].isalpha() or token[:1] == b"_" else 1 if token[:1].isdigit() else 2


def _insert(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    tokens.insert(_place(draw, tokens), b" " + _STRANGE[draw(0, len(_STRANGE) - 1)] + b" ")


def _replace(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    if tokens:
        tokens[_place(draw, tokens)] = _STRANGE[draw(0, len(_STRANGE) - 1)]


def _number(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    """Another number in the place of one."""
    numbers = [i for i, token in enumerate(tokens) if token[:1].isdigit()]
    if numbers:
        tokens[numbers[draw(0, len(numbers) - 1)]] = str(draw(0, 9)).encode()


def _splice(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    """A part of another program."""
    other = _TOKEN.findall(texts[draw(0, len(texts) - 1)])
    at = _place(draw, other)
    here = _place(draw, tokens)
    tokens[here:here] = other[at : at + draw(1, 60)]


def _flip(draw: Draw, tokens: list[bytes], texts: Sequence[bytes]) -> None:
    """One bit of one byte."""
    at = _place(draw, tokens)
    if tokens and tokens[at]:
        changed = bytearray(tokens[at])
        changed[draw(0, len(changed) - 1)] ^= 1 << draw(0, 7)
        tokens[at] = bytes(changed)


_GENTLE = (_copy, _number)
"""Changes after which a text may still be a program, if hardly a right one."""
_CHANGES = (_delete, _delete_many, _exchange, _insert, _replace, _double, _splice, _flip, *_GENTLE)


class Mutants(SearchStrategy[bytes]):
    """Mutants of a corpus, as a strategy; like Programs, it draws its numbers itself."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        super().__init__()
        self.texts = texts

    def do_draw(self, data: ConjectureData) -> bytes:
        return mutant(data.draw_integer, self.texts)
