"""The thread count reaches the OpenMP runtime of the library, for every calling thread."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import small_programs as programs

import kina
from kina.codegen.tools import find_tools
from kina.runtime import Module


@pytest.fixture(scope="module")
def parallel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library whose `team()` tells how many threads a parallel region has."""
    folder = tmp_path_factory.mktemp("parallel")
    shutil.copy(find_tools().link.libomp, folder / "libomp.so")
    assert programs.team(folder / "x.so").needs_openmp
    return folder / "x.so"


@pytest.fixture(autouse=True)
def default_after() -> Iterator[None]:
    yield
    kina.set_threads(None)


def cores() -> int:
    return len(os.sched_getaffinity(0))


def test_every_core_unless_told_otherwise(parallel: Path) -> None:
    assert kina.load(parallel).team() == cores()


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_the_count_holds(parallel: Path, count: int) -> None:
    assert kina.load(parallel, threads=count).team() == count
    module = kina.load(parallel)
    module.set_threads(count)
    assert module.team() == count
    module.set_threads(None)
    kina.set_threads(count)
    assert module.team() == count


def test_a_library_of_its_own_mind(parallel: Path) -> None:
    one, other = kina.load(parallel, threads=1), kina.load(parallel)
    kina.set_threads(3)
    assert [one.team(), other.team(), one.team()] == [1, 3, 1]
    one.set_threads(None)
    assert one.team() == 3


def test_the_environment_does_not_decide(parallel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert kina.load(parallel, threads=2).team() == 2


def test_the_count_holds_in_every_calling_thread(parallel: Path) -> None:
    module = kina.load(parallel, threads=3)
    found: list[Any] = []
    workers = [threading.Thread(target=lambda: found.append(int(module.team()))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [3, 3, 3, 3]


def test_a_copy_elsewhere_works(parallel: Path, tmp_path: Path) -> None:
    folder = tmp_path / "moved"
    shutil.copytree(parallel.parent, folder)
    assert kina.load(folder / "x.so", threads=2).team() == 2


def test_another_openmp_runtime_in_the_process(parallel: Path, tmp_path: Path) -> None:
    # Intel's libiomp5, which NumPy with MKL brings, is LLVM's runtime under another name.
    runtime = (parallel.parent / "libomp.so").read_bytes()
    other = tmp_path / "libiomp5.so"
    other.write_bytes(runtime.replace(b"libomp.so\0", b"libimp.so\0"))
    load_other = f"import ctypes; other = ctypes.CDLL({str(other)!r}); other.omp_get_max_threads()"
    load_ours = f"import kina; ours = kina.load({str(parallel)!r}, threads=3); print(ours.team())"
    environment = {k: v for k, v in os.environ.items() if k != "KMP_DUPLICATE_LIB_OK"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    for script in (f"{load_other}; {load_ours}", f"{load_ours}; {load_other}; print(ours.team())"):
        result = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (result.returncode, set(result.stdout.split())) == (0, {"3"}), result.stderr


def test_a_program_without_parallel_code_takes_any_count(tmp_path: Path) -> None:
    module: Module = kina.load(programs.scale(tmp_path / "x.so", (4,), 3), threads=2)
    module.set_threads(4)
    assert module.scale(np.ones(4, "f"))[0] == 3


@pytest.mark.parametrize(
    ("count", "error", "says"),
    [
        (0, ValueError, "expected 1 to 256 threads, found 0"),
        (-1, ValueError, "expected 1 to 256 threads, found -1"),
        (257, ValueError, "expected 1 to 256 threads, found 257"),
        (2**40, ValueError, "expected 1 to 256 threads, found 1099511627776"),
        (1.0, TypeError, "expected a number of threads, found 1.0"),
        ("2", TypeError, "expected a number of threads, found '2'"),
        (True, TypeError, "expected a number of threads, found True"),
    ],
)
def test_what_is_no_count(parallel: Path, count: Any, error: type[Exception], says: str) -> None:
    module = kina.load(parallel, threads=2)
    for setter in (
        module.set_threads,
        kina.set_threads,
        lambda count: kina.load(parallel, threads=count),
    ):
        with pytest.raises(error) as caught:
            setter(count)
        assert str(caught.value) == says
    assert module.team() == 2


def test_the_largest_count_does_not_end_the_process(parallel: Path) -> None:
    assert kina.load(parallel, threads=256).team() >= 1
