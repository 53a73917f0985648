"""`kina generate` with the real model and its compiled program."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.artifacts import smollm2_gguf, smollm2_library

CASES = json.loads(
    (Path(__file__).parent.parent / "data" / "smollm2_greedy.json").read_text("utf-8")
)["cases"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LC_ALL": "C"}


@pytest.fixture(scope="module")
def command() -> list[str]:
    files = [f"--model={smollm2_library()}", f"--gguf={smollm2_gguf()}"]
    return [sys.executable, "-m", "kina.cli", "generate", *files]


def run(command: list[str], *flags: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*command, *flags], check=True, capture_output=True, env=ENVIRONMENT)


def test_the_capital_of_france_is_paris(command):
    case = CASES[0]
    done = run(command, "--prompt", case["prompt"])
    # Greedy, up to the end token that the recording does not stop at.
    assert done.stdout.decode() == case["greedy_text"].partition("<|im_end|>")[0]
    assert done.stderr.startswith(b"prompt: 5 tokens, ")
    assert done.stderr.endswith(b"; end: eos\n")


def test_a_prompt_that_is_not_ascii(command):
    case = CASES[5]
    done = run(command, "--echo", "--max_new_tokens=48", "--prompt", case["prompt"])
    assert done.stdout.decode() == case["prompt"] + case["greedy_text"]
    assert done.stderr.endswith(b"; end: length\n")


def test_drawn_text_repeats_with_its_seed(command):
    flags = (
        "--prompt",
        CASES[1]["prompt"],
        "--max_new_tokens=12",
        "--temperature=0.8",
        "--top_p=0.9",
    )
    texts = [run(command, *flags, f"--seed={seed}").stdout for seed in (5, 5, 6)]
    assert texts[0] == texts[1] != texts[2]


def test_the_number_of_threads_does_not_change_the_text(command):
    flags = ("--prompt", CASES[3]["prompt"], "--max_new_tokens=8")
    texts = {run(command, *flags, f"--threads={threads}").stdout for threads in (1, 2, 3)}
    assert len(texts) == 1
    assert CASES[3]["greedy_text"].startswith(texts.pop().decode())


def test_a_reader_that_goes_away_ends_it(command):
    start = time.monotonic()
    done = subprocess.run(
        [
            "sh",
            "-c",
            '{ "$@"; echo $? >&2; } | head -c 10',
            "sh",
            *command,
            "--prompt",
            "Once upon",
        ],
        check=True,
        capture_output=True,
        env=ENVIRONMENT,
    )
    assert len(done.stdout) == 10
    assert done.stderr == b"%d\n" % (128 + signal.SIGPIPE)
    assert time.monotonic() - start < 30


def test_an_interrupt_in_a_long_prefill_ends_it_within_a_second(command):
    prompt = "A long story. " * 1500
    with subprocess.Popen(
        [*command, "--echo", "--prompt", prompt],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        bufsize=0,
    ) as process:
        assert process.stdout
        echoed = b""
        while len(echoed) < len(prompt):
            echoed += process.stdout.read(1 << 16)
        time.sleep(1)
        assert process.poll() is None, "6,000 tokens take longer"
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest, stderr = process.communicate(timeout=30)
        seconds = time.monotonic() - start
    assert (process.returncode, rest, stderr) == (130, b"", b"")
    assert seconds < 1
