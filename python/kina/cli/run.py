"""`kina run`: one call of a program, compiled or by the meaning of its operations, on `.npy` files."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kina.cli import console
from kina.cli.main import UserError

if TYPE_CHECKING:
    from kina.abi import Signature
    from kina.runtime import Function
    from kina.runtime.tensors import Array

    Call = Callable[[Sequence[Array]], Sequence[Array]]
    """From one array for each parameter to one for each result."""

VALUES = ("--arg",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of `kina run`."""
    add = parser.add_argument
    parser.epilog = (
        "Parameters have their names of the manifest (kina inspect), dotted for the field of a "
        "record: --arg w.embed=embed.npy. A scalar may be a number: --arg position=3."
    )
    add("program", type=Path, help="a program, .kina, or a compiled one")
    add("signature", help="what to call: an export of the program")
    add("--arg", action="append", default=[], metavar="NAME=FILE", help="an argument; repeatable")
    add(
        "--out",
        metavar="PREFIX",
        help="write result N as PREFIXN.npy, and as FOLDER/N.npy where it is a folder; "
        "without it the results are shown",
    )
    add(
        "--interpret",
        action="store_true",
        help="compute a .kina by the NumPy meaning of its operations, do not compile it",
    )


def run(arguments: argparse.Namespace) -> int:
    """Call the signature and write its results, or show them."""
    from kina.codegen.link import LinkError
    from kina.codegen.tools import ToolError
    from kina.runtime import CallError, LoadError
    from kina.runtime.npy import read_arguments
    from kina.syntax.source import KinaError

    a = arguments
    if a.out is None:
        console.require_output()
    try:
        signature, call = _program(a.program, a.signature, a.interpret)
        inputs = read_arguments(signature, a.arg)
        places = _places(a.out, signature, [a.program, *_files(a.arg)])
        results = call(inputs)
        for place, result in zip(places, results):
            _write(place, result)
        if not places:
            for result in results:
                console.write(_shown(result))
    except KinaError as problem:
        console.complain(str(problem))
        return 1
    except (CallError, LinkError, LoadError, ToolError) as problem:
        raise UserError(str(problem)) from problem
    except MemoryError as problem:
        raise UserError(f"not enough memory: {problem}") from problem
    return 0


def _program(path: Path, name: str, interpret: bool) -> tuple[Signature, Call]:
    """The signature `name` of a program, and how to call it."""
    from kina.elaborate import elaborate
    from kina.runtime import load

    if path.suffix == ".kina":
        (elaborated,) = elaborate(path, [name])
        signature, module = elaborated.signature, elaborated.module
        if not interpret:
            return signature, lambda inputs: _compiled(path, name)(inputs)
        from kina.oracle.interpreter import interpret as interpreted

        return signature, lambda inputs: interpreted(module, inputs)
    if interpret:
        raise UserError(f"--interpret takes a program, a .kina file, found {path}")
    functions = load(path).signatures
    if name not in functions:
        raise UserError(f"{path} has no signature {name!r}: it has {', '.join(functions)}")
    return functions[name].signature, _calling(functions[name])


def _compiled(path: Path, name: str) -> Call:
    """The signature of a library that is loaded, and whose file is gone again."""
    from kina.codegen.targets import target
    from kina.codegen.tools import find_tools
    from kina.compiler import compile_program
    from kina.runtime import load

    with tempfile.TemporaryDirectory(prefix="kina-") as folder:
        library = Path(folder, "program.so")
        compile_program(path, library, target(), find_tools(), exports=[name])
        return _calling(load(library).signatures[name])


def _calling(function: Function) -> Call:
    from kina.runtime.npy import nested

    def call(inputs: Sequence[Array]) -> Sequence[Array]:
        console.exit_on_interrupt()
        results = function(**nested(function.signature, inputs))
        return results if isinstance(results, tuple) else (results,)

    return call


def _files(given: Sequence[str]) -> list[Path]:
    return [Path(argument.partition("=")[2]) for argument in given]


def _places(out: str | None, signature: Signature, inputs: Sequence[Path]) -> list[Path]:
    """The files of the results, none of which is one that the call reads."""
    from kina.codegen.link import check_place
    from kina.files import same_file

    if out is None:
        return []
    prefix = os.path.join(out, "") if os.path.isdir(out) else out
    places = [Path(f"{prefix}{number}.npy") for number in range(len(signature.results))]
    for place in places:
        check_place(place)
        for path in inputs:
            if same_file(place, path):
                raise UserError(f"{place} is the same file as {path}, which would be lost")
    return places


def _write(path: Path, result: Array) -> None:
    import numpy as np

    from kina.files import completed

    try:
        with completed(path) as file:
            np.lib.format.write_array(file, result, allow_pickle=False)
    except OSError as problem:
        raise UserError(f"{path} cannot be written: {problem.strerror or problem}") from problem


def _shown(result: Array) -> str:
    import numpy as np

    from kina.runtime.dtypes import describe_array

    type_ = describe_array(result) + " "
    text = np.array2string(result, separator=", ", prefix=type_, floatmode="unique")
    return f"{type_}{text}\n"
