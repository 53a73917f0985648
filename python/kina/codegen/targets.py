"""The processors that code is generated for."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, replace

from kina import cpu
from kina.cpu import TargetError

__all__ = ["DEFAULT_TARGETS", "Target", "TargetError", "target"]

DEFAULT_TARGETS: Mapping[str, str] = {"x86_64": "x86-64-v3", "aarch64": "armv8.2-a"}
"""The portable baseline of each machine architecture."""


@dataclass(frozen=True)
class Target:
    """What code generation asks of a processor."""

    name: str
    triple: str
    llvm_options: tuple[str, ...]
    """`-mcpu`, `-mattr`: the options of `opt` and `llc`."""
    vector_bytes: int
    """The width of one vector register."""
    vector_registers: int


_X86, _ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
_LEVELS: Mapping[str, Target] = {
    level.name: level
    for level in (
        Target("x86-64", _X86, ("-mcpu=x86-64",), 16, 16),
        Target("x86-64-v2", _X86, ("-mcpu=x86-64-v2",), 16, 16),
        Target("x86-64-v3", _X86, ("-mcpu=x86-64-v3",), 32, 16),
        Target("x86-64-v4", _X86, ("-mcpu=x86-64-v4",), 64, 32),
        Target("armv8-a", _ARM, ("-mattr=+v8a",), 16, 32),
        Target("armv8.1-a", _ARM, ("-mattr=+v8.1a",), 16, 32),
        Target("armv8.2-a", _ARM, ("-mattr=+v8.2a",), 16, 32),
    )
}


def target(name: str | None = None) -> Target:
    """The target of this name; the portable baseline of this machine where none is given.

    A name is a level, with LLVM's names of further features behind it: `x86-64-v3+avxvnni`.
    `native` is this machine's own processor: fast here, not portable, so never for a build that
    others share. Raises TargetError for a name that is not known.
    """
    machine = platform.machine()
    if name is None:
        name = DEFAULT_TARGETS.get(machine, "x86-64-v3")
    elif name == "native":
        name = cpu.native(machine)
    cpu.demands(name)  # refuses what there is not
    level, *features = name.split("+")
    options = ["-mattr=" + ",".join(f"+{feature}" for feature in features)] if features else []
    found = _LEVELS[level]
    return replace(found, name=name, llvm_options=(*found.llvm_options, *options))
