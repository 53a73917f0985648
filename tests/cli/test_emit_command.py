"""`kina check` and `kina emit`: what goes to which output, and what is refused."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kina.cli.emit import STAGES
from kina.cli.main import main

PROGRAM = """
fn half(x: F32[4]) -> F32[4] { return x / 2 }
fn both(x: F32[16, 16]) -> F32[16, 16] { return x @ x }
export half
export both
"""
MARKS = {
    "kina": "kina.matmul",
    "linalg": "linalg.generic",
    "schedule": "transform.named_sequence @tile",
    "tiled": "vector.",
    "buffers": "memref<16x16xf32>",
    "llvm-dialect": "llvm.func",
    "llvm": "define void @_mlir_ciface_both",
    "asm": "_mlir_ciface_both:",
}
"""What the text of each stage holds, as its format has it."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A current folder that holds a program and one that is wrong."""
    monkeypatch.chdir(tmp_path)
    Path("good.kina").write_text(PROGRAM)
    Path("bad.kina").write_text("export half\n")


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code and what went to standard output and standard error."""
    code = main(arguments)
    shown = capfd.readouterr()
    return code, shown.out, shown.err


def test_a_program_without_an_error_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "check", "good.kina") == (0, "", "")


@pytest.mark.parametrize("command", ["check", "emit"])
def test_diagnostics_go_to_standard_error(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, command, "bad.kina")
    assert (code, out) == (1, "")
    assert err == "bad.kina:1:8: error: unknown function 'half'\n  export half\n         ^~~~\n"


def test_every_stage_is_text(capfd: pytest.CaptureFixture[str]) -> None:
    assert MARKS.keys() == STAGES.keys()
    for stage, mark in MARKS.items():
        code, out, err = run(capfd, "emit", "good.kina", "--stage", stage)
        assert (code, err) == (0, "") and out.endswith("\n")
        assert mark in out, stage


def test_the_stage_is_linalg_unless_told(capfd: pytest.CaptureFixture[str]) -> None:
    default = run(capfd, "emit", "good.kina")
    assert default == run(capfd, "emit", "good.kina", "--stage", "linalg")


def test_one_export(capfd: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capfd, "emit", "good.kina", "--export", "half", "--stage", "kina")
    assert "@half" in out and "@both" not in out


@pytest.mark.parametrize(
    ("flags", "code", "says"),
    [
        (["--export", "hal"], 1, "unknown export 'hal': this program exports half, both; did you"),
        (["--stage", "wasm"], 2, "invalid choice: 'wasm'"),
        (["--target_cpu", "486"], 1, "unknown target_cpu '486'"),
    ],
)
def test_what_there_is_not(
    flags: list[str], code: int, says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run(capfd, "emit", "good.kina", *flags)
    assert (found, out) == (code, "") and says in err


@pytest.mark.parametrize(
    ("redirection", "says"),
    [
        ("> /dev/full", f"standard output cannot be written: {os.strerror(errno.ENOSPC)}"),
        (">&-", "standard output is closed"),
    ],
)
def test_an_output_that_takes_nothing(redirection: str, says: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", sys.executable, "-m", "kina.cli", "emit"]
        + ["good.kina"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (1, f"kina emit: {says}\n")
