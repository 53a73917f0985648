"""`kina generate`: write text with a compiled model."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kina.cli import console
from kina.cli.main import UserError

if TYPE_CHECKING:
    from kina.generation.generator import TextStream
    from kina.generation.loop import Generation

VALUES = ("--prompt", "--stop")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of `kina generate`."""
    add = parser.add_argument
    parser.epilog = (
        "Greedy, and so the same text each time, unless --temperature, --top_k or --top_p is given. "
        "Standard output holds the generated text alone; one line of statistics goes to standard error."
    )
    add("--model", type=_path, metavar="FILE", help="the compiled model, a .so")
    add("--gguf", type=_path, metavar="FILE", help="the weights and the vocabulary")
    add("--prompt", metavar="TEXT", help="what to continue; standard input where it is not given")
    add("--max_new_tokens", type=_count, default=200, metavar="N", help="at most (default: 200)")
    add(
        "--greedy",
        action="store_true",
        help="take the best token each time, whatever else is given",
    )
    add("--temperature", type=float, metavar="T", help="divide the logits by T; 0 is greedy")
    add("--top_k", type=_count, metavar="K", help="draw from the K best tokens; 0 is all")
    add("--top_p", type=float, metavar="P", help="draw from the best tokens that sum to P, 0 to 1")
    add("--seed", type=_count, default=0, metavar="N", help="of the draws (default: 0)")
    add("--stop", action="append", default=[], metavar="TEXT", help="end before TEXT; repeatable")
    stream = parser.add_mutually_exclusive_group()
    stream.add_argument("--stream", action="store_true", help="write text as it comes (default)")
    stream.add_argument("--nostream", action="store_true", help="write it when it is complete")
    add("--echo", action="store_true", help="write the prompt before the text")
    add("--no_cache", action="store_true", help="compute the whole prefix anew for every token")
    add("--noparse_special", action="store_true", help="read control tokens in the prompt as text")
    add("--threads", type=_count, metavar="N", help="to compute with (default: every core)")


def run(arguments: argparse.Namespace) -> int:
    """Generate; the exit code. Raises UserError where the request cannot be served."""
    console.exit_on_interrupt()
    console.require_output()
    for flag in ("model", "gguf"):
        if getattr(arguments, flag) is None:
            raise UserError(f"--{flag} is missing")
    # Imported only now: NumPy and the tokenizer take a while, and Ctrl-C works meanwhile.
    from kina.generation.errors import GenerationError
    from kina.models.errors import ModelError
    from kina.runtime import LoadError

    try:
        stream = _stream(arguments)
        for piece in ["".join(stream)] if arguments.nostream else stream:
            console.write(piece)
    except (GenerationError, ModelError, LoadError) as error:
        raise UserError(str(error)) from error
    # On a terminal the text has left the cursor in its last line.
    console.complain(("\n" if os.isatty(1) else "") + statistics(stream.generation))
    return 0


def statistics(generation: Generation) -> str:
    """One line: tokens of the prompt, tokens made one by one, the speed of both, why it ended."""
    prompt = _rate(len(generation.prompt), generation.prefill_seconds)
    decode = _rate(generation.decode_steps, generation.decode_seconds)
    return f"prompt: {prompt}; decode: {decode}; end: {generation.reason}"


def _rate(tokens: int, seconds: float) -> str:
    return f"{tokens} tokens" + (f", {tokens / seconds:.1f} tokens/s" if seconds else "")


def _stream(arguments: argparse.Namespace) -> TextStream:
    from kina.generation.generator import load_generator
    from kina.generation.sampling import sampling_from
    from kina.runtime.threads import checked

    a = arguments
    temperature = 0.0 if a.greedy else a.temperature
    # Before anything is loaded, so that a bad number is reported at once.
    sampling_from(temperature, a.top_k, a.top_p, a.seed)
    try:
        checked(a.threads)
    except ValueError as error:
        raise UserError(f"--threads: {error}") from error
    prompt = _prompt(a.prompt)
    stream = load_generator(a.model, a.gguf, a.threads).stream(
        prompt,
        a.max_new_tokens,
        temperature=temperature,
        top_k=a.top_k,
        top_p=a.top_p,
        seed=a.seed,
        stop=a.stop,
        use_cache=not a.no_cache,
        parse_special=not a.noparse_special,
    )
    if a.echo:
        console.write(prompt)
    return stream


def _prompt(argument: str | None) -> str:
    """The prompt's text, from its flag or from standard input, which hold UTF-8 in any locale."""
    if argument is not None:
        where = "--prompt"
        try:
            data = os.fsencode(argument)
        except UnicodeEncodeError:  # not from the command line
            data = argument.encode(errors="surrogateescape")
    else:
        where = "standard input"
        if sys.stdin is None:
            raise UserError("standard input is closed, and there is no --prompt")
        try:
            data = sys.stdin.buffer.read()
        except OSError as error:
            raise UserError(f"standard input cannot be read: {error.strerror}") from error
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        byte = data[error.start]
        raise UserError(f"{where} is not UTF-8: byte 0x{byte:02x} at {error.start}") from error


def _path(text: str) -> Path:
    """A path as the user means it: `bazel run` starts in another folder than the user did."""
    meant = Path(os.environ.get("BUILD_WORKING_DIRECTORY", ""), text)
    return meant if meant.exists() else Path(text)


def _count(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of 0 or more")
    return value
