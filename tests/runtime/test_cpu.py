"""Targets and what they demand, from the x86-64 psABI's table of levels and Linux's flag names."""

from __future__ import annotations

import itertools
import platform
from pathlib import Path

import pytest

from kina import cpu
from kina.codegen import targets


def test_levels_grow() -> None:
    names = ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"]
    flags = [cpu.demands(name).flags for name in names]
    assert flags == sorted(flags, key=len)
    assert all(low < high for low, high in itertools.pairwise(flags))
    # psABI, "micro-architecture levels": what v3 and v4 add to the ones before.
    assert {"avx2", "fma", "f16c", "bmi1", "bmi2", "movbe"} <= flags[2] - flags[1]
    assert flags[3] - flags[2] == {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}


def test_features_add_to_a_level() -> None:
    more = cpu.demands("x86-64-v4+avx512vnni").flags
    assert more == cpu.demands("x86-64-v4").flags | {"avx512_vnni"}
    assert cpu.demands("armv8.2-a+dotprod").machine == "aarch64"


@pytest.mark.parametrize("name", ["", "native", "znver9", "x86-64-v3+", "x86-64-v3+warp"])
def test_what_is_no_target(name: str) -> None:
    with pytest.raises(cpu.TargetError, match="expected one of"):
        cpu.demands(name)


@pytest.mark.parametrize("name", targets.DEFAULT_TARGETS.values())
def test_the_host_knows_what_the_compiler_makes(name: str) -> None:
    assert cpu.demands(name).machine == name_machine(name)


def name_machine(target_cpu: str) -> str:
    return {v: k for k, v in targets.DEFAULT_TARGETS.items()}[target_cpu]


CPUINFO = """\
processor\t: 0
vendor_id\t: GenuineIntel
flags\t\t: fpu sse2 pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm{more}

processor\t: 1
flags\t\t: fpu sse2 pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm
"""


def test_a_feature_counts_where_every_core_has_it() -> None:
    flags = cpu.parse_cpuinfo(CPUINFO.format(more=" avx2"))
    assert "popcnt" in flags and "avx2" not in flags
    assert cpu.parse_cpuinfo("Features\t: fp asimd crc32\n") == {"fp", "asimd", "crc32"}
    assert cpu.parse_cpuinfo("") == frozenset()


def test_native_spells_out_what_the_processor_has(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = cpu.LEVELS["x86-64-v3"].flags | {"avx_vnni", "gfni", "sse2"}
    monkeypatch.setattr(cpu, "host_flags", lambda: flags)
    assert cpu.native("x86_64") == "x86-64-v3+avxvnni+gfni"
    monkeypatch.setattr(cpu, "host_flags", frozenset)
    assert cpu.native("x86_64") == "x86-64"
    with pytest.raises(cpu.TargetError):
        cpu.native("aarch64")
    with pytest.raises(cpu.TargetError):
        cpu.native("riscv64")


@pytest.mark.skipif(platform.system() != "Linux", reason="reads /proc/cpuinfo")
def test_this_machine_runs_its_native_target() -> None:
    cpu.host_flags.cache_clear()
    assert cpu.demands(cpu.native(platform.machine())).flags <= cpu.host_flags()


def test_a_system_that_does_not_tell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cpu, "CPUINFO", tmp_path / "missing")
    cpu.host_flags.cache_clear()
    with pytest.raises(cpu.TargetError, match=r"cannot read .*missing"):
        cpu.host_flags()
    cpu.host_flags.cache_clear()
