"""A cache that is down, slow, full or wrong costs time and no more: the build says so, and makes what it makes alone."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from faulty_cache import Answer, Fault, Request, faulty, garbage
from nested import Bazel, nested_bazel, repository_flags, scratch
from served import Cache, free_port, served

TARGET = "//kina:storylm0_generate_so"
ACTIONS = 6  # one emit, four signatures, one link: kina/BUILD.bazel


@pytest.fixture(scope="module")
def bazel() -> Iterator[Bazel]:
    with scratch() as folder:
        bazel = nested_bazel(folder)
        # For tools/ci/test.sh, which calls Bazel as anybody does.
        with (bazel.workspace / ".bazelrc").open("a", encoding="utf-8") as rc:
            rc.write(f"\nstartup --output_user_root={bazel.output_root}\n")
        yield bazel
        bazel.shutdown()


@pytest.fixture(scope="module")
def right(bazel: Bazel) -> dict[str, str]:
    """The digests of what the build makes without a cache."""
    spawns = bazel.spawns("build", TARGET)
    assert len(spawns) == ACTIONS
    return {path: digest for spawn in spawns for path, digest in spawn.outputs.items()}


@pytest.fixture(scope="module")
def filled(bazel: Bazel, right: dict[str, str]) -> Iterator[Cache]:
    """A cache that knows every action of the target."""
    with scratch() as folder, served(folder / "cache") as cache:
        bazel.run("clean")
        bazel.run("build", "--config=ci-upload", f"--remote_cache={cache.write}", TARGET)
        assert len(cache.entries("ac")) == ACTIONS
        yield cache


def build(
    bazel: Bazel, url: str, right: dict[str, str], config: str = "ci-upload"
) -> tuple[int, str]:
    """Build anew with a cache: how many actions ran here, and what Bazel reports. The results are right."""
    bazel.run("clean")
    flags = [f"--config={config}", f"--remote_cache={url}", "--remote_timeout=1s"]
    spawns, report = bazel.logged("build", *flags, TARGET)
    assert {path: digest for s in spawns for path, digest in s.outputs.items()} == right
    return sum(s.runner != "remote cache hit" for s in spawns), report


READING = "WARNING: Reading from Remote Cache:"
WRITING = "WARNING: Writing to Remote Cache:"


def files(change: Fault) -> Fault:
    """A fault of the files alone, what actions made being answered rightly."""
    return lambda request: change(request) if request.is_file else request.good


UNKNOWING: dict[str, tuple[Fault, tuple[str, ...]]] = {
    "silent": (lambda request: None, (READING, WRITING)),
    "out of order": (lambda request: Answer(500, b"out of order"), (READING, WRITING)),
    "full": (
        lambda request: request.good if request.method == "GET" else Answer(507, b"full"),
        (WRITING,),
    ),
    "garbage": (lambda request: Answer(200, garbage(300)), (READING,)),
    "a page to log in": (lambda request: Answer(200, b"<html>Please log in.</html>"), (READING,)),
}

KNOWING: dict[str, tuple[Fault, tuple[str, ...]]] = {
    "entries cut short": (
        lambda r: r.good if r.is_file or r.good.status != 200 else Answer(200, r.good.body[:-5]),
        (READING,),
    ),
    "other bytes of the same length": (
        files(lambda r: Answer(200, os.urandom(len(r.good.body)))),
        (READING, "does not match"),
    ),
    "files cut short": (
        files(lambda r: Answer(200, r.good.body[:-1])),
        (READING, "does not match"),
    ),
    "connections cut": (
        files(lambda r: Answer(200, r.good.body[: len(r.good.body) // 2], len(r.good.body))),
        (READING,),
    ),
    "files gone": (files(lambda r: Answer(404)), ()),
}


def test_a_good_cache(bazel: Bazel, right: dict[str, str], filled: Cache) -> None:
    # That the others fail is then for their faults.
    ran, report = build(bazel, filled.read, right, "ci")
    assert ran == 0
    assert "Remote Cache" not in report


def test_down(bazel: Bazel, right: dict[str, str]) -> None:
    ran, report = build(bazel, f"http://127.0.0.1:{free_port()}", right)
    assert ran == ACTIONS
    assert READING in report and WRITING in report and "Connection refused" in report


@pytest.mark.parametrize("what", UNKNOWING)
def test_faults_of_a_cache_that_knows_nothing(
    what: str, bazel: Bazel, right: dict[str, str]
) -> None:
    fault, warnings = UNKNOWING[what]
    with faulty(fault, None) as cache:
        ran, report = build(bazel, cache.url, right)
    assert ran == ACTIONS
    assert cache.requests
    for warning in warnings:
        assert warning in report


@pytest.mark.parametrize("what", KNOWING)
def test_faults_of_a_cache_that_knows_it_all(
    what: str, bazel: Bazel, right: dict[str, str], filled: Cache
) -> None:
    fault, warnings = KNOWING[what]
    with faulty(fault, filled.read) as cache:
        ran, report = build(bazel, cache.url, right, "ci")
    assert ran == ACTIONS
    assert not [request for request in cache.requests if not request.startswith("GET")]
    for warning in warnings:
        assert warning in report


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a file system")
def test_a_full_disk(bazel: Bazel, right: dict[str, str], tmp_path: Path) -> None:
    # 48 KiB hold the first of the files that the target makes.
    mount = 'mount -t tmpfs -o size=48k none "$0" && exec "$@"'
    launcher = ("unshare", "--mount", "sh", "-c", mount, str(tmp_path))
    with served(tmp_path, launcher) as cache:
        ran, report = build(bazel, cache.write, right)
        assert ran == ACTIONS
        assert WRITING in report
        ran, report = build(bazel, cache.read, right, "ci")
        assert 0 < ran <= ACTIONS


def test_who_may_not_write_is_told(bazel: Bazel, right: dict[str, str], filled: Cache) -> None:
    bazel.run("clean")
    flags = ["--config=ci-upload", f"--remote_cache={filled.read}", "--noremote_accept_cached"]
    spawns, report = bazel.logged("build", *flags, TARGET)
    assert {path: digest for s in spawns for path, digest in s.outputs.items()} == right
    assert WRITING in report


def script(bazel: Bazel, url: str | None, minutes: str = "5") -> tuple[str, dict[str, str]]:
    """What tools/ci/test.sh reports of a build and test, and the digests that it leaves."""
    bazel.run("clean")
    environment = {**bazel.environment, "KINA_CACHE_MINUTES": minutes}
    if url:
        environment["KINA_REMOTE_CACHE"] = url
    log = bazel.output_root / "script.json"
    done = subprocess.run(
        [
            str(bazel.workspace / "tools/ci/test.sh"),
            *repository_flags(),
            "--build_event_json_file",
            str(log),
            "//kina:greedy_one_golden",
            TARGET,
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "//kina:greedy_one_golden" in done.stdout + done.stderr
    made = bazel.logged("build", "--remote_cache=", TARGET)[0]
    assert not made  # everything is there
    return done.stderr, hashes(bazel)


def hashes(bazel: Bazel) -> dict[str, str]:
    root = Path(bazel.run("info", "execution_root").strip())
    found = bazel.run("info", "bazel-bin").strip()
    names = sorted(Path(found, "kina/storylm0_generate_so").glob("*storylm0*"))
    listed = subprocess.run(
        ["sha256sum", *map(str, names)], capture_output=True, text=True, check=True
    ).stdout
    pairs = (line.split(maxsplit=1) for line in listed.splitlines())
    return {os.path.relpath(path, root): digest for digest, path in pairs}


AGAIN = "With the cache the build failed or took too long: once more without it."


def without_results(request: Request) -> Answer:
    """Entries that tell of no outputs, as a store has them that lost its files' text."""
    if request.is_file or request.good.status != 200:
        return request.good
    return Answer(200)


def drop_by_drop(request: Request) -> Answer:
    """Two bytes in a second: no pause is long enough to be taken for an end."""
    if not request.is_file:
        return request.good
    return Answer(request.good.status, request.good.body, seconds_per_byte=0.5)


@pytest.mark.parametrize(
    ("fault", "minutes"), [(without_results, "5"), (drop_by_drop, "0.2")], ids=["empty", "slow"]
)
def test_ci_does_without_a_cache_that_keeps_it_from_building(
    fault: Fault, minutes: str, bazel: Bazel, right: dict[str, str], filled: Cache
) -> None:
    with faulty(fault, filled.read) as cache:
        report, made = script(bazel, cache.url, minutes)
    assert AGAIN in report.splitlines()
    assert made and made.items() <= right.items()


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (lambda request: Answer(200), "it answers 200 for what nobody has stored"),
        (lambda request: Answer(503), "it answers 503 Service Unavailable"),
        (lambda request: None, "no answer within 5 seconds"),
    ],
    ids=["all empty", "out of order", "silent"],
)
def test_ci_does_not_ask_what_is_no_cache(
    fault: Fault, problem: str, bazel: Bazel, right: dict[str, str]
) -> None:
    with faulty(fault, None) as cache:
        report, made = script(bazel, cache.url)
    lines = [line for line in report.splitlines() if line.startswith("bazel: ")]
    assert lines == [f"bazel: building without the cache that KINA_REMOTE_CACHE names: {problem}"]
    assert len(cache.requests) == 1
    assert AGAIN not in report
    assert made and made.items() <= right.items()


def test_ci_with_a_good_cache(bazel: Bazel, right: dict[str, str], filled: Cache) -> None:
    report, made = script(bazel, filled.read)
    assert not [line for line in report.splitlines() if line.startswith("bazel: ")]
    hits = re.search(r"(\d+) remote cache hit", report)
    assert hits and int(hits[1]) >= ACTIONS
    assert made and made.items() <= right.items()


def test_a_config_without_a_cache_says_so(bazel: Bazel) -> None:
    report = bazel.call("build", "--config=ci", "--nobuild", TARGET).stderr
    assert (
        "bazel: no cache of build results: neither KINA_REMOTE_CACHE nor --remote_cache names one"
        in report.splitlines()
    )
