"""Source files, places in them, and the diagnostics that point there."""

from __future__ import annotations

import bisect
import codecs
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from kina.files import open_regular

_MOST_BYTES: Final = 16 << 20
"""Of one file: a hundred times the largest program that people write."""
_LINE_END = re.compile(r"\r\n|\n|\r")
# A generated line can be megabytes long; a diagnostic shows this many characters around the place.
_SHOWN_WIDTH = 120
_SHOWN_DIAGNOSTICS = 20
# What a message quotes of a program, such as a name or a type, can be as long as the program.
_SHOWN_MESSAGE = 1000


@dataclass(frozen=True, eq=False)
class SourceFile:
    """The text of one `.kina` file and the name it is shown under."""

    name: str
    text: str

    @cached_property
    def _line_bounds(self) -> tuple[list[int], list[int]]:
        starts, ends = [0], []
        for match in _LINE_END.finditer(self.text):
            ends.append(match.start())
            starts.append(match.end())
        ends.append(len(self.text))
        return starts, ends

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both counted from 1, in characters."""
        starts, ends = self._line_bounds
        line = bisect.bisect_right(starts, offset) - 1
        return line + 1, min(offset, ends[line]) - starts[line] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted from 1) without its line end."""
        starts, ends = self._line_bounds
        return self.text[starts[number - 1] : ends[number - 1]]

    def span(self, start: int, end: int) -> Span:
        return Span(self, start, end)


@dataclass(frozen=True)
class Span:
    """Characters `start` to `end` (exclusive) of a source file."""

    source: SourceFile
    start: int
    end: int

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of the other."""
        return Span(self.source, self.start, max(self.end, other.end))

    @property
    def text(self) -> str:
        """What stands there."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.line_and_column(self.start)
        return f"{_printable(self.source.name)}:{line}:{column}"


@dataclass(frozen=True)
class Note:
    """A second place that helps to understand a diagnostic."""

    message: str
    span: Span | None = None


@dataclass(frozen=True)
class Diagnostic:
    """One error: what was expected and what was found, and where."""

    message: str
    span: Span
    notes: tuple[Note, ...] = field(default=())

    def __str__(self) -> str:
        parts = [f"{self.span}: error: {_printable(self.message)}", *_excerpt(self.span)]
        for note in self.notes:
            if note.span is None:
                parts.append(f"note: {_printable(note.message)}")
            else:
                parts.append(f"{note.span}: note: {_printable(note.message)}")
                parts.extend(_excerpt(note.span))
        return "\n".join(parts)

    def with_note(self, note: Note) -> Diagnostic:
        return Diagnostic(self.message, self.span, (*self.notes, note))


class KinaError(Exception):
    """A program that cannot be compiled, with everything that is wrong about it.

    `str(error)` is the text for the user: for each diagnostic `file:line:col: error: ...`, the
    source line and a caret.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        shown = [str(diagnostic) for diagnostic in self.diagnostics[:_SHOWN_DIAGNOSTICS]]
        hidden = len(self.diagnostics) - len(shown)
        if hidden:
            shown.append(f"... and {hidden} more error{'s' if hidden > 1 else ''}")
        return "\n".join(shown)


def error(message: str, span: Span, *notes: Note) -> KinaError:
    """A KinaError of one diagnostic, to be raised."""
    return KinaError([Diagnostic(message, span, notes)])


def read_source(path: Path, name: str | None = None) -> SourceFile:
    """Read a `.kina` file; `name` is how diagnostics call it (default: the path).

    Raises:
        KinaError: the file cannot be read or is not UTF-8.
    """
    shown = name if name is not None else str(path)
    return decode_source(read_bytes(path, shown), shown)


def read_bytes(path: Path, name: str) -> bytes:
    """What a `.kina` file holds; KinaError where it cannot be read."""
    try:
        with open_regular(path, _MOST_BYTES) as file:
            return file.read(_MOST_BYTES)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise error(f"cannot read the file: {reason}", SourceFile(name, "").span(0, 0)) from None


def decode_source(data: bytes, name: str) -> SourceFile:
    """The text of a `.kina` file from its bytes; KinaError where they are not UTF-8."""
    # Editors of some systems put a byte order mark before UTF-8; it is no part of the text.
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return SourceFile(name, data.decode("utf-8"))
    except UnicodeDecodeError as problem:
        before = data[: problem.start].decode("utf-8")
        source = SourceFile(name, before + data[problem.start :].decode("utf-8", "replace"))
        raise error(
            f"expected UTF-8 text, found the byte 0x{data[problem.start]:02x}",
            source.span(len(before), len(before) + 1),
        ) from None


def _printable(text: str) -> str:
    """Text that cannot move a terminal's cursor and that any UTF-8 stream accepts; of a long one the ends."""
    if len(text) > _SHOWN_MESSAGE:
        half = _SHOWN_MESSAGE // 2
        text = f"{text[:half]} … {text[-half:]}"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _excerpt(span: Span) -> list[str]:
    """The line where a span starts and, under it, a caret and tildes along the span."""
    if not span.source.text:
        return []
    number, column = span.source.line_and_column(span.start)
    line = span.source.line(number)
    start = column - 1
    end = min(max(start + span.end - span.start, start + 1), max(len(line), start + 1))

    first = 0
    last = len(line)
    if last > _SHOWN_WIDTH:
        first = max(0, min(start - _SHOWN_WIDTH // 3, last - _SHOWN_WIDTH))
        last = min(last, first + _SHOWN_WIDTH)
    end = min(end, max(last, start + 1))
    left = "…" if first > 0 else ""
    right = "…" if last < len(line) else ""

    # Tabs stay tabs in both lines, so that the caret stands below its character at any tab width.
    shown = "".join(c if c == "\t" or c.isprintable() else "\ufffd" for c in line[first:last])
    indent = "".join("\t" if c == "\t" else " " * _cells(c) for c in line[first:start])
    marked = sum(_cells(c) for c in line[start:end])
    caret = "^" + "~" * (marked - 1)
    return [f"  {left}{shown}{right}", f"  {' ' * len(left)}{indent}{caret}"]


def _cells(character: str) -> int:
    """How many cells of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
