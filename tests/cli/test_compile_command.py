"""`kina compile`: where it writes, and what it refuses in one line before it writes anything."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import kina
from kina.cli.main import main

PROGRAM = "fn half(x: F32[4]) -> F32[4] { return x / 2 }\nexport half\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A current folder that holds one program."""
    monkeypatch.chdir(tmp_path)
    Path("half.kina").write_text(PROGRAM)


def files() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def refusal(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says, in one line, when it does nothing of what it was asked to."""
    before = files()
    assert main(["compile", *arguments]) == 1
    assert files() == before
    shown = capfd.readouterr()
    assert shown.out == "" and shown.err.count("\n") == 1
    return shown.err.removeprefix("kina compile: ").strip()


def test_a_name_without_a_suffix() -> None:
    Path("out").mkdir()
    assert main(["compile", "half.kina", "-o", "out/lib"]) == 0
    assert sorted(os.listdir("out")) == ["lib", "lib.h"]
    assert Path("out/lib.h").stat().st_mode & 0o777 == 0o644
    np.testing.assert_array_equal(kina.load("out/lib").half(np.ones(4, np.float32)), [0.5] * 4)


@pytest.mark.parametrize("out", [".", "..", "/", "", "out", "out/", "out/.."])
def test_a_folder(out: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("out").mkdir()
    assert refusal(capfd, "half.kina", "-o", out) == f"cannot write {Path(out)}: it is a folder"


def test_a_folder_that_is_not_there(capfd: pytest.CaptureFixture[str]) -> None:
    said = refusal(capfd, "half.kina", "-o", "missing/x.so")
    assert said == "cannot write missing/x.so: there is no folder missing"


def test_no_regular_file(capfd: pytest.CaptureFixture[str]) -> None:
    """As the superuser, a rename would put the library in the place of a device."""
    os.mkfifo("pipe")
    assert refusal(capfd, "half.kina", "-o", "pipe") == "cannot write pipe: it is no regular file"
    assert Path("pipe").is_fifo()


def test_a_name_that_is_too_long(capfd: pytest.CaptureFixture[str]) -> None:
    assert "File name too long" in refusal(capfd, "half.kina", "-o", "x" * 300)


def test_what_lies_in_the_place_of_the_header(capfd: pytest.CaptureFixture[str]) -> None:
    Path("half.h").mkdir()
    said = refusal(capfd, "half.kina", "-o", "half.so")
    assert said == "cannot write half.h: it is a folder"


@pytest.mark.parametrize("out", ["half.h", "libomp.so"])
def test_a_name_of_what_lies_beside_a_library(out: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert refusal(capfd, "half.kina", "-o", out).startswith(
        f"cannot write {out}: that is the name"
    )


@pytest.mark.parametrize("out", ["half.kina", "other.kina"])
def test_the_name_of_a_source(out: str, capfd: pytest.CaptureFixture[str]) -> None:
    said = refusal(capfd, "half.kina", "-o", out)
    assert said == f"cannot write {out}: a library does not take the name of a source"


def test_a_source_is_never_overwritten(capfd: pytest.CaptureFixture[str]) -> None:
    """Also under another name, as the header, or where it is imported."""
    Path("odd.h").write_text(PROGRAM)
    said = refusal(capfd, "odd.h", "-o", "odd.so")
    assert said == "cannot write odd.h: it is a source of the program"
    os.symlink("half.kina", "link.h")
    said = refusal(capfd, "half.kina", "-o", "link.so")
    assert said == "cannot write link.h: it is a source of the program"
    Path("main.kina").write_text('import "odd.h"\nexport half\n')
    said = refusal(capfd, "main.kina", "-o", "odd")
    assert said == "cannot write odd.h: it is a source of the program"


def test_a_program_without_exports(capfd: pytest.CaptureFixture[str]) -> None:
    Path("none.kina").write_text("dim N = 1\n")
    assert refusal(capfd, "none.kina", "-o", "x.so").startswith("none.kina exports nothing")
