"""The hosts in C++, against the host in Python and against recorded values."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kina
from kina.cli.main import main
from kina.generation.host_loop import rollout
from reference import storylm0
from support.artifacts import cc_host, smollm2_gguf, smollm2_library, storylm0_library

# What transformers and torch gave for the same model: data/README.md.
CASES = json.loads(
    (Path(__file__).absolute().parents[1] / "data" / "smollm2_greedy.json").read_text("utf-8")
)["cases"]


def ids(*command: object) -> list[int]:
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return [int(word) for word in done.stdout.split()]


def test_storylm0_gives_the_ids_of_the_python_host():
    weights, seed = storylm0.patterned_weights(), np.array([[storylm0.SEED_TOKEN]])
    python = rollout(kina.load(storylm0_library()), weights, seed, 3)
    # Nothing of the compiler takes part here.
    reference = rollout(storylm0.NumpyStory(longest_past=2), weights, seed, 3)
    assert ids(cc_host("storylm0_host")) == [*python[0]] == [*reference[0]]


@pytest.fixture(scope="module")
def weights(tmp_path_factory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("smollm2") / "weights.bin"
    files = [f"--gguf={smollm2_gguf()}", f"--model={smollm2_library()}", f"-o{path}"]
    assert main(["export-weights", *files]) == 0
    yield path
    path.unlink()  # half a gigabyte


# A prompt of 5 tokens and one of 19, which goes through another function. At none of their steps are
# the two best logits nearer than 0.05, and the order of float32 sums moves them by less than 0.002.
@pytest.mark.parametrize("case", [CASES[0], CASES[5]], ids=["short", "long"])
def test_smollm2_gives_the_recorded_ids(weights, case):
    assert min(case["greedy_top2_gap"]) > 0.05
    expected = case["greedy_ids"]
    printed = ids(cc_host("smollm2_host"), weights, len(expected), *case["prompt_ids"])
    assert printed == expected


def refused(message: str, *arguments: object) -> None:
    command = [str(word) for word in (cc_host("smollm2_host"), *arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message + "\n")


def test_smollm2_refuses_other_files(weights, tmp_path):
    other = tmp_path / "other.bin"
    with open(weights, "rb") as file:
        start = file.read(4096)
    for data, reason in [
        (start[:20], "cut short or corrupt"),
        (start, "cut short"),
        (b"GGUF" + start[4:], "not a weight file of version 1"),
        (start[:8] + b"\2" + start[9:], "not a weight file of version 1"),
        (header(start, 0), "w.embed is missing"),
        (header(start, 1 << 60), "cut short or corrupt"),
        (header(start.replace(b"w.embed", b"w.hello"), 11), "w.embed is missing"),
        (header(start.replace(b"F32", b"F16"), 11), "w.embed is another model's"),
        (header(start, 11), "cut short or corrupt"),  # the elements lie behind the end
    ]:
        other.write_bytes(data)
        refused(f"{other}: {reason}", other, 1, 0)
    refused(f"{tmp_path / 'none'}: No such file or directory", tmp_path / "none", 1, 0)
    refused("'49152' is no number from 0 to 49151", weights, 1, 49152)
    refused("'8192' is no number from 0 to 8191", weights, 8192, 0)


def header(start: bytes, count: int) -> bytes:
    """The start of a file that says it is the whole, and has `count` tensors."""
    return start[:16] + len(start).to_bytes(8, "little") + count.to_bytes(8, "little") + start[32:]
