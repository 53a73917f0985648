"""One cache of build results serves every machine: what one has built and tested, no other does again.

KINA_CACHE_TARGETS names other targets than those here, as `//...`.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from nested import Spawn, nested_bazel, scratch
from served import SERVE, Cache, answer, free_port, served

# Every program and its goldens, hosts in C++, and tests of each kind that take seconds.
TARGETS = os.environ.get(
    "KINA_CACHE_TARGETS",
    "//kina/... //tests:generate //tests:types //tests/cc/... //tests/dialect/... //tests/rules/... //tests/syntax/...",
).split()
KEY = "0123456789abcdef" * 4


@dataclass(frozen=True)
class Runs:
    """Two runs on two machines, by their execution logs."""

    first: list[Spawn]
    second: list[Spawn]
    stored: list[str]
    """What the cache held after the first."""
    stored_later: list[str]


@pytest.fixture(scope="module")
def cache() -> Iterator[Cache]:
    with scratch() as folder, served(folder / "cache") as cache:
        yield cache


@pytest.fixture(scope="module")
def runs(cache: Cache) -> Iterator[Runs]:
    with scratch() as folder:
        one, other = folder / "one", folder / "other"
        spawns, stored = [], []
        elsewhere = {
            "HOME": str(other),
            "USER": "somebody-else",
            "TMPDIR": str(other),
            "PATH": f"{other}:{os.environ['PATH']}",
            "LANG": "tr_TR.UTF-8",
            "LC_ALL": "tr_TR.UTF-8",
            "TZ": "Asia/Kathmandu",
            "KINA_REMOTE_CACHE": cache.read,
        }
        for place, environment, config in [
            (one, {"KINA_REMOTE_CACHE": cache.write}, "ci-upload"),
            (other, elsewhere, "ci"),
        ]:
            place.mkdir()
            bazel = nested_bazel(place, environment)
            start = time.monotonic()
            try:
                found, report = bazel.logged("test", f"--config={config}", *TARGETS)
            finally:
                bazel.shutdown()
            assert "WARNING: Reading from Remote Cache" not in report
            assert "WARNING: Writing to Remote Cache" not in report
            spawns.append(found)
            stored.append(cache.entries("ac"))
            seconds = time.monotonic() - start
            print(f"--config={config}: {seconds:.0f} s, {dict(Counter(s.runner for s in found))}")
        yield Runs(*spawns, *stored)


def test_the_second_machine_runs_nothing(runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    assert not [s for s in runs.first if s.runner == "remote cache hit"]
    again = [(s.mnemonic, s.listed_outputs) for s in runs.second if s.runner != "remote cache hit"]
    assert again == []
    mnemonics = Counter(s.mnemonic for s in runs.second)
    with capsys.disabled():
        print(f"\n{len(runs.second)} from the cache, 0 run: {dict(mnemonics)}")
    assert mnemonics == Counter(s.mnemonic for s in runs.first)
    # kina/BUILD.bazel and kina/models/BUILD.bazel: a program is emitted and linked once.
    assert {"KinaEmit", "KinaObject", "KinaLink", "TestRunner"} <= mnemonics.keys()
    assert mnemonics["KinaEmit"] >= mnemonics["KinaLink"] >= 3


def test_what_comes_from_the_cache_is_what_was_built(runs: Runs) -> None:
    # A test's log tells of times, so it is one machine's: the other has that one.
    first, second = (
        {p: d for s in found for p, d in s.outputs.items()} for found in (runs.first, runs.second)
    )
    assert first == second


def test_only_uploading_runs_write(runs: Runs) -> None:
    assert runs.stored == runs.stored_later
    assert len(runs.stored) == len(runs.first)


def test_whoever_reads_cannot_write(cache: Cache) -> None:
    for kind in ("ac", "cas"):
        assert answer(f"{cache.read}/{kind}/{KEY}", "PUT", b"x")[0] == 403
        assert answer(f"{cache.read}/{kind}/{KEY}")[0] == 404
        assert answer(f"{cache.read}/{kind}/{KEY}", "DELETE")[0] == 403


def test_what_is_written_is_read(cache: Cache) -> None:
    url = f"/cas/{KEY[::-1]}"
    assert answer(cache.write + url, "PUT", b"some bytes")[0] == 201
    assert answer(cache.read + url) == (200, b"some bytes")
    assert answer(cache.write + url, "PUT", b"other bytes")[0] == 204
    assert answer(cache.read + url) == (200, b"other bytes")
    assert answer(cache.write + url, "DELETE")[0] == 403


@pytest.mark.parametrize(
    "path", ["/", "/ac/", "/ac/12", f"/ac/{KEY}0", f"/tmp/{KEY}", "/ac/../nginx.conf"]
)
def test_nothing_else_is_served(path: str, cache: Cache) -> None:
    assert answer(cache.write + path)[0] in (400, 404)
    assert answer(cache.write + path, "PUT", b"x")[0] in (400, 403, 404, 405)


def test_no_action_without_results_is_stored(cache: Cache) -> None:
    # Bazel would take it for an action that succeeded. An empty file is a file.
    assert answer(f"{cache.write}/ac/{KEY}", "PUT", b"")[0] == 400
    assert answer(f"{cache.write}/ac/{KEY}")[0] == 404
    assert answer(f"{cache.write}/cas/{KEY}", "PUT", b"")[0] == 201


def test_a_crash_leaves_no_action_without_results(tmp_path: Path) -> None:
    # As a file is left whose text was still in memory when the machine stopped.
    store = tmp_path / "store/ac"
    store.mkdir(parents=True)
    (store / KEY).touch()
    with served(tmp_path) as cache:
        assert answer(f"{cache.read}/ac/{KEY}")[0] == 404
        again = [str(SERVE), f"--folder={tmp_path}", f"--read=127.0.0.1:{free_port()}"]
        assert said(*again, f"--write=127.0.0.1:{free_port()}") == (
            f"serve: another cache serves from {tmp_path}"
        )
        used = cache.read.removeprefix("http://")
        assert said(str(SERVE), f"--read={used}") == f"serve: something else serves at {used}"


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("--port=1", "serve: unknown argument --port=1; --help lists those there are"),
        ("--read=8080", "serve: 8080 is not ADDRESS:PORT"),
        (
            "--read=127.0.0.1:1 --write=127.0.0.1:1",
            "serve: --read and --write need an address each",
        ),
        ("--folder=/proc/cache", "serve: cannot make the folder /proc/cache"),
    ],
)
def test_what_serve_refuses(argument: str, message: str) -> None:
    free = [f"--read=127.0.0.1:{free_port()}", f"--write=127.0.0.1:{free_port()}"]
    assert said(str(SERVE), *free, *argument.split()) == message


def said(*command: str) -> str:
    """The one line that a command which refuses writes."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    return done.stderr.strip()
