"""`kina inspect`: what a compiled program says of itself."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from kina.cli import console
from kina.cli.main import UserError

VALUES: Sequence[str] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of `kina inspect`."""
    parser.add_argument("library", type=Path, help="the compiled program, a .so for any processor")
    parser.add_argument("--json", action="store_true", help="the manifest alone, as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Write the description to standard output."""
    from kina.abi import manifest_to_json
    from kina.runtime import LoadError, read_manifest
    from kina.runtime.inspection import inspect_library

    console.require_output()
    try:
        if arguments.json:
            text = manifest_to_json(read_manifest(arguments.library))
        else:
            text = inspect_library(arguments.library)
    except LoadError as problem:
        raise UserError(str(problem)) from problem
    console.write_all(text)
    return 0
