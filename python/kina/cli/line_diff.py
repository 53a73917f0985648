"""What a layout changes in a text, line by line, in the unified format that `diff -u` has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_CONTEXT: Final = 3
"""Lines that are shown before and after a change."""

# Not `splitlines`: to diff and patch a line ends in LF and in nothing else.
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class _Step(NamedTuple):
    """A line that stays (" "), goes ("-") or comes ("+")."""

    mark: str
    line: str


def line_diff(name: str, before: str, after: str) -> str:
    """The unified diff of two layouts of a file, empty where they are the same.

    Layouts differ in blanks and in empty lines, so that lines which are not empty pair up in turn: this
    takes linear time. Of other texts the diff is right too, only longer than it could be.
    """
    steps = list(_steps(_LINE.findall(before), _LINE.findall(after)))
    parts: list[str] = []
    old = new = at = 0
    for start, end in _hunks(steps):
        old, new = old + start - at, new + start - at
        hunk, at = steps[start:end], end
        gone = sum(step.mark != "+" for step in hunk)
        come = sum(step.mark != "-" for step in hunk)
        parts.append(f"@@ -{_range(old, gone)} +{_range(new, come)} @@\n")
        parts += map(_shown, hunk)
        old, new = old + gone, new + come
    return "".join([f"--- {name}\n+++ {name}\n", *parts]) if parts else ""


def _steps(before: Sequence[str], after: Sequence[str]) -> Iterator[_Step]:
    """From one text to the other; of lines changed in a row, first those that go."""
    old = new = 0
    come: list[_Step] = []
    while old < len(before) or new < len(after):
        left, right = before[old : old + 1], after[new : new + 1]
        if left == right:
            yield from come
            come.clear()
            yield _Step(" ", left[0])
        else:
            # An empty line pairs with another one only.
            if left and right and left[0].isspace() != right[0].isspace():
                left, right = (left, []) if left[0].isspace() else ([], right)
            yield from (_Step("-", line) for line in left)
            come += (_Step("+", line) for line in right)
        old, new = old + len(left), new + len(right)
    yield from come


def _hunks(steps: Sequence[_Step]) -> Iterator[tuple[int, int]]:
    """Where changes are, with the lines around them."""
    start = end = 0
    for at, step in enumerate(steps):
        if step.mark == " ":
            continue
        if end and at - _CONTEXT > end:
            yield start, end
            end = 0
        start = start if end else max(0, at - _CONTEXT)
        end = min(len(steps), at + _CONTEXT + 1)
    if end:
        yield start, end


def _range(before: int, count: int) -> str:
    """Lines of a text, counted from 1; where there are none, the line before them."""
    first = before + 1 if count else before
    return str(first) if count == 1 else f"{first},{count}"


def _shown(step: _Step) -> str:
    end = "" if step.line.endswith("\n") else "\n\\ No newline at end of file\n"
    return f"{step.mark}{step.line}{end}"
