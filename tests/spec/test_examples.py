"""The reference, page by page: its examples do what the page says.

A page is followed from top to bottom in one folder. What the blocks mean, by their language:

    kina          a program, which compiles: to linalg, for every export
    kina error    a program that is refused; the `text` block after it is the whole message
    console       commands after `$ `, and what they print (`...` stands for anything)
    python        with `>>>`, lines of Python and what they show; without, a program that is parsed
    c             a file of C, for a command to compile
    text          shown, not run

A first line `// name.kina` or `/* name.c */` names the file; a program without one is `program.kina`.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.compiler import emit_one
from kina.elaborate import elaborate
from kina.syntax.source import KinaError

# Not resolved: in a test target's folder this file is a link into the checkout.
ROOT = Path(__file__).absolute().parents[2]
SPEC = ROOT / "kina" / "spec"
PAGES = [*sorted(SPEC.glob("*.md")), ROOT / "README.md"]

_BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"(?://|/\*) (\w+\.(?:kina|c))\b")
_OPTIONS = doctest.ELLIPSIS


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    kind: str
    text: str
    line: int
    """Of its first line, counted from 1."""

    def name(self, otherwise: str) -> str:
        """The file that the block is."""
        named = _NAME.match(self.text)
        return otherwise if named is None else named.group(1)


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    assert text.count("\n```") % 2 == 0, f"{page.name}: a block is not closed"
    return [
        Block(match.group(1), match.group(2), text.count("\n", 0, match.start(2)) + 1)
        for match in _BLOCK.finditer(text)
    ]


@dataclass
class Reader:
    """Somebody who follows a page, in a folder where `kina` is a command and `kina/` the programs."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)

    def follow(self, page: Path) -> None:
        """Do all that the page shows; AssertionError with the line where something else happens."""
        rest = iter(blocks(page))
        for block in rest:
            try:
                self.do(block, rest)
            except Exception as problem:
                raise AssertionError(f"{page.name}:{block.line}: {problem}") from problem

    def do(self, block: Block, rest: Iterator[Block]) -> None:
        match block.kind:
            case "kina":
                self.compile(self.write(block, "program.kina"))
            case "kina error":
                message = next(rest)
                assert message.kind == "text", "a refused program is followed by its message"
                self.refuse(self.write(block, "program.kina"), message.text)
            case "console":
                self.run(block)
            case "python" if ">>> " in block.text:
                self.converse(block)
            case "python":
                compile(block.text, "<page>", "exec")
            case "c":
                self.write(block, "program.c")
            case "text":
                pass
            case _:
                raise AssertionError(f"a block of {block.kind!r} has no test")

    def write(self, block: Block, otherwise: str) -> Path:
        path = Path(block.name(otherwise))
        (self.folder / path).write_text(block.text, encoding="utf-8")
        return path

    def compile(self, program: Path) -> None:
        for elaborated in elaborate(program):
            emitted = emit_one(elaborated, target())
            assert f"@{emitted.signature.name}" in emitted.module

    def refuse(self, program: Path, message: str) -> None:
        with pytest.raises(KinaError) as caught:
            elaborate(program)
        compare(message, str(caught.value) + "\n")

    def run(self, block: Block) -> None:
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            done = subprocess.run(
                ["/bin/sh", "-c", command],
                cwd=self.folder,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            compare(expected, done.stdout.decode(), command)

    def environment(self) -> dict[str, str]:
        """Where `kina` is this compiler, and `cc` some C compiler."""
        bin_ = self.folder / "bin"
        if not bin_.exists():
            bin_.mkdir()
            # -P: a library in the folder must not pass for a module of Python.
            script(bin_ / "kina", sys.executable, "-P", "-m", "kina.cli")
            if shutil.which("cc") is None:
                script(bin_ / "cc", find_tools().link.lld[0], "cc")
        cache = str(self.folder / "zig")
        return {
            **os.environ,
            "PATH": f"{bin_}:{os.environ.get('PATH', os.defpath)}",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "ZIG_GLOBAL_CACHE_DIR": cache,
            "ZIG_LOCAL_CACHE_DIR": cache,
        }

    def converse(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(block.text, {}, "python", None, block.line)
        test.globs = self.names
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=_OPTIONS)
        runner.run(test, out=said.append, clear_globs=False)
        assert not said, "".join(said)


def script(path: Path, *command: str) -> None:
    quoted = " ".join(f"'{word}'" for word in command)
    path.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    path.chmod(0o755)


def compare(expected: str, found: str, what: str = "the message") -> None:
    same = doctest.OutputChecker().check_output(expected, found, _OPTIONS)
    assert same, f"{what}: expected\n{expected}\nfound\n{found}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kina").symlink_to(ROOT / "kina")
    Reader(tmp_path).follow(page)
