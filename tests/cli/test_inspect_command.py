"""`kina inspect`: what a library says of itself, also where this machine could not load it."""

from __future__ import annotations

import json
import platform
import struct
from pathlib import Path

import pytest

from kina.cli.main import main
from kina.digest import sealed

PROGRAM = """
const eps: F32 = 0.5
record Weights { embed: F32[8, 4]   shift: F32[] }

fn write(w: Weights, ids: I64[2], rows: F32[2, 4]) -> (F32[2, 4], Bool[2]) {
  let y = gather(w.embed, ids) + broadcast(w.shift)
  return (update(rows, y * eps, at=[0, 0]), ids == 1)
}

export write donate(rows)
export copy = write
"""
PARAMETERS = """\
  parameters
    w.embed  F32[8, 4]
    w.shift  F32[]
    ids      I64[2] in 0 .. 7
    rows     F32[2, 4]{donated}
"""
TARGETS = {"x86_64": "x86-64-v2", "aarch64": "armv8-a"}
ELSEWHERE = {"x86_64": "aarch64", "aarch64": "x86_64"}[platform.machine()]
"""A machine that this one is not."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    source, library = folder / "escape.kina", folder / "escape.so"
    source.write_text(PROGRAM)
    compiled = ["compile", str(source), "-o", str(library), f"--target_cpu={TARGETS[ELSEWHERE]}"]
    assert main(compiled) == 0
    return library


def inspected(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main(["inspect", *map(str, arguments)]) == 0
    shown = capfd.readouterr()
    assert shown.err == ""
    return shown.out


def code_size(data: bytes) -> int:
    """The bytes of the segments that are loaded to be executed, by the ELF specification."""
    start, count = *struct.unpack_from("<Q", data, 32), *struct.unpack_from("<H", data, 56)
    size = 0
    for at in range(start, start + 56 * count, 56):
        kind, flags, _, _, _, in_file = struct.unpack_from("<IIQQQQ", data, at)
        size += in_file if kind == 1 and flags & 1 else 0
    return size


def test_a_library_for_another_processor(library: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shown = inspected(capfd, library)
    program, write, copy, symbols = shown.removesuffix("\n").split("\n\n")
    data = library.read_bytes()
    lines = dict(line.split(None, 1) for line in program.splitlines())
    assert lines["program"] == "escape"
    assert lines["target"].startswith(f"{TARGETS[ELSEWHERE]}, {ELSEWHERE}-")
    assert lines["file"] == f"{len(data):,} bytes"
    assert lines["code"] == f"{code_size(data):,} bytes" != "0 bytes"
    assert lines["compiler"].endswith(", ABI 1")
    results = "  results\n    0  F32[2, 4]{alias}\n    1  Bool[2]\n  constants\n    eps  0.5"
    assert write == "signature write\n" + PARAMETERS.format(donated=", donated") + results.format(
        alias=", in the buffer of rows"
    )
    assert copy == "signature copy\n" + PARAMETERS.format(donated="") + results.format(alias="")
    named = [line.split()[0] for line in symbols.splitlines()[1:]]
    assert named == ["_mlir_ciface_copy", "_mlir_ciface_write", "kina_digest", "kina_manifest"]


def test_the_manifest_as_json(library: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is the text that the library holds."""
    shown = inspected(capfd, library, "--json")
    assert [signature["name"] for signature in json.loads(shown)["signatures"]] == ["write", "copy"]
    assert shown.encode() + b"\0" in library.read_bytes()


def test_a_name_that_would_clear_the_screen(
    library: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / "odd.so"
    odd.write_bytes(sealed(library.read_bytes().replace(b'"escape"', b'"\\u001b"')))
    assert inspected(capfd, odd).startswith("program   \ufffd\n")


def test_what_is_none_of_ours(
    library: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text, cut, strange = tmp_path / "text", tmp_path / "cut.so", tmp_path / "strange.so"
    text.write_text(PROGRAM)
    data = library.read_bytes()
    cut.write_bytes(data[: len(data) // 2])
    strange.write_bytes(data.replace(b"kina_manifest", b"kina_momanday"))
    refusals = {
        text: "it is not an ELF file",
        cut: "it is cut off: ",
        strange: "it is a shared object, but no Kina library: it has no symbol kina_manifest",
        tmp_path: "it is a folder",
        tmp_path / "none": "No such file or directory",
    }
    for path, reason in refusals.items():
        for flags in ([], ["--json"]):
            assert main(["inspect", str(path), *flags]) == 1
            shown = capfd.readouterr()
            assert shown.out == "" and shown.err.count("\n") == 1
            assert shown.err.startswith(f"kina inspect: cannot read {path}: {reason}")
