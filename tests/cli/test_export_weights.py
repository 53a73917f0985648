"""`kina export-weights` as its users run it, on a tiny model."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support import tiny_llama as tiny
from support.weight_file import tensors

MODEL = tiny.weights()
# Not resolved: in a test target's folder this file is a link into the checkout.
LLAMA = Path(__file__).absolute().parents[2] / "kina/models/llama.kina"
PROGRAM = f"""
import "{{llama}}" with
  L = {tiny.LAYERS}, D = {tiny.D}, H = {tiny.H}, G = {tiny.G}, Dh = {tiny.DH}, F = {tiny.F},
  V = {tiny.VOCABULARY},
  eps = {tiny.SHAPE.norm_eps}, rope_base = {tiny.SHAPE.rope_base}

export {{name}} = decode[S in 0..{tiny.CONTEXT - 1}] donate(k_past, v_past)
"""
ELSEWHERE = {"x86_64": "armv8.2-a", "aarch64": "x86-64-v3"}[platform.machine()]
"""A processor that this machine is not."""


def kina(*arguments: str | Path, script: str = 'exec "$@"') -> tuple[int, str]:
    """The exit code and standard error of the command, which `script` has as "$@"."""
    done = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "kina.cli", *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=120,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def compiled(folder: Path, name: str) -> Path:
    source, library = folder / f"{name}.kina", folder / f"{name}.so"
    source.write_text(PROGRAM.format(llama=os.path.relpath(LLAMA, folder), name=name))
    assert kina("compile", source, "-o", library, f"--target_cpu={ELSEWHERE}") == (0, "")
    return library


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    return compiled(tmp_path_factory.mktemp("library"), "decode")


@pytest.fixture
def gguf(tmp_path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(tiny.gguf_file(MODEL))
    return path


def test_a_library_for_another_processor_gets_its_weights(library, gguf, tmp_path):
    out = tmp_path / "weights.bin"
    asked = ["export-weights", "--gguf", gguf, "--model", library, "-o", out]
    assert kina(*asked) == (0, "")
    found = tensors(out)
    expected = {"w.embed": MODEL["embed"]}
    expected |= {f"w.layers.{name}": array for name, array in MODEL["layers"].items()}
    expected["w.norm"] = MODEL["norm"]
    assert [*found] == [*expected]
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def refused(asked: tuple[int, str], message: str, code: int = 1) -> None:
    """One line that says why."""
    assert asked[0] == code
    assert asked[1].startswith("kina export-weights: ")
    assert asked[1].count("\n") == 1
    assert message in asked[1]


def test_what_cannot_be_done_is_refused_in_one_line(library, gguf, tmp_path):
    out, none = tmp_path / "weights.bin", tmp_path / "none"
    other = tmp_path / "other.gguf"
    deeper = {**MODEL, "layers": {n: np.concatenate([a, a]) for n, a in MODEL["layers"].items()}}
    from_key = tiny.g.key("llama.block_count", tiny.g.U32, 2 * tiny.LAYERS)
    other.write_bytes(tiny.gguf_file(deeper, replace={"llama.block_count": from_key}))

    def export(gguf: Path, library: Path, out: Path = out) -> tuple[int, str]:
        return kina("export-weights", "--gguf", gguf, "--model", library, "-o", out)

    refused(export(none, library), f"{none}: No such file or directory")
    refused(export(library, library), f"{library}: not a GGUF file")
    refused(export(gguf, none), f"cannot read {none}: No such file or directory")
    refused(export(gguf, gguf), f"cannot read {gguf}: ")
    refused(export(other, library), "n_layers is 4 in the file and 2 in the program")
    refused(
        export(gguf, compiled(tmp_path, "step")),
        "step.so is no model: it has no signature 'decode'",
    )
    refused(export(gguf, library, tmp_path), f"{tmp_path} cannot be written: it is a folder")
    refused(export(gguf, library, none / "w"), f"{none / 'w'} cannot be written: No such file")
    refused(export(gguf, library, gguf), f"{gguf} is the same file as {gguf}, which would be lost")
    assert not out.exists()
    assert gguf.read_bytes() == tiny.gguf_file(MODEL)


def test_flags_that_are_missing_are_named(gguf):
    message = "the following arguments are required: --model, -o"
    refused(kina("export-weights", "--gguf", gguf), message, 2)


def test_a_disk_that_fills_up_leaves_the_older_file_and_no_other(library, gguf, tmp_path):
    """A limit of 16 blocks of 512 bytes on what is written stands in for the full disk."""
    out = tmp_path / "out" / "weights.bin"
    out.parent.mkdir()
    out.write_bytes(b"old")
    asked = ["export-weights", "--gguf", gguf, "--model", library, "-o", out]
    refused(
        kina(*asked, script='ulimit -f 16; exec "$@"'), f"{out} cannot be written: File too large"
    )
    assert out.read_bytes() == b"old"
    assert [*out.parent.iterdir()] == [out]
    assert kina(*asked) == (0, "")
    assert out.stat().st_size > 16 * 512
