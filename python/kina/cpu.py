"""Processors: what a `target_cpu` demands, and what the processor of this machine has.

A target is a level, with more features where wanted: `x86-64-v3`, `x86-64-v3+avx512f+avx512vl`.
Every target spells its demands out, so a host can refuse a library before its first instruction
that the processor does not know. Levels are those of the x86-64 psABI and of the Arm architecture;
features have LLVM's names.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class Demands:
    """What a target asks of the machine that runs it."""

    machine: str
    """As `uname -m` says it."""
    flags: frozenset[str]
    """As /proc/cpuinfo lists them."""


_V2 = frozenset({"pni", "ssse3", "cx16", "sse4_1", "sse4_2", "popcnt", "lahf_lm"})
_V3 = _V2 | {"fma", "movbe", "xsave", "avx", "f16c", "abm", "bmi1", "avx2", "bmi2"}
_V4 = _V3 | {"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"}
_ARM = frozenset({"fp", "asimd"})
_ARM_8_1 = _ARM | {"crc32", "atomics", "asimdrdm"}

LEVELS = {
    "x86-64": Demands("x86_64", frozenset()),
    "x86-64-v2": Demands("x86_64", _V2),
    "x86-64-v3": Demands("x86_64", _V3),
    "x86-64-v4": Demands("x86_64", _V4),
    "armv8-a": Demands("aarch64", _ARM),
    "armv8.1-a": Demands("aarch64", _ARM_8_1),
    # Half precision is optional in 8.2 and no part of the level.
    "armv8.2-a": Demands("aarch64", _ARM_8_1),
}
"""From the oldest to the newest of each machine."""

FEATURES = {
    "x86_64": {
        "fma": "fma",
        "f16c": "f16c",
        "avx": "avx",
        "avx2": "avx2",
        "avx512f": "avx512f",
        "avx512dq": "avx512dq",
        "avx512cd": "avx512cd",
        "avx512bw": "avx512bw",
        "avx512vl": "avx512vl",
        "avx512vbmi": "avx512vbmi",
        "avx512vbmi2": "avx512_vbmi2",
        "avx512ifma": "avx512ifma",
        "avx512vnni": "avx512_vnni",
        "avx512bf16": "avx512_bf16",
        "avx512fp16": "avx512_fp16",
        "avxvnni": "avx_vnni",
        "gfni": "gfni",
    },
    "aarch64": {
        "dotprod": "asimddp",
        "fullfp16": "asimdhp",
        "bf16": "bf16",
        "i8mm": "i8mm",
        "sve": "sve",
        "sve2": "sve2",
    },
}
"""LLVM's name of a feature, and the flag of /proc/cpuinfo that tells of it."""


class TargetError(ValueError):
    """No such target, or one that this processor cannot run."""


def demands(target_cpu: str) -> Demands:
    """What a target asks for; TargetError, with the names that exist, where it is none."""
    name, *features = target_cpu.split("+")
    if name not in LEVELS:
        raise TargetError(
            f"unknown target_cpu {name!r}: expected one of {', '.join(LEVELS)}, "
            "with +features behind it where wanted"
        )
    level = LEVELS[name]
    known = FEATURES[level.machine]
    for feature in features:
        if feature not in known:
            raise TargetError(
                f"unknown feature {feature!r} of target_cpu {target_cpu!r}: "
                f"expected one of {', '.join(known)}"
            )
    return Demands(level.machine, level.flags.union(known[feature] for feature in features))


def native(machine: str) -> str:
    """The target that names all that this processor has; TargetError where that is unknown."""
    flags = host_flags()
    levels = [
        name for name, level in LEVELS.items() if level.machine == machine and level.flags <= flags
    ]
    if not levels:
        raise TargetError(f"cannot compile for the processor of this {machine} machine")
    best = levels[-1]
    more = [
        feature
        for feature, flag in FEATURES[machine].items()
        if flag in flags and flag not in LEVELS[best].flags
    ]
    return "+".join([best, *more])


@functools.cache
def host_flags() -> frozenset[str]:
    """The flags of this machine's processor; TargetError where the system does not tell."""
    try:
        return parse_cpuinfo(CPUINFO.read_text(errors="replace"))
    except OSError as problem:
        raise TargetError(
            f"cannot read {CPUINFO} to see what this processor can do: {problem.strerror}"
        ) from None


def parse_cpuinfo(text: str) -> frozenset[str]:
    """The flags that every processor of a /proc/cpuinfo has."""
    lists = [
        frozenset(line.partition(":")[2].split())
        for line in text.splitlines()
        if line.partition(":")[0].strip() in ("flags", "Features")
    ]
    return frozenset.intersection(*lists) if lists else frozenset()
