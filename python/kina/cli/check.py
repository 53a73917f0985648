"""`kina check`: every diagnostic of a program, and nothing else."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from kina.cli import console

VALUES: Sequence[str] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of `kina check`."""
    parser.add_argument("source", type=Path, help="the program, a .kina file")


def run(arguments: argparse.Namespace) -> int:
    """Check; 0 where the program can be compiled."""
    from kina.elaborate import elaborate
    from kina.syntax.source import KinaError

    try:
        elaborate(arguments.source)
    except KinaError as problem:
        console.complain(str(problem))
        return 1
    return 0
