"""The layout of a program: the author's lines, with blanks, indents and empty lines as they should be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from kina.syntax.lexer import COMMENT, NAME, Token, tokenize
from kina.syntax.parser import parse
from kina.syntax.source import SourceFile
from kina.syntax.structure import Entry, Frame, Line, Piece, structure

_BLOCK = 2
"""By how much the lines of a block are indented."""
_CONTINUED = 4
"""By how much a line is that goes on with a statement, or that stands in a bracket open at a line's end."""
_APART = 3
"""Blanks between fields of one line, and the fewest before a comment behind tokens."""
_WIDTH = 100
"""A column beyond which nothing is lined up: what is wider stands by itself."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANKS = " \t\f\v"


def format_source(source: SourceFile) -> str:
    """The text of a program, laid out. What is laid out already does not change.

    The tokens, the comments and the lines that they stand on stay; every other blank and empty line
    follows from them, in time that grows as the text does.

    Raises:
        KinaError: the text is not Kina.
    """
    parse(source)
    tokens, _ = tokenize(source, comments=True)
    lines = structure(_with_breaks(source, tokens))
    _space(lines)
    _align_values(lines)
    _indent(lines)
    _part(lines)
    _align_comments(lines)
    text = "".join(map(_written, lines))
    found, _ = tokenize(SourceFile(source.name, text), comments=True)
    if _meaning(found) != _meaning(tokens):
        raise RuntimeError(f"the layout of {source.name} would change its tokens")
    return text


def _with_breaks(source: SourceFile, tokens: Sequence[Token]) -> Iterator[tuple[Token, int]]:
    """Every token with the number of line ends before it."""
    end = 0
    for token in tokens:
        yield token, len(_LINE_END.findall(source.text, end, token.span.start))
        end = token.span.end


def _meaning(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    """What a layout leaves as it is."""
    return [(token.kind, _shown(token.kind, token.text)) for token in tokens]


def _shown(kind: str, text: str) -> str:
    return text.rstrip(_BLANKS) if kind == COMMENT else text


# Blanks between tokens


def _space(lines: Sequence[Line]) -> None:
    for line in lines:
        for before, piece in zip(line.pieces, line.pieces[1:]):
            piece.gap = _gap(before, piece)


def _gap(before: Piece, piece: Piece) -> int:
    last, kind = before.kind, piece.kind
    if piece.starts and piece.frame.is_block:
        return 1 if last in ("{", ",") else _APART
    if last in "([" or kind in ")],:" or (last, kind) == ("{", "}"):
        return 0
    if last in (".", "..") or kind in (".", ".."):
        return 0
    if kind in "([" and last in (NAME, ")", "]", "donate"):
        return 0
    if last == "-" and not before.after_value:
        return 0
    keyword = before if last == "=" else piece if kind == "=" else None
    return 0 if keyword is not None and keyword.frame.kind == "(" else 1


def _align_values(lines: Sequence[Line]) -> None:
    """Line up the `=` of lets, and of elements of a list, that stand on lines of their own in a row."""
    for run in _runs(lines, lambda line: entry.frame if (entry := _aligned_entry(line)) else None):
        entries = [entry for line in run if (entry := _aligned_entry(line))]
        widths = [_before_equals(entry) for entry in entries]
        column = max(widths) + 1
        for entry, width in zip(entries, widths):
            assert entry.equals is not None
            entry.line.pieces[entry.equals].gap = column - width


def _aligned_entry(line: Line) -> Entry | None:
    """What begins and ends in a line and has an `=` to line up; None where several do."""
    entries = [
        entry
        for entry in line.entries
        if entry.whole and (entry.frame.is_list or line.pieces[entry.first].kind == "let")
    ]
    if not entries or entries[0].equals is None or _before_equals(entries[0]) > _WIDTH:
        return None
    beside = sum(entry.frame is entries[0].frame for entry in line.entries)
    return entries[0] if beside == 1 else None


def _before_equals(entry: Entry) -> int:
    return _width(entry.line.pieces[entry.first : entry.equals])


def _width(pieces: Sequence[Piece]) -> int:
    return sum(piece.gap + len(piece.text) for piece in pieces) - pieces[0].gap


def _runs(lines: Sequence[Line], frame: Callable[[Line], Frame | None]) -> Iterator[list[Line]]:
    """Lines in a row, without empty ones between them, that have the same frame."""
    run: list[Line] = []
    last: Frame | None = None
    for line in lines:
        own = frame(line)
        if run and (own is not last or line.blank):
            yield run
            run = []
        if own is not None:
            run.append(line)
        last = own
    if run:
        yield run


# Columns


def _indent(lines: Sequence[Line]) -> None:
    comments: list[Line] = []  # lines of their own: they stand as what comes after them
    for line in lines:
        if not line.pieces:
            comments.append(line)
            continue
        first = line.pieces[0]
        line.indent = _column(first)
        for comment in comments:
            comment.indent = first.frame.indent if first.closes else line.indent
        comments.clear()
        if first.starts or not (first.closes or first.after_value):
            first.frame.head = line.indent
        _open_frames(line)


def _column(first: Piece) -> int:
    """Of a token that begins a line."""
    frame = first.frame
    if first.closes:
        return frame.closing
    if first.kind == "{":
        return frame.head
    return frame.indent + (_CONTINUED if frame.is_block and not first.starts else 0)


def _open_frames(line: Line) -> None:
    """Tell what opens in a line the columns of its lines."""
    column = line.indent - line.pieces[0].gap
    following = [*line.pieces[1:], None]
    for piece, after in zip(line.pieces, following):
        start = column + piece.gap
        column = start + len(piece.text)
        if (frame := piece.opens) is None:
            continue
        if frame.is_block:
            frame.closing = piece.frame.head
            frame.indent = frame.closing + _BLOCK
        elif after is None or column > _WIDTH:
            frame.closing = line.indent
            frame.indent = frame.closing + _CONTINUED
        else:
            frame.closing = start
            frame.indent = column + after.gap
        frame.head = frame.indent


# Empty lines


def _part(lines: Sequence[Line]) -> None:
    """Keep single empty lines, none at the ends of a block, and have one around what has a block."""
    for before, line in zip(lines, lines[1:]):
        opened = before.pieces and before.pieces[-1].opens
        if opened or (line.pieces and line.pieces[0].closes):
            line.blank = False
    starts = [at for at, line in enumerate(lines) if _is_declaration(line)]
    tall_before = False
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        tall = _is_tall(lines[start:end])
        if tall or tall_before:
            _part_before(lines, start)
        tall_before = tall
    if lines:
        lines[0].blank = False


def _is_declaration(line: Line) -> bool:
    return bool(line.pieces) and line.pieces[0].starts and line.pieces[0].frame.outer is None


def _is_tall(lines: Sequence[Line]) -> bool:
    """Whether a declaration has a block and takes several lines."""
    tokens = [line for line in lines if line.pieces]
    return len(tokens) > 1 and any(piece.kind == "{" for line in tokens for piece in line.pieces)


def _part_before(lines: Sequence[Line], at: int) -> None:
    """Have an empty line before a declaration and the comments that stand right above it."""
    while at > 0 and not lines[at].blank and not lines[at - 1].pieces:
        at -= 1
    lines[at].blank = True


# Comments


def _align_comments(lines: Sequence[Line]) -> None:
    """Line up the comments behind the tokens of lines in a row."""
    for line in lines:
        line.comment_gap = _APART if line.pieces else 0
    for run in _runs(lines, _commented):
        widths = [line.indent + _width(line.pieces) for line in run]
        column = max(widths)
        for line, width in zip(run, widths):
            line.comment_gap = _APART + column - width


def _commented(line: Line) -> Frame | None:
    """What a line stands in whose comment is lined up with others."""
    if line.comment is None or not line.pieces:
        return None
    return line.block if line.indent + _width(line.pieces) <= _WIDTH else None


def _written(line: Line) -> str:
    parts = ["\n" if line.blank else "", " " * line.indent]
    for at, piece in enumerate(line.pieces):
        parts += [" " * piece.gap if at else "", piece.text]
    if line.comment is not None:
        parts += [" " * line.comment_gap, _shown(COMMENT, line.comment)]
    return "".join([*parts, "\n"])
