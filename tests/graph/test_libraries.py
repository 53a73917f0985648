"""The libraries that are built here run wherever the C library is one of the last years."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kina.abi import OPENMP
from kina.codegen.link import NEWEST_GLIBC
from kina.codegen.tools import find_tools

PROGRAMS = {
    path.parent.relative_to("kina"): path
    for path in Path("kina").rglob("lib*.so")
    if path.name != OPENMP
}
# The parts of glibc, which are one release of it.
GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"}
GLIBC |= {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}

everywhere = pytest.mark.parametrize("program", PROGRAMS, ids=str)


def readelf(path: Path, option: str) -> str:
    tool = find_tools().code.llc.with_name("llvm-readelf")
    return subprocess.run([tool, option, path], capture_output=True, text=True, check=True).stdout


def needed(path: Path) -> set[str]:
    return set(re.findall(r"NEEDED.*\[(.*)\]", readelf(path, "-d")))


def newest_glibc(path: Path) -> tuple[int, ...]:
    versions = re.findall(r"GLIBC_([\d.]+)", readelf(path, "-V"))
    return max(tuple(int(number) for number in version.split(".")) for version in versions)


def test_all_libraries_are_looked_at() -> None:
    names = {program.name for program in PROGRAMS}
    assert {"storylm0_generate_so", "storylm0_forward_so", "smollm2_135m_so"} <= names


@everywhere
def test_it_needs_the_c_library_and_what_lies_beside_it(program: Path) -> None:
    assert needed(PROGRAMS[program]) <= {"libc.so.6", OPENMP}  # not libm.so.6
    assert needed(PROGRAMS[program].with_name(OPENMP)) <= GLIBC


@everywhere
def test_it_looks_for_that_in_its_own_folder_only(program: Path) -> None:
    for path in (PROGRAMS[program], PROGRAMS[program].with_name(OPENMP)):
        found = re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", readelf(path, "-d"))
        assert found in ([], [("RUNPATH", "$ORIGIN")])


@everywhere
def test_it_asks_for_no_newer_c_library_than_the_reference_says(program: Path) -> None:
    for path in (PROGRAMS[program], PROGRAMS[program].with_name(OPENMP)):
        assert newest_glibc(path) <= NEWEST_GLIBC
    stated = f"no symbol of glibc that is newer than {'.'.join(map(str, NEWEST_GLIBC))}"
    assert stated in Path("kina/spec/calling.md").read_text(encoding="utf-8")


@everywhere
def test_moved_elsewhere_it_loads(program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "another place"
    folder.mkdir()
    for name in (PROGRAMS[program].name, OPENMP):
        shutil.copy(PROGRAMS[program].with_name(name), folder)
    load = f"import kina; kina.load({str(folder / PROGRAMS[program].name)!r})"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-s", "-S", "-c", load]
    done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
