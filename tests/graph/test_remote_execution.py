"""Every action declares its inputs and needs no path of this machine, so that a remote worker can run it.

Bazel builds and tests here, and tells of every action what it gave to it: that is what it would send to a worker. Then
each action runs again in a folder of another name that holds these files and no others, in a root without the
workspace, the output root and the home folders. It has to make the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from nested import RUNFILES, Bazel, Spawn, nested_bazel, scratch

TARGETS = (
    "//kina:greedy_one_golden",
    "//kina:storylm0_generate_so",
    "//kina/models:smollm2_135m_so",
    "//tests/cc:storylm0_linked_as_test",
    "//tests:generate",
)
FOLDER = "a/folder/of/the/worker"
SPACES = ("unshare", "--user", "--map-root-user", "--mount", "--net", "--uts")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with scratch() as folder:
        yield folder


@pytest.fixture(scope="module")
def bazel(folder: Path) -> Iterator[Bazel]:
    bazel = nested_bazel(folder)
    yield bazel
    bazel.shutdown()


@pytest.fixture(scope="module")
def spawns(bazel: Bazel) -> list[Spawn]:
    spawns = bazel.spawns("test", *TARGETS)
    found = {spawn.mnemonic for spawn in spawns}
    assert found == {"CppCompile", "CppLink", "KinaEmit", "KinaLink", "KinaObject", "TestRunner"}
    return spawns


@pytest.fixture(scope="module")
def worker(bazel: Bazel, spawns: list[Spawn], folder: Path) -> Worker:
    if subprocess.run([*SPACES, "true"], capture_output=True, check=False).returncode:
        pytest.skip(
            "this system allows no namespaces, so nothing can be kept out of an action's sight"
        )
    (execroot,) = bazel.output_root.glob("*/execroot/kina")
    return Worker(execroot, folder / "store", folder / "worker")


class Worker:
    """Runs actions as a remote worker does."""

    def __init__(self, execroot: Path, store: Path, place: Path) -> None:
        self.execroot, self.store, self.place = execroot, store, place
        store.mkdir()

    def run(self, spawn: Spawn, without: str | None = None) -> subprocess.CompletedProcess[bytes]:
        """Run the action, with all of its inputs or without one; what it made is in `made`."""
        if self.place.exists():
            shutil.rmtree(self.place)
        left_out = without and (self.execroot / without).resolve()
        for path, file in self._inputs(spawn).items():
            if file != left_out:
                self._put(file, self.place / FOLDER / path)
        for path in spawn.listed_outputs:
            (self.place / FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
        script = str(RUNFILES / "kina/tests/graph/worker.py")
        return subprocess.run(
            [*SPACES, sys.executable, "-I", script, self.place, FOLDER, *spawn.arguments],
            env=dict(spawn.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )

    def made(self, spawn: Spawn) -> dict[str, str]:
        """The digests of the action's outputs."""
        files = {path: self.place / FOLDER / path for path in spawn.outputs}
        return {
            p: hashlib.sha256(f.read_bytes()).hexdigest() for p, f in files.items() if f.exists()
        }

    def _inputs(self, spawn: Spawn) -> dict[str, Path]:
        """The inputs that the action declares, by their paths; those of a program also where it runs."""
        inputs = {path: (self.execroot / path).resolve() for path in spawn.inputs}
        declared = set(inputs.values())
        for path in spawn.inputs:
            manifest = self.execroot / f"{path}.runfiles" / "MANIFEST"
            if manifest.exists():
                for line in manifest.read_text(encoding="utf-8").splitlines():
                    name, _, target = line.partition(" ")
                    file = Path(target or os.devnull).resolve()  # no target: an empty file
                    known = file in declared or not target
                    assert known, f"{path} runs with {name}, which is no input"
                    inputs[f"{path}.runfiles/{name}"] = file
        return inputs

    def _put(self, file: Path, place: Path) -> None:
        """A file at a place, with one copy for all places: a large one is in many actions."""
        copy = self.store / hashlib.sha256(bytes(file)).hexdigest()
        if not copy.exists():
            copy.touch()
            if file.is_file():
                shutil.copy(file, copy)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.hardlink_to(copy)


def test_every_action_runs_on_a_worker_that_has_only_its_inputs(
    worker: Worker, spawns: list[Spawn], capsys: pytest.CaptureFixture[str]
) -> None:
    for spawn in spawns:
        done = worker.run(spawn)
        assert done.returncode == 0, (spawn.step, done.stdout.decode(errors="replace")[-4000:])
        if spawn.mnemonic != "TestRunner":  # what a test writes holds its times
            assert worker.made(spawn) == spawn.outputs
    with capsys.disabled():
        print(f"\n{len(spawns)} actions ran again with nothing but their inputs")


@pytest.mark.parametrize(
    ("mnemonic", "needed"),
    [
        ("KinaEmit", "kina/models/llama.kina"),
        ("KinaObject", "external/kina_llvm/site/llvm/bin/llc"),
        ("TestRunner", "kina/golden/storylm0_greedy_one.mlir"),
    ],
)
def test_a_worker_has_nothing_but_the_inputs(
    mnemonic: str, needed: str, worker: Worker, spawns: list[Spawn]
) -> None:
    """Without one of them the action fails: else the test above would show nothing."""
    spawn = next(s for s in spawns if s.mnemonic == mnemonic and needed in s.inputs)
    done = worker.run(spawn, without=needed)
    assert done.returncode != 0
    assert b"worker.py" not in done.stdout  # it was the action that failed


def test_no_action_is_told_of_a_path_of_this_machine(spawns: list[Spawn]) -> None:
    for spawn in spawns:
        arguments = [argument for argument in spawn.arguments if "/" in argument]
        # The C++ compiler is this machine's own: it makes hosts for tests, nothing under //kina.
        allowed = {"/bin/gcc", "/usr/bin/gcc"} if spawn.mnemonic.startswith("Cpp") else set()
        assert {argument for argument in arguments if argument.startswith("/")} <= allowed
        assert spawn.environment["PATH"] == "/bin:/usr/bin:/usr/local/bin"
        assert not {"HOME", "USER", "TMPDIR", "LD_LIBRARY_PATH"} & spawn.environment.keys()
