"""Every program of the workspace: the `.kina` files, and the examples of the reference and of README.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from kina.syntax.parser import parse
from kina.syntax.source import KinaError, SourceFile, read_source

# Not resolved: in a test target's folder this file is a link into the checkout.
ROOT = Path(__file__).absolute().parents[2]
FILES = sorted(path for folder in ("kina", "tests") for path in (ROOT / folder).rglob("*.kina"))

_PAGES = [*sorted((ROOT / "kina/spec").glob("*.md")), ROOT / "README.md"]
_EXAMPLE = re.compile(r"^```kina[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs() -> Mapping[str, SourceFile]:
    """By their places, what is a program to the parser; the reference also shows others."""
    found = [*map(read_source, FILES), *_examples()]
    return {source.name.removeprefix(f"{ROOT}/"): source for source in found}


def _examples() -> Iterator[SourceFile]:
    for page in _PAGES:
        text = page.read_text(encoding="utf-8")
        for match in _EXAMPLE.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            source = SourceFile(f"{page.name}:{line}", match.group(1))
            try:
                parse(source)
            except KinaError:
                continue
            yield source
