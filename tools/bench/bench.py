"""Measure generation with SmolLM2 in float32 against PyTorch, in turn, on this machine.

    ./bazelw run //tools/bench -- --peers=PYTHON

prints a table of medians and ratios, and the same as JSON with `--json=FILE`. PYTHON is an interpreter that has
torch; several may be given, with commas between them. Every figure is a median over `--rounds` rounds, each of
which asks every system the same question in turn: ratios hold even where the machine's speed drifts.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import worker

from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.compiler import compile_program
from kina.models.checkpoint import fields
from kina.models.config import LlamaConfig, read_config
from kina.models.gguf_header import read_header
from kina.models.weights import load_weights

HERE = Path(__file__).resolve().parent
MIB = 1 << 20


@dataclass(frozen=True)
class System:
    """A system under measurement, as a process that answers requests."""

    name: str
    process: subprocess.Popen[str]

    def ask(self, request: worker.Request) -> worker.Answer:
        """One measurement."""
        assert self.process.stdin is not None
        print(json.dumps(asdict(request)), file=self.process.stdin, flush=True)
        return worker.Answer(**json.loads(self._line()))

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"bench: {self.name} stopped; what it said is above")
        return line


@contextmanager
def started(command: list[str], env: Mapping[str, str]) -> Iterator[System]:
    """A system that is ready for requests, and is ended at the end."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(env)
        )
    except OSError as problem:
        sys.exit(f"bench: {command[0]} cannot be run: {problem.strerror}")
    system = System(command[0], process)
    try:
        yield replace(system, name=system._line().strip())
    finally:
        process.kill()
        process.wait()


def read_bandwidth(threads: int) -> float:
    """Bytes per second that `threads` threads read from memory: the best of several passes."""
    parts = [np.ones(48 * MIB, np.float64) for _ in range(threads)]

    def one_pass() -> float:
        workers = [threading.Thread(target=np.max, args=(part,)) for part in parts]
        start = time.perf_counter()
        for one in workers:
            one.start()
        for one in workers:
            one.join()
        return time.perf_counter() - start

    return sum(part.nbytes for part in parts) / min(one_pass() for _ in range(7))


def write_weights(gguf: str, folder: Path) -> tuple[LlamaConfig, int]:
    """The float32 weights as raw files for a peer; the configuration and the weights' bytes."""
    header = read_header(gguf)
    config = read_config(header)
    arrays = dict(fields(load_weights(header, config)))
    for name, array in arrays.items():
        array.tofile(folder / name)
    described = {
        "config": asdict(config),
        "shapes": {name: array.shape for name, array in arrays.items()},
    }
    (folder / "weights.json").write_text(json.dumps(described))
    return config, sum(array.nbytes for array in arrays.values())


@dataclass(frozen=True)
class Row:
    """One figure: tokens per second of every system, medians over the rounds."""

    kind: str
    threads: int
    tokens_per_second: dict[str, float]
    ratios: dict[str, float]
    """Kina's speed over that of each peer: the median of the ratios within each round."""


def measure(systems: list[System], rounds: int, threads: list[int], steps: int) -> Iterator[Row]:
    """Every figure; the systems take turns within every round."""
    for count in threads:
        for kind, tokens, past in (("decode", steps, 16), ("prefill", 512, 0)):
            request = worker.Request(kind, tokens, past, count)
            for system in systems:  # once without counting, so that pages and pools are there
                system.ask(request)
            speeds: dict[str, list[float]] = {system.name: [] for system in systems}
            for _ in range(rounds):
                answers = {system.name: system.ask(request) for system in systems}
                if len({answer.last_token for answer in answers.values()}) > 1:
                    print(f"bench: the systems disagree on {request}: {answers}", file=sys.stderr)
                for name, answer in answers.items():
                    speeds[name].append(tokens / answer.seconds)
            kina, *peers = speeds
            yield Row(
                kind,
                count,
                {name: statistics.median(values) for name, values in speeds.items()},
                {
                    peer: statistics.median(a / b for a, b in zip(speeds[kina], speeds[peer]))
                    for peer in peers
                },
            )


def compile_seconds(source: Path) -> float:
    """From `.kina` to `.so`, once."""
    with tempfile.TemporaryDirectory(prefix="kina-bench-") as folder:
        start = time.perf_counter()
        compile_program(source, Path(folder) / "model.so", target(), find_tools())
        return time.perf_counter() - start


def main() -> None:
    """Measure, print, and write the JSON where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prog="bench")
    parser.add_argument("--peers", default="", metavar="PYTHON,..", help="interpreters with torch")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: 5")
    parser.add_argument("--threads", default="1,2", metavar="N,..", help="default: 1,2")
    parser.add_argument("--steps", type=int, default=24, metavar="N", help="decoded (default: 24)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    for name in ("library", "gguf", "source"):
        parser.add_argument(f"--{name}", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    threads = [int(count) for count in options.threads.split(",")]

    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kina-bench-")))
        config, weight_bytes = write_weights(options.gguf, folder)
        worker_command = [sys.executable, str(HERE / "kina_worker.py")]
        systems = [
            stack.enter_context(started([*worker_command, options.library, options.gguf], env))
        ]
        for python in filter(None, options.peers.split(",")):
            command = [python, str(HERE / "torch_worker.py"), str(folder)]
            peer_env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
            systems.append(stack.enter_context(started(command, peer_env)))
        rows = list(measure(systems, options.rounds, threads, options.steps))
        memory = {
            system.name: system.ask(worker.Request("decode", 1, 1, 1)).resident_mib
            for system in systems
        }
    most = max(threads)
    bandwidth = read_bandwidth(most)
    decode = next(r for r in rows if (r.kind, r.threads) == ("decode", most))
    cache_bytes = 2 * 4 * config.n_layers * config.n_kv_heads * config.head_dim * 512
    report = {
        "rows": [asdict(row) for row in rows],
        "resident_mib": memory,
        "weights_and_cache_mib": (weight_bytes + cache_bytes) / MIB,
        "compile_seconds": compile_seconds(Path(options.source)),
        "read_gigabytes_per_second": bandwidth / 1e9,
        "decode_share_of_bandwidth": decode.tokens_per_second["kina"] * weight_bytes / bandwidth,
    }
    print_table(rows, report)
    if options.json:
        path = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "")) / options.json
        path.write_text(json.dumps(report, indent=1) + "\n")


def print_table(rows: list[Row], report: Mapping[str, object]) -> None:
    """The figures for a person."""
    names = list(rows[0].tokens_per_second)
    head = ["tokens per second", "threads", *names, *(f"kina / {name}" for name in names[1:])]
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        speeds = [f"{row.tokens_per_second[name]:.1f}" for name in names]
        ratios = [f"{ratio:.2f}" for ratio in row.ratios.values()]
        print("| " + " | ".join([row.kind, str(row.threads), *speeds, *ratios]) + " |")
    print()
    for name, value in report.items():
        if name != "rows":
            print(f"{name}: {value}")


if __name__ == "__main__":
    main()
