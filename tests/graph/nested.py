"""A Bazel inside a test: a copy of this workspace, built with a server and an output root of its own.

The external repositories are those that the outer Bazel has fetched, so nothing is fetched again.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

RUNFILES = Path(os.environ["TEST_SRCDIR"])
WORKSPACE = (RUNFILES / "kina/WORKSPACE").resolve().parent
"""The checkout that the test was started in."""

REPOSITORIES = ("kina_llvm", "kina_pip", "kina_pip_test", "kina_python", "kina_smollm2")

_NOT_COPIED = shutil.ignore_patterns(
    "bazel-*", ".git", "__pycache__", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache"
)


class BuildFailed(Exception):
    """Bazel ended with an error; the message is what it wrote."""


@dataclass(frozen=True)
class Spawn:
    """A process that Bazel started for an action, as its execution log tells of it."""

    mnemonic: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    inputs: tuple[str, ...]
    """Paths from the execution root."""
    outputs: Mapping[str, str]
    """The digest of each file that was made, by its path from the execution root."""
    listed_outputs: tuple[str, ...]
    """What had to be made."""
    runner: str
    """Where: `linux-sandbox`, `local`, `remote cache hit`."""

    @property
    def step(self) -> tuple[str, str]:
        """The action in short: `("KinaObject", "decode_s1.o")`; of several files, their folder."""
        paths = [Path(path) for path in self.listed_outputs]
        name = paths[0].name if len(paths) == 1 else paths[0].parent.name
        return self.mnemonic, name


@dataclass(frozen=True)
class Bazel:
    """How to call Bazel in one workspace."""

    workspace: Path
    output_root: Path
    environment: Mapping[str, str]
    launcher: tuple[str, ...] = ()
    """A command that runs what stands behind it."""
    startup: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def run(self, command: str, *arguments: str, folder: str = ".") -> str:
        """What a command writes to its standard output; BuildFailed where it fails."""
        return self.call(command, *arguments, folder=folder).stdout

    def call(
        self, command: str, *arguments: str, folder: str = "."
    ) -> subprocess.CompletedProcess[str]:
        """What `run` runs, with what it reports to standard error too."""
        startup = ["--nohome_rc", f"--output_user_root={self.output_root}", *self.startup]
        done = subprocess.run(
            [
                *self.launcher,
                f"{self.workspace}/bazelw",
                *startup,
                command,
                *self.flags,
                *arguments,
            ],
            cwd=self.workspace / folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise BuildFailed(f"{done.stderr[-4000:]}\n{done.stdout[-4000:]}")
        return done

    def spawns(self, command: str, *targets: str) -> list[Spawn]:
        """Build or test, and tell which actions ran; one that needed no process did not."""
        caches = ["--disk_cache=", "--remote_cache=", "--remote_executor="]
        return self.logged(command, *caches, *targets)[0]

    def logged(self, command: str, *arguments: str) -> tuple[list[Spawn], str]:
        """Build or test with the caches that the arguments name: which actions ran, and what Bazel reports."""
        log = self.output_root / "execution.json"
        log.unlink(missing_ok=True)
        done = self.call(command, f"--execution_log_json_file={log}", *arguments)
        spawns = [_spawn(entry) for entry in _entries(log.read_text(encoding="utf-8"))]
        return spawns, done.stderr

    def cpu_seconds(self) -> float:
        """The processor time of the server and of every action since it was started."""
        (pid,) = (path.read_text() for path in self.output_root.glob("*/server/server.pid.txt"))
        # proc(5): utime, stime, cutime, cstime are fields 14 to 17; the name in field 2 ends with ")".
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(ticks) for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")

    def shutdown(self) -> None:
        """Stop the server."""
        self.run("shutdown")


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for workspaces and output roots, which Bazel leaves without write permission."""
    folder = Path(tempfile.mkdtemp(dir=os.environ["TEST_TMPDIR"]))
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(path.stat().st_mode | stat.S_IRWXU)
    shutil.rmtree(folder)


def nested_bazel(
    folder: Path,
    environment: Mapping[str, str] = {},
    launcher: tuple[str, ...] = (),
    startup: tuple[str, ...] = ("--max_idle_secs=600",),
    flags: tuple[str, ...] = (),
) -> Bazel:
    """A Bazel for a copy of the workspace in `folder`, and an output root beside it."""
    if not (shutil.which("bazel") or shutil.which("bazelisk")):
        raise LookupError("no Bazel on the PATH of tests: run them with --test_env=PATH")
    workspace, output_root = folder / "workspace", folder / "output"
    shutil.copytree(WORKSPACE, workspace, symlinks=True, ignore=_NOT_COPIED)
    output_root.mkdir()
    base = {"PATH": os.environ["PATH"], "HOME": str(folder), "USER": "somebody"}
    flags = (*repository_flags(), *flags)
    return Bazel(workspace, output_root, {**base, **environment}, launcher, startup, flags)


def repository_flags() -> list[str]:
    """Flags by which the outer Bazel's repositories stand for those that would be fetched."""
    return [f"--override_repository={name}={repository(name)}" for name in REPOSITORIES]


def repository(name: str) -> Path:
    """The folder of an external repository of the outer Bazel."""
    for path in (RUNFILES / name).rglob("*"):
        if path.is_file():
            inside = path.relative_to(RUNFILES / name)
            return path.resolve().parents[len(inside.parts) - 1]
    raise LookupError(f"no file of {name} is among the test's data")


def _entries(log: str) -> Iterator[dict]:
    """The JSON objects of an execution log, which stand one behind the other."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(log):
        entry, at = decoder.raw_decode(log, at)
        yield entry
        while at < len(log) and log[at].isspace():
            at += 1


def _spawn(entry: dict) -> Spawn:
    return Spawn(
        mnemonic=entry["mnemonic"],
        arguments=tuple(entry["commandArgs"]),
        environment={v["name"]: v["value"] for v in entry["environmentVariables"]},
        inputs=tuple(file["path"] for file in entry["inputs"]),
        outputs={file["path"]: file["digest"]["hash"] for file in entry["actualOutputs"]},
        listed_outputs=tuple(entry["listedOutputs"]),
        runner=entry["runner"],
    )
