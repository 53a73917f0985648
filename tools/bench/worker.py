"""What a benchmark asks of a system, and the loop that answers it on standard input and output.

The driver keeps one process per system and asks them in turn, so that a machine whose speed drifts
slows them alike. It must run in a peer's interpreter too: the standard library is all it imports.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TextIO


@dataclass(frozen=True)
class Request:
    """One measurement."""

    kind: str
    """`prefill` runs a prompt of `tokens`; `decode` runs `tokens` steps after a past of `past`."""
    tokens: int
    past: int
    threads: int


@dataclass(frozen=True)
class Answer:
    """What it took."""

    seconds: float
    resident_mib: float
    last_token: int
    """The best token at the end: systems that compute the same model agree on it."""


def resident_mib() -> float:
    """The most memory that this process has had resident, from the kernel's account."""
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


class System(Protocol):
    """A model that is measured."""

    name: str
    vocabulary: int

    def set_threads(self, count: int) -> None:
        """Compute with `count` threads from now on."""

    def new_cache(self) -> Any:
        """A cache without a token in it."""

    def best_token(self, tokens: list[int], cache: Any) -> int:
        """Append `tokens` to the cache; the most probable token after them."""


def measure(system: System, request: Request) -> tuple[float, int]:
    """The seconds that a request took, and the last token."""
    system.set_threads(request.threads)
    cache = system.new_cache()
    size = request.tokens if request.kind == "prefill" else request.past
    # Any ids do, if every system gets the same.
    prompt = [(i * 7919 + 104729) % system.vocabulary for i in range(size)]
    start = time.perf_counter()
    token = system.best_token(prompt, cache)
    if request.kind == "decode":
        start = time.perf_counter()
        for _ in range(request.tokens):
            token = system.best_token([token], cache)
    return time.perf_counter() - start, token


def serve(system: System) -> None:
    """Say the name, then answer each line of standard input; what the system itself prints goes to standard error."""
    answers: TextIO = sys.stdout
    sys.stdout = sys.stderr
    print(system.name, file=answers, flush=True)
    for line in sys.stdin:
        seconds, token = measure(system, Request(**json.loads(line)))
        print(json.dumps(asdict(Answer(seconds, resident_mib(), token))), file=answers, flush=True)
