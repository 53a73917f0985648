"""`kina fmt`: programs in the one layout, in place."""

from __future__ import annotations

import argparse
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from kina.cli import console
from kina.cli.main import UserError

VALUES: Sequence[str] = ()

_STANDARD = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of `kina fmt`."""
    add = parser.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="a program, .kina; - is standard input, which goes to standard output",
    )
    add("--check", action="store_true", help="name the files that would change, and change none")
    add("--diff", action="store_true", help="show what would change, and change nothing")


def run(arguments: argparse.Namespace) -> int:
    """Lay out every file that can be; 1 where one cannot, or where --check finds one to change."""
    from kina.syntax.source import KinaError

    a = arguments
    if a.check or a.diff or _STANDARD in a.files:
        console.require_output()
    code = 0
    for file in a.files:
        try:
            changed = _format(file, check=a.check, diff=a.diff)
        except KinaError as problem:
            console.complain(str(problem))
            code = 1
        except UserError as problem:
            console.complain(f"kina fmt: {problem}")
            code = 1
        else:
            code = max(code, int(changed and a.check))
    return code


def _format(file: str, *, check: bool, diff: bool) -> bool:
    """Do with one file what the flags say; whether it was not laid out."""
    from kina.cli.line_diff import line_diff
    from kina.syntax.format import format_source
    from kina.syntax.source import decode_source, read_bytes

    standard = file == _STANDARD
    name = "<stdin>" if standard else file
    data = _standard_input() if standard else read_bytes(Path(file), name)
    text = format_source(decode_source(data, name))
    changed = text.encode() != data
    if diff:
        console.write(line_diff(name, data.decode(), text))
    elif check:
        console.write(f"{name}\n" if changed else "")
    elif standard:
        console.write(text)
    elif changed:
        _write(Path(file), text)
    return changed


def _standard_input() -> bytes:
    try:
        with open(0, "rb", closefd=False) as file:
            return file.read()
    except OSError as problem:
        raise UserError(f"standard input cannot be read: {problem.strerror}") from problem


def _write(path: Path, text: str) -> None:
    """Put a text in the place of a file's, whole or not at all."""
    from kina.files import completed

    try:
        mode = path.stat().st_mode
        if not mode & 0o222:
            raise UserError(f"cannot write {path}: it is read-only")
        with completed(path) as file:
            os.fchmod(file.fileno(), stat.S_IMODE(mode))
            file.write(text.encode())
    except OSError as problem:
        raise UserError(f"cannot write {path}: {problem.strerror or problem}") from problem
