"""`kina compile`: a program as a shared library."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from kina.cli import console
from kina.cli.main import UserError

VALUES: Sequence[str] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of `kina compile`."""
    parser.add_argument("source", type=Path, help="the program, a .kina file")
    parser.add_argument("-o", dest="out", type=Path, required=True, help="the library to write")
    parser.add_argument(
        "--target_cpu",
        metavar="CPU",
        help="x86-64-v3 or armv8.2-a by default; any level, with +features; `native`: this machine",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the library, its C header and, for parallel code, the OpenMP runtime beside it."""
    from kina.codegen.link import LinkError
    from kina.codegen.targets import TargetError, target
    from kina.codegen.tools import ToolError, find_tools
    from kina.compiler import compile_program
    from kina.syntax.source import KinaError

    try:
        processor = target(arguments.target_cpu)
        compile_program(arguments.source, arguments.out, processor, find_tools())
    except KinaError as problem:
        console.complain(str(problem))
        return 1
    except (LinkError, TargetError, ToolError) as problem:
        raise UserError(str(problem)) from problem
    return 0
