"""Programs that tests write, and what the elaborator says of them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from kina.elaborate import Elaborated, check
from kina.syntax.source import Diagnostic, KinaError


def checked(text: str, **others: str) -> dict[str, Elaborated]:
    """The exports of a program; `others` are files beside it, named without `.kina`."""
    with tempfile.TemporaryDirectory() as folder:
        program = check(_write(Path(folder), text, others))
    return {elaborated.signature.name: elaborated for elaborated in program.elaborated}


def diagnostics(text: str, **others: str) -> list[Diagnostic]:
    """What is wrong about a program."""
    with tempfile.TemporaryDirectory() as folder:
        with pytest.raises(KinaError) as caught:
            check(_write(Path(folder), text, others))
    str(caught.value)
    return caught.value.diagnostics


def errors(text: str, **others: str) -> list[str]:
    """What is wrong about a program, each as `line:column: message`, with the file of an import."""
    return [place(d) + ": " + d.message for d in diagnostics(text, **others)]


def the_error(text: str, **others: str) -> str:
    """The one thing that is wrong about a program."""
    (found,) = errors(text, **others)
    return found


def place(diagnostic: Diagnostic) -> str:
    """`line:column`, after the name of a file that was not the first."""
    name, line, column = str(diagnostic.span).rsplit(":", 2)
    name = Path(name).stem
    return f"{line}:{column}" if name == "program" else f"{name}:{line}:{column}"


def body(result: str, *lines: str, parameters: str = "") -> str:
    """A program of one exported function `f`, whose lines stand on lines 2 and on."""
    return "\n".join([f"fn f({parameters}) -> {result} {{", *lines, "}", "export f"])


def _write(folder: Path, text: str, others: Mapping[str, str]) -> Path:
    for name, content in others.items():
        (folder / f"{name}.kina").write_text(content)
    path = folder / "program.kina"
    path.write_text(text)
    return path
