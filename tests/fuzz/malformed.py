"""Text of any kind, to the compiler: it compiles, or is refused in one message that is well formed.

    bazel run //tests/fuzz:malformed -- --cases=1000000 --minutes=60 --seed=7

Each case is checked as `kina check` does it and, where nothing is wrong with it, lowered as `kina emit` does;
`mlir-opt` verifies what some of these become. Anything else than that is a fault, which is made as small as it
goes and shown: another exception, a message of another form, more than 20 seconds of processor time, more than
4 GB of memory.
"""

from __future__ import annotations

import argparse
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from mutants import Mutants, corpus, neighbours

from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.elaborate import elaborate
from kina.emit import emit_one
from kina.syntax.source import KinaError

# Not resolved: in a test target's folder this file is a link into the checkout.
ROOT = Path(__file__).absolute().parents[2]
SECONDS = 20
"""Of processor time for one case; all but a few take milliseconds."""
MEMORY = 4 << 30
"""Bytes of address space for all cases; the compiler takes a tenth of it."""
ROUND = 500
VERIFIED = 20
"""One in so many of the modules that come out is verified."""

_HEAD = re.compile(
    r".+:[1-9]\d*:[1-9]\d*: (error|note): \S.*|note: \S.*|\.\.\. and \d+ more errors?"
)
_INTERNAL = re.compile(
    r"Traceback|NoneType|<class |object at 0x|xdsl|tensor<|kina\.[a-z]+ |func\.func"
)


class Slow(BaseException):
    """A case has taken too long; no handler of the compiler takes it for its own."""


@dataclass
class Outcome:
    """What became of the cases."""

    refused: int = 0
    compiled: int = 0
    modules: list[str] = field(default_factory=list)


def malformed(message: str) -> str | None:
    """What is wrong with the form of a message, or None: see programs.md, Diagnostics."""
    lines = message.split("\n")
    if not re.fullmatch(r".+:\d+:\d+: error: \S.*", lines[0]):
        return f"the message begins with {lines[0]!r}"
    for line in lines:
        if not (_HEAD.fullmatch(line) or line.startswith("  ")):
            return f"a line of the message is {line!r}"
        if not all(c.isprintable() or c == "\t" for c in line):
            return f"a line of the message has control characters: {line!r}"
        if not line.startswith("  ") and (found := _INTERNAL.search(line)):
            return f"the message has {found.group()!r}: {line!r}"
    message.encode("utf-8")
    return None


def judge(text: bytes, source: Path, outcome: Outcome) -> str | None:
    """What is wrong with what the compiler does to a text, or None."""
    source.write_bytes(text)
    try:
        with _limited(SECONDS):
            exports = elaborate(source)
            emitted = [emit_one(export, target()).module for export in exports]
    except KinaError as problem:
        outcome.refused += 1
        return malformed(str(problem))
    except Slow:
        return f"it takes more than {SECONDS} seconds"
    except Exception as problem:
        place = problem.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else ""
        return f"{type(problem).__name__}: {problem} ({where})"
    outcome.compiled += 1
    outcome.modules += emitted
    return None


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Ends what takes more than so many seconds of this process."""

    def late(*_: object) -> None:
        raise Slow

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def search(number: int, count: int, texts: Sequence[bytes], folder: Path) -> str | None:
    """The smallest faulty case of a seed, with what is wrong, or None; prints what became of all."""
    source, outcome = folder / "mutant.kina", Outcome()
    found: str | None = None

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(Mutants(texts))
    def look(text: bytes) -> None:
        nonlocal found
        problem = judge(text, source, outcome)
        if problem is not None:
            found = f"{problem}\n{text.decode('utf-8', 'backslashreplace')}"
            raise AssertionError(problem)

    try:
        look()
    except AssertionError:
        return found
    print(f"seed {number}: {outcome.refused} refused, {outcome.compiled} compiled", flush=True)
    return refused_by_mlir(outcome.modules[::VERIFIED])


def refused_by_mlir(modules: Sequence[str]) -> str | None:
    """What `mlir-opt` has against modules, or None."""
    done = subprocess.run(
        [find_tools().code.mlir_opt, "--split-input-file", "-o", "/dev/null"],
        input="\n// -----\n".join(modules),
        text=True,
        capture_output=True,
        check=False,
    )
    return None if done.returncode == 0 else f"mlir-opt refuses a module:\n{done.stderr[:2000]}"


def main(argv: Sequence[str] | None = None) -> int:
    """Search; 0 where nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=sys.maxsize, help="how many texts")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="how long at most")
    parser.add_argument("--seed", type=int, default=0, help="where to begin; rounds count up")
    a = parser.parse_args(argv)
    if a.cases == sys.maxsize and a.minutes == float("inf"):
        a.cases = ROUND
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    until, texts, faults = time.monotonic() + 60 * a.minutes, corpus(ROOT), 0
    with tempfile.TemporaryDirectory(prefix="kina-fuzz-") as folder:
        neighbours(ROOT, Path(folder))
        for tried in range(0, a.cases, ROUND):
            number, count = a.seed + tried // ROUND, min(ROUND, a.cases - tried)
            found = search(number, count, texts, Path(folder))
            if found is not None:
                faults += 1
                print(f"seed {number}: {found}", flush=True)
            if time.monotonic() > until:
                break
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
