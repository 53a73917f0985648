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


_TARGETS: Mapping[str, Target] = {
    target.name: target
    for target in (
        Target("x86-64-v2", "x86_64-unknown-linux-gnu", ("-mcpu=x86-64-v2",), 16, 16),
        Target("x86-64-v3", "x86_64-unknown-linux-gnu", ("-mcpu=x86-64-v3",), 32, 16),
        Target("x86-64-v4", "x86_64-unknown-linux-gnu", ("-mcpu=x86-64-v4",), 64, 32),
        Target("armv8.2-a", "aarch64-unknown-linux-gnu", ("-mattr=+v8.2a",), 16, 32),
    )
}


def target(name: str | None = None) -> Target:
    """The target of this name; the portable baseline of this machine where none is given.

    `native` is this machine's own processor: fast here, not portable, so never for a build that
    others share. Raises TargetError for a name that is not known.
    """
    if name is None:
        return target(DEFAULT_TARGETS.get(platform.machine(), "x86-64-v3"))
    if name == "native":
        return _native()
    if name not in _TARGETS:
        known = ", ".join([*_TARGETS, "native"])
        raise TargetError(f"unknown target_cpu {name!r}: expected one of {known}")
    return _TARGETS[name]


def _native() -> Target:
    """This machine's processor: its level, and the features that it has beyond."""
    base, *features = cpu.native(platform.machine()).split("+")
    level = target(base)
    extra = ",".join(f"+{feature}" for feature in features)
    return replace(
        level,
        name="+".join([base, *features]),
        llvm_options=(*level.llvm_options, *([f"-mattr={extra}"] if extra else [])),
    )
