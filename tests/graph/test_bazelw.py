"""`bazelw` runs a Bazel that can build this workspace, and tells in one line which are when it finds another."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest


def bazelw(folder: Path, version: str) -> subprocess.CompletedProcess[str]:
    """`bazelw` where the first `bazel` on PATH answers to `--version` by running `version`."""
    fake = folder / "bazel"
    fake.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] || exec echo "Bazel was told to $*"\n{version}\n'
    )
    fake.chmod(0o755)
    return subprocess.run(
        ["./bazelw", "build", "//kina/..."],
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "version",
    ["no_version", "4.2.0", "4.2.3", "5.4.1", "6.5.0", "7.4.1", "8.0.0-pre.20240911.1", "10.0.0"],
)
def test_it_runs_a_bazel_that_is_new_enough(version: str, tmp_path: Path) -> None:
    done = bazelw(tmp_path, f"echo bazel {version}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Bazel was told to build //kina/...\n"


@pytest.mark.parametrize("version", ["0.29.1", "3.7.2", "4.0.0", "4.1.0", "4.1.0-pre.1"])
def test_an_older_one_is_refused(version: str, tmp_path: Path) -> None:
    done = bazelw(tmp_path, f"echo bazel {version}")
    assert (done.returncode, done.stdout) == (1, "")
    found = f"bazelw: {tmp_path}/bazel is Bazel {version}"
    assert done.stderr == f"{found}: this workspace takes Bazel 4.2 or newer, or Bazelisk\n"


@pytest.mark.parametrize(
    "version", ["echo basil 4.2", "echo bazel", "exit 1", "echo bazel x.y >&2"]
)
def test_what_is_no_bazel_is_refused(version: str, tmp_path: Path) -> None:
    done = bazelw(tmp_path, version)
    assert (done.returncode, done.stdout) == (1, "")
    found = f"bazelw: {tmp_path}/bazel does not tell that it is a Bazel"
    assert done.stderr == f"{found}: this workspace takes Bazel 4.2 or newer, or Bazelisk\n"
