"""`kina run`: a call on `.npy` files, compiled, interpreted, and refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from kina.cli.main import main

PROGRAM = """
record Weights { scale: F32[3]   shift: F32[] }

fn affine(w: Weights, x: F32[3]) -> (F32[3], F32[]) {
  let y = x * w.scale + broadcast(w.shift)
  return (y, sum(y, axis=0))
}
fn row(table: F32[4, 2], ids: I64[1], cache: F32[2, 2]) -> F32[2, 2] {
  return update(cache, gather(table, ids), at=[1, 0])
}
fn push[S](past: F32[S, 2], x: F32[1, 2]) -> F32[S + 1, 2] { return concat(past, x, axis=0) }
fn kinds(h: BF16[2], n: I64[], b: Bool[]) -> (BF16[2], I64[], Bool[]) {
  return (h + h, n + 1, not(b))
}

export affine
export row donate(cache)
export kinds
export push[S in 1..4]
export grow = push[S in 1..4] donate(past)
"""
AFFINE = ["w.scale=scale.npy", "w.shift=0.5", "x=x.npy"]
ROW = ["table=table.npy", "ids=ids.npy", "cache=cache.npy"]
SCALE, X = np.array([1, 2, 3], np.float32), np.array([1, 1, 2], np.float32)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    source, library = folder / "small.kina", folder / "small.so"
    source.write_text(PROGRAM)
    assert main(["compile", str(source), "-o", str(library)]) == 0
    return library


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder that holds the program and its arguments."""
    monkeypatch.chdir(tmp_path)
    Path("small.kina").write_text(PROGRAM)
    arrays = {
        "scale": SCALE,
        "x": X,
        # In the layouts that NumPy may write: the other byte order, the first axis the fastest.
        "table": np.asfortranarray(np.arange(8, dtype=">f4").reshape(4, 2)),
        "ids": np.array([3]),
        "cache": np.asfortranarray(np.full((2, 2), -1, np.float32)),
        "h": np.array([1.5, -3], ml_dtypes.bfloat16),
        "last": np.array([[8, 9]], np.float32),
    }
    for name, array in arrays.items():
        np.save(f"{name}.npy", array)
    return tmp_path


def asked(program: str | Path, signature: str, arguments: list[str], *flags: str) -> list[str]:
    given = [word for argument in arguments for word in ("--arg", argument)]
    return ["run", str(program), signature, *given, *flags]


def ran(*asked: str, script: str = 'exec "$@"') -> str:
    """What the command, which `script` has as "$@", writes to standard output."""
    done = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "kina.cli", *asked],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refusal(capfd: pytest.CaptureFixture[str], asked: list[str]) -> str:
    """What the command says, in one line, when it writes nothing."""
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    assert main(asked) == 1
    assert before == {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    shown = capfd.readouterr()
    assert shown.out == "" and shown.err.count("\n") == 1
    return shown.err.removeprefix("kina run: ").removesuffix("\n")


WAYS = ["library", "program", "interpreted"]


def way(name: str, library: Path) -> tuple[str | Path, list[str]]:
    program = library if name == "library" else "small.kina"
    return program, ["--interpret"] if name == "interpreted" else []


@pytest.mark.parametrize("name", WAYS)
def test_results_under_a_prefix(name: str, library: Path) -> None:
    """1 * 1 + .5, 1 * 2 + .5, 2 * 3 + .5, and their sum."""
    program, flags = way(name, library)
    assert ran(*asked(program, "affine", AFFINE, "--out", "y.", *flags)) == ""
    y, total = np.load("y.0.npy"), np.load("y.1.npy")
    assert (y.dtype, y.tolist()) == (np.float32, [1.5, 2.5, 6.5])
    assert (total.dtype, total.shape, float(total)) == (np.float32, (), 10.5)
    assert not [path for path in os.listdir() if path.endswith(".part")]


@pytest.mark.parametrize("name", WAYS)
def test_a_donated_parameter_in_any_layout(name: str, library: Path) -> None:
    """Row 3 of 0 .. 7 is 6, 7; the file of the cache stays as it was."""
    Path("out").mkdir()
    program, flags = way(name, library)
    ran(*asked(program, "row", ROW, "--out", "out", *flags))
    assert np.load("out/0.npy").tolist() == [[-1, -1], [6, 7]]
    assert np.load("cache.npy").tolist() == [[-1, -1], [-1, -1]]


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize(("signature", "past"), [("push", "cache"), ("grow", "room")])
def test_an_open_size_is_that_of_the_file(
    name: str, signature: str, past: str, library: Path
) -> None:
    """A donated parameter that grows is given with the room for its result."""
    np.save("room.npy", np.array([[-1, -1], [-1, -1], [0, 0]], np.float32))
    program, flags = way(name, library)
    ran(*asked(program, signature, [f"past={past}.npy", "x=last.npy"], "--out", "out.", *flags))
    assert np.load("out.0.npy").tolist() == [[-1, -1], [-1, -1], [8, 9]]


@pytest.mark.parametrize("name", WAYS)
def test_results_on_standard_output_and_numbers(name: str, library: Path) -> None:
    program, flags = way(name, library)
    shown = ran(*asked(program, "kinds", ["h=h.npy", "n=-3", "b=true"], *flags))
    assert shown == "BF16[2] [3, -6]\nI64[] -2\nBool[] False\n"


def test_results_are_arguments_again(library: Path) -> None:
    """Also BF16, for which the format has no name, and scalars."""
    ran(*asked(library, "kinds", ["h=h.npy", "n=1", "b=false"], "--out", "once"))
    shown = ran(*asked(library, "kinds", ["h=once0.npy", "n=once1.npy", "b=once2.npy"]))
    assert shown == "BF16[2] [6, -12]\nI64[] 3\nBool[] False\n"


def test_floats_are_shown_whole(library: Path) -> None:
    """The F32 after 1 is 1 + 2^-23, of which 1.0000001 is the shortest decimal."""
    np.save("x.npy", np.array([np.nextafter(np.float32(1), np.float32(2)), 0, 0], np.float32))
    np.save("scale.npy", np.ones(3, np.float32))
    given = ["w.scale=scale.npy", "w.shift=0", "x=x.npy"]
    shown = ran(*asked(library, "affine", given))
    assert shown.startswith("F32[3] [1.0000001, 0.")


def test_no_library_is_left(folder: Path) -> None:
    Path("tmp").mkdir()
    ran(*asked("small.kina", "affine", AFFINE), script='TMPDIR=tmp exec "$@"')
    assert os.listdir("tmp") == []


@pytest.mark.parametrize(
    ("signature", "arguments", "message"),
    [
        ("affine", AFFINE[:1], "affine takes w.scale, w.shift, x; missing w.shift, x"),
        ("affine", [*AFFINE, "y=1"], "unknown argument 'y': affine takes w.scale, w.shift, x"),
        ("affine", [*AFFINE, "x=x.npy"], "the argument x is given twice"),
        ("affine", ["x"], "expected an argument as NAME=FILE, found 'x'"),
        ("affine", ["x="], "expected an argument as NAME=FILE, found 'x='"),
        (
            "affine",
            ["w.scale=none.npy", *AFFINE[1:]],
            "affine: parameter w.scale: cannot read none.npy: No such file or directory",
        ),
        (
            "affine",
            ["w.scale=3", *AFFINE[1:]],
            "affine: parameter w.scale: cannot read 3: No such file or directory",
        ),
        (
            "affine",
            ["w.scale=.", *AFFINE[1:]],
            "affine: parameter w.scale: cannot read .: it is a folder",
        ),
        (
            "affine",
            ["w.scale=small.kina", *AFFINE[1:]],
            "affine: parameter w.scale: cannot read small.kina: it is no .npy file",
        ),
        (
            "affine",
            ["w.scale=table.npy", *AFFINE[1:]],
            "affine: parameter w.scale: expected F32[3], found F32[4, 2]",
        ),
        (
            "affine",
            ["w.scale=ids.npy", *AFFINE[1:]],
            "affine: parameter w.scale: expected F32[3], found I64[1]",
        ),
        (
            "affine",
            ["w.shift=1e39", AFFINE[0], AFFINE[2]],
            "affine: parameter w.shift: expected F32[], found the float 1e+39, which is out of its range",
        ),
        (
            "affine",
            ["w.shift=1e999", AFFINE[0], AFFINE[2]],
            "affine: parameter w.shift: expected F32[], found a number that is out of its range",
        ),
        (
            "kinds",
            ["h=h.npy", "n=1.5", "b=true"],
            "kinds: parameter n: expected I64[], found the float 1.5",
        ),
        (
            "kinds",
            ["h=h.npy", "n=1", "b=1"],
            "kinds: parameter b: expected Bool[], found the int 1",
        ),
        (
            "row",
            [ROW[0], "ids=four.npy", ROW[2]],
            "row: parameter ids: expected values in 0 .. 3, found 4",
        ),
    ],
)
def test_a_wrong_argument(
    signature: str,
    arguments: list[str],
    message: str,
    library: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The same words whether a library is called or a program is interpreted."""
    np.save("four.npy", np.array([4]))
    for program, *flags in ([library], ["small.kina"], ["small.kina", "--interpret"]):
        said = refusal(capfd, asked(program, signature, arguments, "--out", "y", *flags))
        assert said == message


HEADER = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is no .npy file"),
        (b"\x93NUMPY\1", "EOF: reading magic string, expected 8 bytes got 7"),
        (b"\x93NUMPY\7\0", "it is a .npy file of version 7.0"),
        (HEADER.replace("3", "3" * 4000), "it is damaged: its header has sizes that are none"),
        (HEADER.replace("3", "-3"), "it is damaged: its header has sizes that are none"),
        (HEADER.replace("3", "4"), "it is damaged: its header does not fit the 12 bytes behind it"),
        (HEADER.replace("3,", "1 << 40"), "it is damaged: its header is none of NumPy's"),
        (HEADER.replace("}", "]"), "it is damaged: its header is none of NumPy's"),
        ("(" * 9000, "it is damaged: its header is none of NumPy's"),
        (HEADER.replace("<f4", "|O"), "it holds items of the dtype object"),
        (HEADER.replace("(3,)", "(" + "1, " * 70 + "3)"), None),
    ],
)
def test_a_damaged_file(
    data: bytes | str, message: str | None, library: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if isinstance(data, str):
        header = data.encode()
        data = b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header + bytes(12)
    Path("bad.npy").write_bytes(data)
    said = refusal(capfd, asked(library, "affine", ["w.scale=bad.npy", *AFFINE[1:]]))
    beginning = "affine: parameter w.scale: cannot read bad.npy: "
    assert said.startswith(beginning)
    assert message is None or said == beginning + message


def test_a_pipe_is_not_waited_for(library: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    said = refusal(capfd, asked(library, "affine", ["w.scale=pipe", *AFFINE[1:]]))
    assert said == "affine: parameter w.scale: cannot read pipe: it is no regular file"


def test_a_wrong_program(library: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said = refusal(capfd, asked(library, "main", []))
    assert said == f"{library} has no signature 'main': it has affine, row, kinds, push, grow"
    said = refusal(capfd, asked(library, "affine", AFFINE, "--interpret"))
    assert said == f"--interpret takes a program, a .kina file, found {library}"
    said = refusal(capfd, asked("x.npy", "affine", AFFINE))
    assert said == "cannot load x.npy: it is not an ELF file"
    assert main(asked("small.kina", "main", [])) == 1
    shown = capfd.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("small.kina:1:1: error: unknown export 'main'")


def test_a_wrong_place(library: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is computed, and no argument is lost."""
    Path("y1.npy").mkdir()
    said = refusal(capfd, asked(library, "affine", AFFINE, "--out", "y"))
    assert said == "cannot write y1.npy: it is a folder"
    said = refusal(capfd, asked(library, "affine", AFFINE, "--out", "none/y"))
    assert said == "cannot write none/y0.npy: there is no folder none"
    os.rename("x.npy", "z1.npy")
    said = refusal(capfd, asked(library, "affine", [*AFFINE[:2], "x=./z1.npy"], "--out", "z"))
    assert said == "z1.npy is the same file as z1.npy, which would be lost"


def test_a_disk_that_is_full(library: Path) -> None:
    """A limit of 0 blocks on what is written stands in for it."""
    Path("y0.npy").write_bytes(b"old")
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", sys.executable, "-m", "kina.cli"]
        + asked(library, "affine", AFFINE, "--out", "y"),
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        timeout=120,
    )
    assert done.returncode == 1
    assert done.stderr == "kina run: y0.npy cannot be written: File too large\n"
    assert Path("y0.npy").read_bytes() == b"old"


def test_an_interrupt_ends_a_loop_that_never_ends(folder: Path) -> None:
    Path("forever.kina").write_text(
        "fn f(n: I64[]) -> I64[] { return while n >= 0 with n = n { yield n * 0 } }\nexport f"
    )
    assert main(["compile", "forever.kina", "-o", "forever.so"]) == 0
    with subprocess.Popen(
        [sys.executable, "-m", "kina.cli", *asked("forever.so", "f", ["n=1"])],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(5)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, b"")
