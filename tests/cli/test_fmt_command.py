"""`kina fmt`: which files it writes, what goes to which output, and what it refuses."""

from __future__ import annotations

import errno
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kina.cli.line_diff import line_diff
from kina.cli.main import main

GIVEN = "dim  A = 1\n\n\ndim B=2\n"
LAID_OUT = "dim A = 1\n\ndim B = 2\n"
WRONG = "dim = 1\n"
COMPLAINT = (
    "wrong.kina:1:5: error: expected the name of a dimension, found '='\n  dim = 1\n      ^\n"
)
DIFF = """\
--- given.kina
+++ given.kina
@@ -1,4 +1,3 @@
-dim  A = 1
+dim A = 1

-
-dim B=2
+dim B = 2
""".replace("\n\n", "\n \n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A current folder with a program to lay out, one that is, and a wrong one."""
    monkeypatch.chdir(tmp_path)
    Path("given.kina").write_text(GIVEN)
    Path("good.kina").write_text(LAID_OUT)
    Path("wrong.kina").write_text(WRONG)


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code and what went to standard output and standard error."""
    code = main(["fmt", *arguments])
    shown = capfd.readouterr()
    return code, shown.out, shown.err


def process(arguments: str, data: bytes = b"") -> tuple[int, str, str]:
    """The same of a process of its own, from a line of shell."""
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m kina.cli fmt {arguments}', sys.executable],
        check=False,
        input=data,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=120,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


def test_in_place(capfd: pytest.CaptureFixture[str]) -> None:
    before = os.stat("good.kina")
    assert run(capfd, "given.kina", "good.kina") == (0, "", "")
    assert Path("given.kina").read_text() == LAID_OUT
    assert os.stat("good.kina") == before, "what is laid out already is not written"
    assert len(files()) == 3, "nothing else is left in the folder"


def test_every_file_is_tried(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "wrong.kina", "missing.kina", ".", "given.kina")
    assert (code, out) == (1, "")
    assert err == COMPLAINT + (
        "missing.kina:1:1: error: cannot read the file: No such file or directory\n"
        ".:1:1: error: cannot read the file: it is a folder\n"
    )
    assert files() == {
        "given.kina": LAID_OUT.encode(),
        "good.kina": LAID_OUT.encode(),
        "wrong.kina": WRONG.encode(),
    }


def test_check(capfd: pytest.CaptureFixture[str]) -> None:
    before = files()
    assert run(capfd, "--check", "good.kina") == (0, "", "")
    assert run(capfd, "--check", "good.kina", "given.kina") == (1, "given.kina\n", "")
    assert run(capfd, "--check", "wrong.kina", "given.kina") == (1, "given.kina\n", COMPLAINT)
    assert files() == before


def test_diff(capfd: pytest.CaptureFixture[str]) -> None:
    before = files()
    assert run(capfd, "--diff", "good.kina", "given.kina") == (0, DIFF, "")
    assert run(capfd, "--diff", "--check", "given.kina") == (1, DIFF, "")
    assert run(capfd, "--diff", "--check", "good.kina") == (0, "", "")
    assert files() == before


def test_standard_input() -> None:
    assert process("-", GIVEN.encode()) == (0, LAID_OUT, "")
    assert process("-", LAID_OUT.encode()) == (0, LAID_OUT, "")
    assert process("- --check", GIVEN.encode()) == (1, "<stdin>\n", "")
    assert process("- --diff", GIVEN.encode()) == (0, DIFF.replace("given.kina", "<stdin>"), "")
    assert process("-", WRONG.encode()) == (1, "", COMPLAINT.replace("wrong.kina", "<stdin>"))
    unreadable = f"kina fmt: standard input cannot be read: {os.strerror(errno.EBADF)}\n"
    assert process("- 0> out") == (1, "", unreadable)
    assert process("- <&-") == (0, "", "")


def test_bytes_that_are_no_text(capfd: pytest.CaptureFixture[str]) -> None:
    Path("latin.kina").write_bytes(b"// caf\xe9\ndim  A = 1\n")
    before = files()
    code, out, err = run(capfd, "latin.kina")
    assert (code, out) == (1, "")
    assert err.startswith("latin.kina:1:7: error: expected UTF-8 text, found the byte 0xe9\n")
    assert files() == before


def test_a_byte_order_mark_and_line_ends_go(capfd: pytest.CaptureFixture[str]) -> None:
    for data in (LAID_OUT.encode("utf-8-sig"), LAID_OUT.replace("\n", "\r\n").encode()):
        Path("given.kina").write_bytes(data)
        assert run(capfd, "--check", "given.kina") == (1, "given.kina\n", "")
        assert run(capfd, "given.kina") == (0, "", "")
        assert Path("given.kina").read_bytes() == LAID_OUT.encode()


def test_other_letters_stay_in_any_locale() -> None:
    text = '// π ≈ 22/7 漢字\nimport "größe.kina"\n'
    assert process("- | LC_ALL=C cat", text.encode()) == (0, text, "")
    Path("given.kina").write_text("  " + text, encoding="utf-8")
    assert process("given.kina; export LC_ALL=C")[0] == 0
    assert Path("given.kina").read_text(encoding="utf-8") == text


def test_the_mode_stays(capfd: pytest.CaptureFixture[str]) -> None:
    os.chmod("given.kina", 0o640)
    assert run(capfd, "given.kina") == (0, "", "")
    assert os.stat("given.kina").st_mode & 0o7777 == 0o640


def test_a_link_stays(capfd: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    os.rename("given.kina", "folder/given.kina")
    os.symlink("folder/given.kina", "link.kina")
    assert run(capfd, "link.kina") == (0, "", "")
    assert os.readlink("link.kina") == "folder/given.kina"
    assert Path("folder/given.kina").read_text() == LAID_OUT
    assert os.listdir("folder") == ["given.kina"]


def test_a_file_that_is_read_only(capfd: pytest.CaptureFixture[str]) -> None:
    """Also for the superuser, who could write it."""
    os.chmod("given.kina", 0o444)
    os.chmod("good.kina", 0o444)
    before = files()
    code, out, err = run(capfd, "good.kina", "given.kina")
    assert (code, out, err) == (1, "", "kina fmt: cannot write given.kina: it is read-only\n")
    assert files() == before
    assert run(capfd, "--check", "given.kina") == (1, "given.kina\n", "")


def test_a_write_that_fails_leaves_the_file(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    before = files()
    code, out, err = run(capfd, "given.kina")
    said = f"kina fmt: cannot write given.kina: {os.strerror(errno.ENOSPC)}\n"
    assert (code, out, err) == (1, "", said)
    assert files() == before


def test_a_layout_that_would_lose_a_token_is_a_fault_of_kina(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kina.syntax.format._gap", lambda before, piece: 0)
    before = files()
    code, out, err = run(capfd, "given.kina")
    assert (code, out) == (70, "")
    assert "the layout of given.kina would change its tokens" in err
    assert files() == before


@pytest.mark.parametrize("flags", ["-", "--check given.kina", "--diff given.kina"])
def test_an_output_that_takes_nothing(flags: str) -> None:
    full = os.strerror(errno.ENOSPC)
    for redirection, says in (
        (">&-", "standard output is closed"),
        ("> /dev/full", f"standard output cannot be written: {full}"),
    ):
        found = process(f"{flags} {redirection}", GIVEN.encode())
        assert found == (1, "", f"kina fmt: {says}\n")


def test_in_place_needs_no_output() -> None:
    assert process("given.kina >&-") == (0, "", "")
    assert Path("given.kina").read_text() == LAID_OUT


def test_without_a_file(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd)
    assert (code, out) == (2, "") and "the following arguments are required: FILE" in err


def patched(before: str, diff: str) -> str:
    """What `patch` makes of a text: by the description of the format in POSIX."""
    lines, result, at = before.splitlines(keepends=True), list[str](), 0
    for change, cut in re.findall(r"(.*)\n(\\.*\n)?", diff)[2:]:
        line = change[1:] + ("" if cut else "\n")
        if change[0] == "@":
            start, _, count = change.split()[1].removeprefix("-").partition(",")
            first = int(start) - (count != "0")
            result += lines[at:first]
            at = first
            continue
        if change[0] in " -":
            assert lines[at] == line
            at += 1
        if change[0] in " +":
            result.append(line)
    return "".join([*result, *lines[at:]])


def test_a_diff_is_of_the_lines_around_each_change() -> None:
    before = "".join(f"{i}\n" for i in range(30))
    after = (
        before.replace("\n5\n", "\nfive\n").replace("\n12\n", "\n12 \n").replace("\n29\n", "\n29")
    )
    diff = line_diff("a", before, after)
    assert [line for line in diff.splitlines() if line.startswith("@@")] == [
        "@@ -3,14 +3,14 @@",
        "@@ -27,4 +27,4 @@",
    ]
    assert diff.endswith("\n-29\n+29\n\\ No newline at end of file\n")
    assert patched(before, diff) == after
    assert line_diff("a", before, before) == line_diff("a", "", "") == ""
    assert line_diff("a", "", "1\n") == "--- a\n+++ a\n@@ -0,0 +1 @@\n+1\n"


def test_a_diff_of_any_two_texts_leads_from_one_to_the_other() -> None:
    for seed in range(500):
        draw = random.Random(seed)
        before, after = (
            "".join(draw.choices(["a\n", "b\n", "\n", " \n"], k=draw.randrange(25)))
            + draw.choice(["", "c"])
            for _ in range(2)
        )
        assert patched(before, line_diff("a", before, after)) == after, seed
