"""Calling what the compiler makes of `.kina` text: cases that need a real program."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from compiling import compile_text

from kina.runtime import CallError, Module
from kina.runtime.descriptors import DescriptorBlock

LOOK = """
fn look(table: F32[8, 2], ids: I64[3]) -> F32[3, 2] { return gather(table, ids) }
export look
"""


def call_through_c(module: Module, name: str, *arrays: np.ndarray[Any, Any]) -> None:
    """Call the C symbol with no check of the host's in between."""
    block, pointers = DescriptorBlock([a.shape for a in arrays]).fill(
        [a.ctypes.data for a in arrays]
    )
    function = ctypes.CDLL(str(module.path))[f"_mlir_ciface_{name}"]
    function.argtypes = [ctypes.c_void_p] * len(arrays)
    function.restype = None
    function(*pointers)
    del block


def guarded(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy that ends where a page that cannot be read begins, with such a page before it."""
    page = mmap.PAGESIZE
    size = -(-array.nbytes // page) * page
    memory = mmap.mmap(-1, size + 2 * page)
    base = np.frombuffer(memory, np.uint8).ctypes.data
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    for start in (base, base + page + size):
        assert protect(ctypes.c_void_p(start), ctypes.c_size_t(page), 0) == 0  # PROT_NONE
    copy = np.frombuffer(memory, array.dtype, array.size, page + size - array.nbytes)
    copy = copy.reshape(array.shape)
    copy[...] = array
    return copy


def test_ids_outside_a_table(tmp_path: Path) -> None:
    module = compile_text(LOOK, tmp_path)
    table = np.arange(16, dtype=np.float32).reshape(8, 2)
    assert module.manifest.signature("look").parameters[1].index_bound == 8
    np.testing.assert_array_equal(module.look(table, np.array([7, 0, 3])), table[[7, 0, 3]])
    for bad in (-1, 8, 2**40):
        with pytest.raises(CallError, match=rf"look: parameter ids: .* 0 \.\. 7, found {bad}$"):
            module.look(table, np.array([0, bad, 1]))

    # Past the host, indices are clamped: nothing outside the table is read.
    fenced = guarded(table)
    for bad, row in ((-1, 0), (8, 7), (2**40, 7), (-(2**63), 0), (2**63 - 1, 7)):
        out = np.zeros((3, 2), np.float32)
        call_through_c(module, "look", fenced, np.array([0, bad, 1]), out)
        np.testing.assert_array_equal(out, table[[0, row, 1]])


WHILE = """
fn collatz(n: I64[]) -> (I64[], I64[]) {
  let (n, steps) = while n > 1 with n = n, steps = 0 {
    yield (select(n % 2 == 0, n / 2, 3 * n + 1), steps + 1)
  }
  return (n, steps)
}

// Of the scalars, only the condition reads `before`; nothing returns them.
fn until_still(x: F32[2, 3], keep: F32[3]) -> F32[2, 3] {
  let (before, now, x) = while before != now with before = inf, now = 0.0, x = x {
    let x = x * broadcast(keep)
    yield (now, sum(x, axis=[0, 1]), x)
  }
  return x
}

fn push(log: I64[4], n: I64[]) -> (I64[4], I64[]) {
  let (i, log) = while i < n with i = 0, log = log {
    yield (i + 1, update(log, full([1], i * i), at=[i]))
  }
  return (log, i)
}

fn busy(x: F32[16384], steps: I64[]) -> F32[16384] {
  let (x, n) = while and(n < steps, sum(exp(x), axis=0) > 0.0) with x = x, n = 0 {
    yield (softmax(concat(slice(x, at=[n], size=[1]), slice(x, at=[0], size=[16383]), axis=0), axis=0), n + 1)
  }
  return x
}

export collatz
export until_still
export push donate(log)
export busy
"""


def test_a_while_runs_until_its_condition_fails(tmp_path: Path) -> None:
    module = compile_text(WHILE, tmp_path)
    # 27 is known for its 111 steps.
    assert [tuple(map(int, module.collatz(n))) for n in (27, 1, 0)] == [(1, 111), (1, 0), (0, 0)]
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    still = module.until_still(x, np.array([1, 0, 1], np.float32))
    np.testing.assert_array_equal(still, x * [1, 0, 1])
    log = np.full(4, -1)
    after, count = module.push(log, 3)
    assert after is log and after.tolist() == [0, 1, 4, -1] and int(count) == 3
    # Written at 4 and 5 as well: clamped to the last place.
    assert module.push(log, 6)[0].tolist() == [0, 1, 4, 25]


def test_an_inner_loop_makes_a_part_of_a_carry(tmp_path: Path) -> None:
    """The part stays in the carry's buffer, though it is at the same place in every iteration."""
    text = """
        fn f(x: F32[4], n: I64[]) -> F32[4] {
          return for i in 0..n with x = x {
            let p = for j in 0..3 with p = slice(x, at=[0], size=[1]) { yield p * 2.0 + 1.0 }
            yield update(x, p, at=[0])
          }
        }
        export f
    """
    module = compile_text(text, tmp_path)
    x = np.array([0, 1, 2, 3], np.float32)
    # p -> 8 p + 7 in each iteration: 7, 63
    assert module.f(x, 2).tolist() == [63, 1, 2, 3]
    assert module.f(x, 0).tolist() == [0, 1, 2, 3]


def test_iterations_keep_no_memory(tmp_path: Path) -> None:
    """Each makes some arrays of 64 KiB: 2,000 of them would be 128 MiB, were one of them kept."""
    module = compile_text(WHILE, tmp_path, threads=1)
    x = np.zeros(16384, np.float32)
    module.busy(x, 10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    module.busy(x, 2000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 16 << 10


def test_times_one_keeps_denormals(tmp_path: Path) -> None:
    module = compile_text("fn f(x: F32[9]) -> F32[9] { return x * 1.0 }\nexport f", tmp_path)
    # 1e-40 is 71362 steps of 2^-149, the smallest denormal; NumPy in this thread keeps it too.
    tiny = np.full(9, 1e-40, np.float32)
    assert (module.f(tiny).view(np.int32) == 71362).all()
    assert ((tiny * np.float32(1)).view(np.int32) == 71362).all()


IN_PLACE = """
fn f(x: F32[4, 8], cache: F32[6, 8], at: I64[]) -> (F32[4, 8], F32[6, 8], F32[4, 8]) {
  let y = update(x, full([1, 8], 7.0), at=[1, 0])
  let next = update(cache, slice(x, at=[0, 0], size=[1, 8]), at=[at, 0])
  return (y, next, x)
}
export f donate(cache)
export g = f
"""


def test_parameters_are_read_and_donated_ones_written(tmp_path: Path) -> None:
    module = compile_text(IN_PLACE, tmp_path)
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    cache = -np.ones((6, 8), np.float32)
    expected_y, expected_next = x.copy(), cache.copy()
    expected_y[1] = 7
    expected_next[5] = x[0]

    for name in ("f", "g"):
        kept_x, kept_cache = x.copy(), cache.copy()
        function = module.signatures[name]
        y, after, same = function(kept_x, kept_cache, 5)
        np.testing.assert_array_equal(y, expected_y)
        np.testing.assert_array_equal(after, expected_next)
        np.testing.assert_array_equal(same, x)
        np.testing.assert_array_equal(kept_x, x)
        assert (after is kept_cache) == (name == "f")
        np.testing.assert_array_equal(kept_cache, expected_next if name == "f" else cache)


def test_a_parameter_in_memory_that_cannot_be_written(tmp_path: Path) -> None:
    compile_text(IN_PLACE, tmp_path)
    np.save(tmp_path / "x.npy", np.ones((4, 8), np.float32))
    np.save(tmp_path / "cache.npy", np.ones((6, 8), np.float32))
    script = (
        "import kina, numpy as np\n"
        f"x, cache = (np.load(f'{tmp_path}/{{n}}.npy', mmap_mode='r') for n in ('x', 'cache'))\n"
        f"y, after, same = kina.load('{tmp_path}/program.so').g(x, cache, 0)\n"
        "assert (y[1] == 7).all() and (after == 1).all() and (same == 1).all()\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", script], env=environment).returncode == 0


@pytest.mark.parametrize(
    ("dtype", "numpy"),
    [
        ("F64", np.float64),
        ("F32", np.float32),
        ("F16", np.float16),
        ("BF16", ml_dtypes.bfloat16),
        ("I64", np.int64),
        ("I32", np.int32),
        ("I8", np.int8),
    ],
)
def test_every_dtype_in_other_layouts(dtype: str, numpy: Any, tmp_path: Path) -> None:
    module = compile_text(
        f"fn f(x: {dtype}[3, 5], y: {dtype}[]) -> {dtype}[3, 5] {{ return x + broadcast(y) }}\n"
        "export f",
        tmp_path,
    )
    x = np.arange(15).reshape(3, 5).astype(numpy)
    # Whole numbers below 128: exact in every dtype.
    expected = np.arange(15).reshape(3, 5) + 2
    for layout in (x, np.asfortranarray(x), x[::-1].copy()[::-1], np.repeat(x, 2, 1)[:, ::2]):
        y = module.f(layout, 2)
        assert y.dtype == np.dtype(numpy)
        np.testing.assert_array_equal(y.astype(int), expected)


def test_conditions_are_bools(tmp_path: Path) -> None:
    module = compile_text(
        "fn f(c: Bool[5], x: F32[5]) -> (Bool[5], F32[5]) "
        "{ return (not(c), select(c, x, -x)) }\nexport f",
        tmp_path,
    )
    condition = np.array([0, 1, 2, 0, 255], np.uint8).view(np.bool_)
    opposite, chosen = module.f(condition, np.arange(5, dtype=np.float32))
    np.testing.assert_array_equal(opposite.view(np.uint8), [1, 0, 0, 1, 0])
    np.testing.assert_array_equal(chosen, [0, 1, 2, -3, 4])


def test_threads_do_not_change_the_numbers(tmp_path: Path) -> None:
    module = compile_text(
        "fn f(x: F32[1, 512], w: F32[512, 1024]) -> F32[1, 1024] { return x @ w }\nexport f",
        tmp_path,
    )
    rng = np.random.default_rng(0)
    # Small whole numbers: every order of summation is exact.
    x = rng.integers(-8, 8, (1, 512)).astype(np.float32)
    w = rng.integers(-8, 8, (512, 1024)).astype(np.float32)
    for count in (1, 2, 3):
        module.set_threads(count)
        np.testing.assert_array_equal(module.f(x, w), x @ w)


X = np.arange(1, 7, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize(
    ("results", "body", "expected"),
    [
        ("F32[2, 3]", "return x", [X]),
        ("F32[2, 3]", "return x * 1.0", [X]),
        ("F32[2, 3]", "return max(x, x)", [X]),
        ("F32[2, 3]", "return select(x == x, x, x)", [X]),
        ("F32[6]", "return reshape(x, [6])", [X.reshape(6)]),
        ("F32[2, 3]", "return transpose(transpose(x))", [X]),
        ("F32[2, 3]", "return for i in 0..0 with y = x { yield (y + 1.0) }", [X]),
        ("(F32[2, 3], F32[2, 3])", "return (x, x)", [X, X]),
        ("(F32[2, 3], F32[2, 3])", "let y = x + x return (y, y)", [2 * X, 2 * X]),
        (
            "(F32[6], F32[2, 3])",
            "let y = x + x return (reshape(y, [6]), y)",
            [2 * X.ravel(), 2 * X],
        ),
    ],
)
def test_every_result_has_a_buffer_of_its_own(
    results: str, body: str, expected: list[np.ndarray[Any, Any]], tmp_path: Path
) -> None:
    # Also one that simplifies to a parameter, or to another result.
    module = compile_text(f"fn f(x: F32[2, 3]) -> {results} {{ {body} }}\nexport f", tmp_path)
    found = [np.full(right.shape, np.nan, np.float32) for right in expected]
    call_through_c(module, "f", X.copy(), *found)
    for one, right in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, right)


RECORDS = """
dim L = 2
record Layer { w: F32[3]  b: F32[] }
record Weights { first: F32[3]  layers: Layer[L] }
fn f(p: Weights, x: F32[3]) -> F32[3] {
  let y = for i in 0..L with y = x * p.first {
    let layer = p.layers[i]
    yield (y * layer.w + broadcast(layer.b))
  }
  return y
}
export f
"""


def test_records_of_a_program(tmp_path: Path) -> None:
    module = compile_text(RECORDS, tmp_path)
    names = [p.name for p in module.manifest.signature("f").parameters]
    assert names == ["p.first", "p.layers.w", "p.layers.b", "x"]
    one = np.ones(3, np.float32)
    w = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    b = np.array([10, 20], np.float32)
    # (2 * 1 * w0 + 10) * w1 + 20, by hand
    expected = [(2 + 10) * 4 + 20, (4 + 10) * 5 + 20, (6 + 10) * 6 + 20]
    for record in (
        {"first": one, "layers": {"w": w, "b": b}},
        {"first": one, "layers.w": w, "layers.b": b},
    ):
        np.testing.assert_array_equal(module.f(record, 2 * one), expected)
    with pytest.raises(CallError, match=r"f: parameter p\.layers\.b: expected F32\[2\]"):
        module.f({"first": one, "layers": {"w": w, "b": b[:1]}}, one)


def test_ten_thousand_calls_keep_no_memory(tmp_path: Path) -> None:
    # A softmax over rows and a product: code with buffers of its own.
    module = compile_text(
        "fn f(x: F32[16, 64], w: F32[64, 64]) -> F32[16, 64] "
        "{ return softmax(x @ w, axis=-1) @ w }\nexport f",
        tmp_path,
        threads=1,
    )
    x, w = np.ones((16, 64), np.float32), np.ones((64, 64), np.float32)

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

    for _ in range(100):
        module.f(x, w)
    before = resident()
    for _ in range(10_000):
        module.f(x, w)
    assert resident() - before < 1 << 20
