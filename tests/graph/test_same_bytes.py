"""What a build makes depends on the sources alone: not on who builds it, where, when, how, or in which environment.

One build is as it comes. Another is in another folder by another user on another machine without a network, a year
later, with programs first on its PATH that do not work. All that they make has the same bytes, which therefore hold
no path, user, host or time.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from nested import RUNFILES, Bazel, BuildFailed, Spawn, nested_bazel, repository, scratch

from kina.codegen.targets import DEFAULT_TARGETS

ALL_FILES = ("--output_groups=+fragments,+objects,+schedules", "//kina/...")
LATER = RUNFILES / "kina/tests/graph/liblater.so"
HOST, USER = "host-nine-lives", "user-nine-lives"
YEAR = 365 * 24 * 60 * 60.0
ANOTHER_MACHINE = (
    *("unshare", "--user", "--map-user=1234", "--map-group=1234", "--keep-caps", "--net", "--uts"),
    *(sys.executable, str(RUNFILES / "kina/tests/graph/far_away.py"), HOST),
)

# What is built: kina/BUILD.bazel, kina/models/BUILD.bazel.
SIGNATURES = """
    storylm0_generate/decode_self storylm0_generate/decode_s1 storylm0_generate/decode_s2
    storylm0_generate/greedy_one storylm0_forward/forward_1 storylm0_forward/forward_2
    storylm0_forward/forward_3 storylm0_forward/forward_4 models/smollm2_135m/decode
    models/smollm2_135m/prefill_16 models/smollm2_135m/prefill_128
""".split()
PROGRAMS = ["storylm0_generate", "storylm0_forward", "models/smollm2_135m"]


@pytest.fixture(scope="module")
def here() -> Iterator[Bazel]:
    with scratch() as folder:
        bazel = nested_bazel(folder)
        yield bazel
        bazel.shutdown()


@pytest.fixture(scope="module")
def spawns(here: Bazel) -> list[Spawn]:
    return here.spawns("build", "--compilation_mode=fastbuild", *ALL_FILES)


@pytest.fixture(scope="module")
def digests(here: Bazel, spawns: list[Spawn]) -> dict[str, str]:
    assert spawns
    return made(here, "fastbuild")


@pytest.fixture(scope="module")
def far_away() -> Iterator[Bazel]:
    """Bazel in another folder, as another user, on another machine, later."""
    with scratch() as folder:
        place = folder / "a-longer-path"
        place.mkdir()
        bazel = nested_bazel(
            place,
            environment(place),
            ANOTHER_MACHINE if namespaces() else (),
            # One process: the next command is on a machine of its own, where no server would hear it.
            startup=("--batch",),
            flags=(f"--action_env=LD_PRELOAD={LATER}", "--spawn_strategy=sandboxed"),
        )
        for path in bazel.workspace.rglob("*"):
            os.utime(path, (time.time() - YEAR,) * 2, follow_symlinks=False)
        yield bazel


@pytest.fixture(scope="module")
def far_digests(far_away: Bazel, spawns: list[Spawn]) -> dict[str, str]:
    found = far_away.spawns("build", "--compilation_mode=opt", *ALL_FILES)
    assert sorted(s.step for s in found) == sorted(s.step for s in spawns)
    return made(far_away, "opt")


def namespaces() -> bool:
    """Whether this system lets its users have machines of their own."""
    return (
        subprocess.run([*ANOTHER_MACHINE, "true"], capture_output=True, check=False).returncode == 0
    )


def environment(place: Path) -> dict[str, str]:
    """Another environment; whatever of it reaches an action makes the action fail."""
    decoys, temporary = place / "bin", place / "tmp"
    decoys.mkdir()
    temporary.mkdir()
    for name in ("python3", "llc", "mlir-opt", "mlir-translate", "opt", "zig", "ld.lld"):
        (decoys / name).write_text("#!/bin/sh\nexit 99\n")
        (decoys / name).chmod(0o755)
    (decoys / "argparse.py").write_text("raise SystemExit('imported from PYTHONPATH')\n")
    return {
        "HOME": str(place / "home"),
        "LC_ALL": "tr_TR.UTF-8",
        "LOGNAME": USER,
        "PATH": f"{decoys}:{os.environ['PATH']}",
        "PYTHONHASHSEED": "1234",
        "PYTHONPATH": str(decoys),
        "TMPDIR": str(temporary),
        "TZ": "Pacific/Auckland",
        "USER": USER,
    }


def output_folder(bazel: Bazel, mode: str) -> Path:
    (folder,) = bazel.output_root.glob(f"*/execroot/kina/bazel-out/*-{mode}/bin/kina")
    return folder


def made(bazel: Bazel, mode: str) -> dict[str, str]:
    """The digest of every file that was made for //kina/..., by its path there."""
    folder = output_folder(bazel, mode)
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and ".runfiles" not in str(path.relative_to(folder))
    }


def test_every_artifact_is_compared(digests: dict[str, str]) -> None:
    expected = {
        f"{name}{kind}"
        for name in SIGNATURES
        for kind in (".mlir", ".schedule.mlir", ".json", ".o")
    }
    for program in PROGRAMS:
        name = Path(program).name
        expected |= {
            f"{program}_so/{file}" for file in (f"lib{name}.so", f"{name}.h", f"{name}.json")
        }
    assert expected <= digests.keys()


def test_another_machine_makes_the_same_bytes(
    digests: dict[str, str], far_digests: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert far_digests == digests
    with capsys.disabled():
        print(f"\n{len(digests)} files are the same here and far away")


def test_other_compilation_modes_and_no_sandbox_make_the_same_bytes(
    here: Bazel, digests: dict[str, str]
) -> None:
    assert here.spawns("build", "--compilation_mode=dbg", "--spawn_strategy=local", *ALL_FILES)
    assert made(here, "dbg") == digests


def test_no_file_tells_where_or_by_whom_it_was_made(
    here: Bazel, digests: dict[str, str], far_away: Bazel, far_digests: dict[str, str]
) -> None:
    told = [str(here.workspace.parent), str(far_away.workspace.parent), HOST, USER, "/execroot/"]
    for bazel, mode, files in ((here, "fastbuild", digests), (far_away, "opt", far_digests)):
        for file in files:
            # The OpenMP runtime is as its wheel has it.
            if not file.endswith("/libomp.so"):
                contents = (output_folder(bazel, mode) / file).read_bytes()
                assert [text for text in told if text.encode() in contents] == [], file


def test_the_other_machine_has_no_network_and_another_clock() -> None:
    """Else the tests above would show less than they say."""
    year = subprocess.run(
        ["date", "+%Y"], env={"LD_PRELOAD": str(LATER)}, capture_output=True, check=True
    ).stdout
    assert int(year) - time.localtime().tm_year == 1
    if not namespaces():
        pytest.skip(
            "this system allows no namespaces: the builds ran on one machine with its network"
        )
    seen = "import socket; print(socket.gethostname(), [name for _, name in socket.if_nameindex()])"
    command = [*ANOTHER_MACHINE, sys.executable, "-c", seen]
    assert subprocess.run(command, capture_output=True, text=True).stdout == f"{HOST} ['lo']\n"


def test_every_action_names_its_processor(spawns: list[Spawn]) -> None:
    baseline = DEFAULT_TARGETS[platform.machine()]
    for spawn in spawns:
        at = spawn.arguments.index("--target_cpu")
        assert spawn.arguments[at + 1] == baseline
        assert not any("native" in argument for argument in spawn.arguments)


def test_the_processor_is_part_of_the_key_and_of_the_manifest(here: Bazel, digests: dict) -> None:
    oldest = {"x86_64": "x86-64", "aarch64": "armv8-a"}[platform.machine()]
    flag, target = "--//tools/kina:target_cpu=", "//kina:storylm0_generate_so"
    again = here.spawns("build", flag + oldest, target)
    assert sorted(s.mnemonic for s in again) == ["KinaEmit", "KinaLink", *["KinaObject"] * 4]
    (manifest,) = [
        path for spawn in again for path in spawn.outputs if path.endswith("generate.json")
    ]
    execroot = output_folder(here, "fastbuild").parents[3]
    assert json.loads((execroot / manifest).read_text())["target_cpu"] == oldest
    with pytest.raises(BuildFailed, match='target_cpu = "native" is not for builds'):
        here.run("build", flag + "native", target)


def test_a_test_runs_from_another_folder(here: Bazel) -> None:
    assert " passed" in here.run("run", "//tests:generate", folder="kina/golden")


def test_no_network_is_needed_once_the_repositories_are_fetched(here: Bazel) -> None:
    """Those of the outer Bazel, as it has them on its disk: no flag names them here."""
    if not namespaces():
        pytest.skip("this system allows no namespaces, so nothing cuts the network off")
    base = here.output_root / "fetched"
    base.mkdir()
    # Links, not copies: one gigabyte.
    subprocess.run(["cp", "-al", repository("kina_llvm").parent, base / "external"], check=True)
    offline = replace(
        here,
        launcher=ANOTHER_MACHINE,
        startup=("--batch", f"--output_base={base}"),
        flags=(),
    )
    offline.run("build", "--symlink_prefix=/", "//kina:storylm0_generate_so")


def test_every_glob_finds_something(here: Bazel) -> None:
    """As Bazel 8 has it. The flag is no setting of the workspace: Debian's Bazel has globs of its own that do not."""
    here.run("build", "--nobuild", "--incompatible_disallow_empty_glob", "//...")
