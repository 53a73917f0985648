"""The table of wrong programs: pages of cases, each a title, its files, and the whole message.

A page is Markdown. A case begins with `## ` and its title; its blocks of `kina` are files, of which
the last is the program; its block of `text` is what the compiler says. A first line `// name.kina`
names a file, and one without is `program.kina`.

    python3 tests/diagnostics/table.py

writes into the pages what the compiler says now, for `git diff` to show and a reader to judge.
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kina.elaborate import check
from kina.syntax.source import KinaError

# Not resolved: in a test target's folder this file is a link into the checkout.
PAGES = sorted(Path(__file__).absolute().parent.glob("*.md"))

_CASE = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"// (\w+\.kina)\b")


@dataclass(frozen=True)
class Case:
    """A wrong program, and what is to be said of it."""

    title: str
    files: dict[str, str]
    """Text by name; the program is the last."""
    message: str


def cases(page: Path) -> list[Case]:
    return [
        _case(match.group(1), match.group(2))
        for match in _CASE.finditer(page.read_text(encoding="utf-8"))
    ]


def said(case: Case) -> str:
    """What the compiler says of a program; nothing where it takes it."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, text in case.files.items():
                Path(name).write_text(text, encoding="utf-8")
            check(list(case.files)[-1])
        except KinaError as problem:
            return f"{problem}\n"
        finally:
            os.chdir(before)
    return ""


def _case(title: str, text: str) -> Case:
    blocks = [(match.group(1), match.group(2)) for match in _BLOCK.finditer(text)]
    kinds = [kind for kind, _ in blocks]
    assert kinds == ["kina"] * (len(kinds) - 1) + ["text"], f"{title}: blocks of {kinds}"
    files = {}
    for _, content in blocks[:-1]:
        name = _NAME.match(content)
        files["program.kina" if name is None else name.group(1)] = content
    assert len(files) == len(blocks) - 1 > 0, f"{title}: each file has a name of its own"
    return Case(title, files, blocks[-1][1])


def _update(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for case in cases(page):
        head = f"## {case.title}\n"
        before, _, after = text.partition(head)
        after = after.replace(f"```text\n{case.message}```\n", f"```text\n{said(case)}```\n", 1)
        text = before + head + after
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for one in PAGES:
        _update(one)
