"""`kina generate` as its users run it: a process with a locale, pipes and signals.

The tiny NumPy decoder stands in the place of a compiled library; everything else is the real command.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reference.llama_numpy import forward
from support import gguf_bytes as g
from support import tiny_llama as tiny

MODEL = tiny.weights()
PROMPT = "abc"
STATISTICS = re.compile(
    rb"prompt: \d+ tokens(, [\d.]+ tokens/s)?; decode: \d+ tokens(, [\d.]+ tokens/s)?; end: (\w+)\n"
)


def greedy(count: int, prompt: str = PROMPT) -> bytes:
    """What the model writes, by full forwards; token b + 2 of the tiny vocabulary is byte b."""
    sequence = [2 + byte for byte in prompt.encode()]
    start = len(sequence)
    for _ in range(count):
        sequence.append(int(forward(MODEL, tiny.SHAPE, sequence)[-1].argmax()))
    data = bytes(token - 2 for token in sequence[start:])
    return data.decode(errors="replace").encode()


@pytest.fixture
def gguf(tmp_path) -> Path:
    path = tmp_path / "mödel of mine.gguf"
    path.write_bytes(tiny.gguf_file(MODEL))
    return path


@pytest.fixture
def command(gguf) -> list[str]:
    return [
        sys.executable,
        str(Path(__file__).with_name("numpy_kina.py")),
        "generate",
        "--model",
        "x.so",
        "--gguf",
        str(gguf),
    ]


def environment(**variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    return {**kept, "PYTHONPATH": os.pathsep.join(sys.path), **variables}


def run(command: list, *flags, stdin: bytes = b"", **variables: str) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [*command, *flags],
        check=False,
        input=stdin,
        capture_output=True,
        env=environment(**variables),
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def ended(stderr: bytes) -> str:
    """Why it ended, from a standard error that holds the statistics and nothing else."""
    found = STATISTICS.fullmatch(stderr)
    assert found, stderr
    return found[3].decode()


def refused(result: tuple[int, bytes, bytes], message: str, code: int = 1) -> None:
    """One line on standard error that says why, and nothing on standard output."""
    returncode, stdout, stderr = result
    assert (returncode, stdout) == (code, b"")
    assert stderr.count(b"\n") == 1
    assert stderr.startswith(b"kina")
    assert message in stderr.decode(errors="surrogateescape")


def shell(command: list[str], script: str, **variables: str) -> tuple[int, bytes, bytes]:
    """Run `script` with the command as "$@"."""
    done = subprocess.run(
        ["sh", "-c", script, "sh", *command],
        check=False,
        capture_output=True,
        env=environment(**variables),
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_standard_output_is_the_text_and_standard_error_one_line(command):
    code, text, stderr = run(command, "--prompt", PROMPT, "--max_new_tokens", "12")
    assert (code, text) == (0, greedy(12))
    assert ended(stderr) == "length"
    assert stderr.startswith(b"prompt: 3 tokens, ")
    assert b"; decode: 11 tokens, " in stderr


@pytest.mark.parametrize(
    "flags", [["--nostream"], ["--stream"], ["--no_cache"], ["--greedy", "--temperature=2"], ["--threads=1"]]
)  # fmt: skip
def test_flags_that_leave_greedy_text_as_it_is(command, flags):
    code, text, _ = run(command, "--prompt", PROMPT, "--max_new_tokens=12", *flags)
    assert (code, text) == (0, greedy(12))


def test_the_prompt_comes_from_standard_input_and_is_echoed(command):
    code, text, _ = run(command, "--max_new_tokens=4", "--echo", stdin=b"ab\n")
    assert (code, text) == (0, b"ab\n" + greedy(4, "ab\n"))


def test_a_prompt_may_look_like_a_flag(command):
    code, text, _ = run(command, "--max_new_tokens=4", "--prompt", "--echo")
    assert (code, text) == (0, greedy(4, "--echo"))


def test_a_seed_repeats_what_was_drawn(command):
    flags = ["--prompt", PROMPT, "--max_new_tokens=20", "--top_k=50", "--top_p=0.95"]
    texts = [run(command, *flags, f"--seed={seed}")[1] for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    assert greedy(20) not in texts


def test_no_token_is_a_success(command):
    code, text, stderr = run(command, "--prompt", PROMPT, "--max_new_tokens=0")
    assert (code, text, ended(stderr)) == (0, b"", "length")


def test_the_context_ends_the_text(command):
    new = tiny.CONTEXT - len(PROMPT)
    code, text, stderr = run(command, "--prompt", PROMPT)
    assert (code, text, ended(stderr)) == (0, greedy(new), "context")


def test_the_end_token_first_is_an_empty_text(command, gguf):
    first = greedy(1)[0]
    end = g.key("tokenizer.ggml.eos_token_id", g.U32, first + 2)
    gguf.write_bytes(tiny.gguf_file(MODEL, replace={"tokenizer.ggml.eos_token_id": end}))
    code, text, stderr = run(command, "--prompt", PROMPT)
    assert (code, text, ended(stderr)) == (0, b"", "eos")


def test_a_stop_string_ends_the_text(command):
    text = greedy(12).decode()
    code, shown, stderr = run(
        command, "--prompt", PROMPT, "--max_new_tokens=12", "--stop", text[3:5]
    )
    assert (code, shown.decode(), ended(stderr)) == (0, text[: text.index(text[3:5])], "stop")


def test_control_tokens_are_read_or_not(command):
    flags = ["--prompt", tiny.START + "abc", "--max_new_tokens=6"]
    read, as_text = run(command, *flags)[2], run(command, *flags, "--noparse_special")[2]
    assert read.startswith(b"prompt: 4 tokens")
    assert as_text.startswith(b"prompt: %d tokens" % len(tiny.START + "abc"))


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C"},
        # What Python does without its own care for the C locale.
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C", "PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "no_SUCH"},
    ],
)
def test_text_is_utf_8_in_any_locale(command, locale):
    prompt = "“a” 🙂"
    code, text, _ = run(command, "--echo", "--max_new_tokens=6", "--prompt", prompt, **locale)
    assert (code, text) == (0, prompt.encode() + greedy(6, prompt))
    code, text, _ = run(command, "--echo", "--max_new_tokens=6", stdin=prompt.encode(), **locale)
    assert (code, text) == (0, prompt.encode() + greedy(6, prompt))


def test_a_prompt_that_is_not_utf_8_is_refused(command):
    refused(run(command, "--prompt", b"ab\xff"), "--prompt is not UTF-8: byte 0xff at 2")
    refused(run(command, stdin=b"\xe9t\xe9"), "standard input is not UTF-8: byte 0xe9 at 0")


def test_what_cannot_be_done_is_refused_in_one_line(command, gguf, tmp_path):
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(gguf.read_bytes()[:1000])
    prompt = ["--prompt", PROMPT]
    refused(run(command, *prompt, "--gguf", tmp_path / "no"), f"{tmp_path / 'no'}: No such file")
    refused(run(command, *prompt, "--gguf", bad), f"{bad}: cut short or corrupt: 1000 bytes found")
    refused(run(command, *prompt, "--gguf", tmp_path), "not a regular file")
    refused(run(command, "--prompt", ""), "the prompt is empty")
    refused(run(command, stdin=b""), "the prompt is empty")
    refused(run(command, "--prompt", "x" * 41), "the prompt has 41 tokens; the context holds 40")
    refused(run(command, *prompt, "--stop", ""), "a stop string is empty")
    refused(run(command, *prompt, "--top_p", "1.5"), "top_p is 1.5; a number from 0 to 1")
    refused(run(command, *prompt, "--temperature=-1"), "temperature is -1.0; 0 or more")
    refused(run(command, *prompt, "--temperature=nan"), "temperature is nan")
    refused(run(command, *prompt, "--threads=0"), "--threads: expected 1 to ")
    refused(run(command[:3], *prompt), "--model is missing")
    refused(run([*command[:3], "--model", "x"], *prompt), "--gguf is missing")


def test_flags_that_are_none_are_refused_in_one_line(command):
    refused(run(command, "--prompts", "x"), "unrecognized arguments: --prompts", 2)
    refused(run(command, "--prompt"), "argument --prompt: expected one argument", 2)
    refused(run(command, "--top_p", "x"), "argument --top_p: invalid float value: 'x'", 2)
    refused(run(command, "--max_new_tokens=-1"), "'-1' is no whole number of 0 or more", 2)
    refused(run(command, "--top_k=-1"), "'-1' is no whole number of 0 or more", 2)
    refused(run(command, "--seed=1.5"), "'1.5' is no whole number of 0 or more", 2)
    refused(run(command, "--stream", "--nostream"), "not allowed with argument", 2)
    refused(run(command[:2]), "a command is expected", 2)
    refused(run(command[:2], "generat"), "unknown command 'generat'", 2)


def test_help_lists_commands_and_flags(command):
    code, text, stderr = run(command[:2], "--help")
    assert (code, stderr) == (0, b"")
    assert b"generate" in text
    code, text, stderr = run(command, "--help")
    assert (code, stderr) == (0, b"")
    assert all(flag in text for flag in (b"--prompt", b"--no_cache", b"--noparse_special"))
    code, _, stderr = shell(command[:3], '"$@" --help > /dev/full')
    assert (code, stderr) == (1, b"kina generate: standard output cannot be written: "
                              + os.strerror(errno.ENOSPC).encode() + b"\n")  # fmt: skip


def test_a_reader_that_goes_away_ends_it_quietly(command):
    slow = {"KINA_TEST_DECODE_SECONDS": "0.2"}
    start = time.monotonic()
    code, text, stderr = shell(
        [*command, "--prompt", PROMPT, "--max_new_tokens=30"],
        '{ "$@"; echo $? >&2; } | head -c 2',
        **slow,
    )
    assert time.monotonic() - start < 5
    assert (code, text) == (0, greedy(2)[:2])
    assert stderr == b"%d\n" % (128 + signal.SIGPIPE)


def test_a_closed_standard_file_does_no_harm(command):
    asked = [*command, "--prompt", PROMPT, "--max_new_tokens=5"]
    assert shell(asked, '"$@" 2>&-') == (0, greedy(5), b"")
    assert shell(asked, '"$@" 2>/dev/full') == (0, greedy(5), b"")
    assert shell(asked, '"$@" 2>&- 0<&-') == (0, greedy(5), b"")
    refused(shell(asked, '"$@" >&-'), "standard output is closed")
    assert shell(asked, '"$@" >&- 2>&-') == (1, b"", b"")
    refused(shell(asked, '"$@" > /dev/full'), "standard output cannot be written: No space left")
    refused(shell(command, '"$@" <&-'), "standard input is closed, and there is no --prompt")


def interrupt_after(command: list[str], output: int, wait: float = 0, **variables: str):
    """Interrupt once `output` bytes came and `wait` seconds passed: (seconds it took to end, code, text)."""
    with subprocess.Popen(
        command,
        bufsize=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**variables),
    ) as process:
        assert process.stdout
        text = b""
        while len(text) < output:
            text += process.stdout.read(output - len(text))
        time.sleep(wait)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        rest, stderr = process.communicate(timeout=30)
        seconds = time.monotonic() - start
    assert stderr == b""
    return seconds, process.returncode, text + rest


def test_an_interrupt_in_a_long_prefill_ends_it_within_a_second(command):
    asked = [*command, "--prompt", PROMPT, "--echo", "--max_new_tokens=1"]
    seconds, code, text = interrupt_after(asked, len(PROMPT), 0.5, KINA_TEST_PREFILL_SECONDS="20")
    assert seconds < 1
    assert (code, text) == (130, PROMPT.encode())


def test_an_interrupt_in_a_stream_keeps_whole_characters(command):
    asked = [*command, "--prompt", PROMPT, "--max_new_tokens=30"]
    whole = greedy(30)
    for output in (1, 4, 9):
        seconds, code, text = interrupt_after(asked, output, KINA_TEST_DECODE_SECONDS="0.1")
        assert seconds < 1
        assert code == 130
        assert whole.startswith(text)
        assert len(text) < len(whole)
        text.decode()


def test_an_interrupt_that_the_shell_ignores_is_ignored(command):
    """A command in the background of a script gets its interrupts ignored."""
    script = 'trap "" INT; "$@" & sleep 1; kill -INT $!; wait $!'
    asked = [*command, "--prompt", PROMPT, "--max_new_tokens=12"]
    code, text, _ = shell(asked, script, KINA_TEST_DECODE_SECONDS="0.15")
    assert (code, text) == (0, greedy(12))


def test_text_streams_as_it_comes(command):
    asked = [*command, "--prompt", PROMPT, "--max_new_tokens=30"]
    with subprocess.Popen(
        asked, stdout=subprocess.PIPE, env=environment(KINA_TEST_DECODE_SECONDS="0.1")
    ) as process:
        assert process.stdout
        first = process.stdout.read(1)
        assert process.poll() is None, "2.9 seconds of decoding are still to come"
        process.kill()
    assert greedy(30).startswith(first)


def test_an_error_of_our_own_is_one_line(command, tmp_path):
    """A program whose call fails in a way that nobody foresaw."""
    script = tmp_path / "broken.py"
    script.write_text(
        "import sys\n"
        "import kina.generation.generator as generator\n"
        "from kina.cli.main import main\n"
        "def load(path, threads=None):\n"
        "    raise RuntimeError('first\\nsecond')\n"
        "generator.load = load\n"
        "sys.exit(main())\n"
    )
    broken = [sys.executable, str(script), *command[2:], "--prompt", PROMPT]
    refused(
        run(broken), "internal error, KINA_TRACEBACK=1 shows where: RuntimeError: first second", 70
    )
    code, _, stderr = run(broken, KINA_TRACEBACK="1")
    assert code == 1
    assert b"Traceback" in stderr
