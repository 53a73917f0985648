"""A program as a formatter sees it: lines of tokens, each with what it stands in and what it begins.

It is read off the tokens alone, one after the other: a statement begins where a token that can end an
expression stands before one that can begin something.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kina.syntax.lexer import COMMENT, END, FLOAT, INTEGER, NAME, STRING, Token

_CLOSING = frozenset(")]}")
_VALUES = frozenset({NAME, INTEGER, FLOAT, STRING, "true", "false", "inf", "nan", "placeholder"})
_ENDS = _VALUES | _CLOSING

LISTS = frozenset({"with", "dim", "const", "part"})
"""Keywords that open a list, which no mark closes."""
DECLARATIONS = frozenset(
    {"dim", "const", "part", "record", "reverseMode", "fn", "export", "import"}
)
STATEMENTS = frozenset({"let", "return", "yield"})
_BEGINS = DECLARATIONS | STATEMENTS | _VALUES | {"for", END}


@dataclass(eq=False, slots=True)
class Frame:
    """What is open around a token: a block, brackets, a list; or the file."""

    kind: str
    """The token that opens it; "" for the file."""
    outer: Frame | None = None
    entry: Entry | None = None
    """What was begun in it last."""

    # Columns, known once the line is placed that opens it.
    indent: int = 0
    """Of the lines in it."""
    closing: int = 0
    """Of its last token, where that begins a line."""
    head: int = 0
    """Of the line where what is being written in it began; a block that opens there closes there."""

    @property
    def is_block(self) -> bool:
        return self.kind in ("{", "")

    @property
    def is_list(self) -> bool:
        return self.kind in LISTS


@dataclass(eq=False, slots=True)
class Piece:
    """A token in its place."""

    kind: str
    text: str
    frame: Frame
    """The innermost that it stands in; of a closing token, the one that it closes."""
    starts: bool = False
    """Whether a statement, a declaration, a field or an element of a list begins here."""
    after_value: bool = False
    """Whether what stands before it may end an expression; a `-` where not is a sign."""
    opens: Frame | None = None
    gap: int = 1
    """Blanks before it, where it does not begin a line."""

    @property
    def closes(self) -> bool:
        return self.kind in _CLOSING


@dataclass(eq=False, slots=True)
class Entry:
    """A statement, a declaration, a field or an element of a list."""

    frame: Frame
    line: Line
    first: int
    """Where it begins, in its line."""
    equals: int | None = None
    """Its `=`, in the same line."""
    whole: bool = False
    """Whether it ends in its line."""


@dataclass(eq=False, slots=True)
class Line:
    """Tokens, a comment, or tokens and a comment behind them."""

    blank: bool
    """Whether an empty line stands before it."""
    pieces: list[Piece] = field(default_factory=list)
    comment: str | None = None
    block: Frame | None = None
    """The block, or the file, that it stands in; None for a comment alone."""
    entries: list[Entry] = field(default_factory=list)
    """What begins in it."""
    indent: int = 0
    comment_gap: int = 0
    """Blanks between its indent or its tokens and its comment."""


def structure(tokens: Iterable[tuple[Token, int]]) -> list[Line]:
    """The lines of a program, from its tokens, comments among them, and the line ends before each.

    The last token is of kind END, and no line has it. The program is right: brackets match.
    """
    reader = _Reader()
    for token, breaks in tokens:
        if breaks or not reader.lines:
            reader.lines.append(Line(blank=breaks > 1))
        if token.kind == COMMENT:
            reader.lines[-1].comment = token.text
        else:
            reader.read(token)
    if not reader.lines[-1].pieces and reader.lines[-1].comment is None:
        reader.lines.pop()  # where END stood alone
    return reader.lines


class _Reader:
    """Where the reading is: the lines so far, what is open, and the token before."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.open = [Frame("")]
        self.last = ""
        self.last_line: Line | None = None

    def read(self, token: Token) -> None:
        kind = token.kind
        after_value = self.last in _ENDS
        if kind in _CLOSING:
            piece = Piece(kind, token.text, self.close())
        else:
            new = after_value and kind in _BEGINS
            if self.open[-1].is_list and (new or kind == "{"):
                self.close()
            frame = self.open[-1]
            starts = new or self.last in ("", ",", frame.kind)
            piece = Piece(kind, token.text, frame, starts, after_value)
        line = self.lines[-1]
        self.note_entry(piece, line)
        if kind == END:
            return
        if not line.pieces:
            line.block = self.block()
        line.pieces.append(piece)
        if kind in "([{" or kind in LISTS:
            piece.opens = Frame(kind, self.open[-1])
            self.open.append(piece.opens)
        self.last, self.last_line = kind, line

    def close(self) -> Frame:
        frame = self.open.pop()
        self.end_entry(frame)
        return frame

    def note_entry(self, piece: Piece, line: Line) -> None:
        frame = piece.frame
        if piece.starts:
            self.end_entry(frame)
            frame.entry = Entry(frame, line, len(line.pieces))
            line.entries.append(frame.entry)
        entry = frame.entry
        if piece.kind == "=" and entry is not None and entry.line is line and entry.equals is None:
            entry.equals = len(line.pieces)

    def end_entry(self, frame: Frame) -> None:
        if frame.entry is not None:
            frame.entry.whole = frame.entry.line is self.last_line

    def block(self) -> Frame:
        return next(frame for frame in reversed(self.open) if frame.is_block)
