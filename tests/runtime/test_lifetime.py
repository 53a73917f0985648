"""Many calls, many libraries, many threads: what stays, and what a call leaves behind."""

from __future__ import annotations

import gc
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import small_programs as programs

import kina
from kina.runtime import CallError, Module


def resident() -> int:
    """Bytes of this process that are in memory."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096


def growth(call: Callable[[], object], times: int = 10_000) -> int:
    """How much memory `times` calls take beyond the first hundred."""
    for _ in range(100):
        call()
    gc.collect()
    before = resident()
    for _ in range(times):
        call()
    gc.collect()
    return resident() - before


def test_ten_thousand_calls_keep_no_memory(tmp_path: Path) -> None:
    module = kina.load(programs.scale(tmp_path / "x.so", (64, 64), 3))
    x = np.ones((64, 64), np.float32)
    fortran = np.asfortranarray(x)
    assert growth(lambda: (module.scale(x), module.scale(fortran))) < 1 << 20


def test_refused_calls_keep_no_memory(tmp_path: Path) -> None:
    module = kina.load(programs.cache(tmp_path / "x.so"))
    buffer, row = np.zeros((4, 3), np.float32), np.ones(3, np.float32)

    def refused() -> None:
        for arguments in (
            (buffer, 4, row),
            (buffer, 0, buffer[0]),
            (buffer, 0, row.astype("f8")),
            (buffer, 0),
        ):
            with pytest.raises(CallError):
                module.push(*arguments)

    assert growth(refused, 2_500) < 1 << 20


def test_a_call_keeps_no_argument_alive(tmp_path: Path) -> None:
    import weakref

    module = kina.load(programs.scale(tmp_path / "x.so", (4,), 3))
    x = np.ones(4, np.float32)
    alive = weakref.ref(x)
    result = module.scale(x)
    del x
    gc.collect()
    assert alive() is None
    assert result[0] == 3


@pytest.fixture
def libraries(tmp_path: Path) -> list[tuple[Module, int, tuple[int, ...]]]:
    """Programs whose one signature has the same name: two, and a copy of the first."""
    one = programs.scale(tmp_path / "one.so", (4,), 3)
    two = programs.scale(tmp_path / "two.so", (2, 3), 5)
    (tmp_path / "copies").mkdir()
    copy = Path(shutil.copy(one, tmp_path / "copies" / "one.so"))
    return [
        (kina.load(one), 3, (4,)),
        (kina.load(two), 5, (2, 3)),
        (kina.load(copy), 3, (4,)),
    ]


def check(module: Module, factor: int, shape: tuple[int, ...], start: int) -> None:
    x = np.arange(start, start + int(np.prod(shape)), dtype=np.float32).reshape(shape)
    np.testing.assert_array_equal(module.scale(x), factor * x)


def test_equal_names_in_several_libraries(
    libraries: list[tuple[Module, int, tuple[int, ...]]],
) -> None:
    for start in range(10):
        for module, factor, shape in libraries:
            check(module, factor, shape, start)
    with pytest.raises(CallError, match=r"expected F32\[4\], found F32\[2, 3\]"):
        libraries[0][0].scale(np.ones((2, 3), "f"))


def test_equal_names_from_four_threads(
    libraries: list[tuple[Module, int, tuple[int, ...]]],
) -> None:
    start = threading.Barrier(4)

    def work(number: int) -> None:
        start.wait()
        for i in range(500):
            check(*libraries[(i + number) % 3], start=1000 * number + i)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))


SPIN = """
// spin(n) takes n steps, each of which needs the one before
func.func @spin(%n: memref<i64>, %sum: memref<i64>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n64 = memref.load %n[] : memref<i64>
  %end = arith.index_cast %n64 : i64 to index
  %total = scf.for %i = %c0 to %end step %c1 iter_args(%acc = %zero) -> i64 {
    memref.store %acc, %sum[] : memref<i64>
    %x = arith.index_cast %i : index to i64
    %seen = memref.load %sum[] : memref<i64>
    %rolled = arith.xori %seen, %x : i64
    %next = arith.muli %rolled, %x : i64
    scf.yield %next : i64
  }
  memref.store %total, %sum[] : memref<i64>
  return
}
"""


def test_other_threads_run_during_a_call(tmp_path: Path) -> None:
    from kina.abi import Parameter, Result, Signature

    signature = Signature("spin", (Parameter("n", "I64", ()),), (Result("I64", ()),))
    programs.build(SPIN, programs.manifest(signature), tmp_path / "x.so")
    module = kina.load(tmp_path / "x.so")
    done = threading.Event()
    worker = threading.Thread(target=lambda: (module.spin(200_000_000), done.set()))
    worker.start()
    ticks = 0
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    worker.join()
    # Without the interpreter's lock given up, this thread would have had a turn or two.
    assert ticks > 20


def test_denormals_stay_in_and_after_a_call(tmp_path: Path) -> None:
    module = kina.load(programs.scale(tmp_path / "x.so", (1,), 1))
    tiny = np.array([1e-40], np.float32)

    def times_one() -> Any:
        return tiny * np.float32(1)

    before = times_one()
    inside = module.scale(tiny)
    after = times_one()
    # 1e-40 is 71362 steps of 2^-149, the smallest denormal: 1e-40 / 2**-149 = 71362.38.
    assert before.view(np.int32) == inside.view(np.int32) == after.view(np.int32) == 71362
