"""Signatures whose sizes a call determines: compiled, beside the oracle and the fixed signatures."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiling import compile_text

from kina.abi import Signature
from kina.elaborate import Elaborated, elaborate
from kina.oracle.interpreter import interpret
from kina.runtime import CallError, Module
from kina.sizes import value
from support.values import DTYPES, Array, shape_at, small_integers

Modules = Mapping[str, Elaborated]

# Whole numbers of small magnitude: every sum is exact, in whatever order.
OPERATIONS = {
    "elementwise": "(x: F32[S], y: F32[S]) -> F32[S] { return x * y + max(x, 2.0) }",
    "scalar": "(x: F32[S], y: F32[]) -> F32[S] { return x * broadcast(y) }",
    "number": "(x: F32[S, 2]) -> (I64[], F32[3], I64[]) { return (S, full([3], cast(full([], S + 1), F32)), S % 3) }",
    "select": "(x: F32[S, 3]) -> F32[S, 3] { return select(x < 0.0, -x, broadcast(full([], 7.0), [S, 3])) }",
    "cast": "(x: F32[S]) -> (I8[S], BF16[S], Bool[S]) { return (cast(x, I8), cast(x, BF16), cast(x, Bool)) }",
    "sum_open": "(x: F32[3, S]) -> F32[3] { return sum(x, axis=1) }",
    "sum_other": "(x: F32[S, 3]) -> F32[S] { return sum(x, axis=1) }",
    "sum_all": "(x: F32[S, 3]) -> F32[] { return sum(x, axis=[0, 1]) }",
    "max_open": "(x: F32[S, 3]) -> F32[1, 3] { return max(x, axis=0, keepdims=true) }",
    "argmax_open": "(x: F32[2, S + 1]) -> I64[2] { return argmax(x, axis=1) }",
    "argmax_other": "(x: F32[S, 5]) -> I64[S] { return argmax(x, axis=1) }",
    "concat": "(x: F32[2, S], y: F32[2, 3]) -> F32[2, 2 * S + 3] { return concat(x, y, x, axis=1) }",
    "pad": "(x: F32[S, 2]) -> F32[2 * S + 1, 3] { return pad(x, low=[1, 0], high=[S, 1], value=9.0) }",
    "slice": "(x: F32[S + 2, 4]) -> F32[S, 2] { return slice(x, at=[1, 2], size=[S, 2]) }",
    "slice_end": "(x: F32[S + 2], i: I64[]) -> F32[2] { return slice(x, at=[i], size=[2]) }",
    "last": "(x: F32[S + 1, 2]) -> F32[2] { return x[S] }",
    "update": "(x: F32[S + 1, 2], y: F32[1, 2]) -> F32[S + 1, 2] { return update(x, y, at=[S, 0]) }",
    "update_at": "(x: F32[S + 1], i: I64[]) -> F32[S + 1] { return update(x, full([1], 8.0), at=[i]) }",
    "transpose": "(x: F32[S, 3]) -> F32[3, S] { return transpose(x) + 0.0 }",
    "flatten": "(x: F32[S, 6]) -> F32[2 * S, 3] { return reshape(x, [2 * S, 3]) * 2.0 }",
    "split": "(x: F32[2 * S, 3]) -> F32[S, 2, 3] { return reshape(x, [S, 2, 3]) + 1.0 }",
    "broadcast": "(x: F32[1, 3], y: F32[S, 1]) -> F32[S, 3] { return broadcast(x, [S, 3]) * broadcast(y) }",
    "iota": "(x: F32[S]) -> (F32[2, S], I64[S, 2]) { return (iota([2, S], axis=1, dtype=F32), iota([S, 2], axis=0)) }",
    "gather_ids": "(x: F32[5, 2], i: I64[S]) -> F32[S, 2] { return gather(x, i) }",
    "gather_table": "(x: F32[S + 1, 2], i: I64[3]) -> F32[3, 2] { return gather(x, i) }",
    "rows": "(x: F32[S, 4], y: F32[4, 3]) -> F32[S, 3] { return x @ y }",
    "columns": "(x: F32[3, 4], y: F32[4, S]) -> F32[3, S] { return x @ y }",
    "columns_nt": "(x: F32[3, 8], y: F32[S, 8]) -> F32[3, S] { return x @ transpose(y) }",
    "vector_nt": "(x: F32[1, 32], y: F32[S, 32]) -> F32[1, S] { return x @ transpose(y) }",
    "depth": "(x: F32[3, S], y: F32[S, 16]) -> F32[3, 16] { return x @ y }",
    "batch": "(x: F32[S, 2, 4], y: F32[S, 4, 8]) -> F32[S, 2, 8] { return x @ y }",
    "heads": "(x: F32[2, 12, 8], y: F32[2, S, 8]) -> F32[2, 12, 8] { return (x @ transpose(y)) @ y }",
    "many": "(x: F32[3, 64, 64], y: F32[3, S, 64]) -> F32[3, 64, 64] { return (x @ transpose(y)) @ y }",
    "halves": "(x: BF16[2, S], y: BF16[S, 3]) -> BF16[2, 3] { return x @ y }",
    "loop": "(x: F32[S]) -> F32[S] { return for i in 0..S with a = x { yield update(a, full([1], 3.0), at=[i]) } }",
    "grow": "(x: F32[2, S], y: F32[2, 1]) -> F32[2, S + 1] { return concat(x, y, axis=1) }",
}
LEAST, MOST = 1, 33
SIZES = [1, 2, 3, 7, 8, MOST - 1, MOST]
PROGRAM = "\n".join(
    f"fn the_{name}[S]{rest}\nexport {name}_any = the_{name}[S in {LEAST}..{MOST}]"
    for name, rest in OPERATIONS.items()
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Module:
    return compile_text(PROGRAM, tmp_path_factory.mktemp("open"))


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Modules:
    path = tmp_path_factory.mktemp("open") / "program.kina"
    path.write_text(PROGRAM)
    return {one.signature.name: one for one in elaborate(path)}


def operands(signature: Signature, size: int) -> list[Array]:
    """Whole numbers for each parameter where S is `size`; ids of what there is."""
    arrays = []
    for i, p in enumerate(signature.parameters):
        shape = shape_at(p.shape, {"S": size})
        array = small_integers("F32", shape, 7 * size + i, limit=3).astype(DTYPES[p.dtype])
        if p.index_bound is not None:
            array = array.clip(0, value(p.index_bound, {"S": size}) - 1)
        arrays.append(array)
    return arrays


def results_of(call: Callable[..., Any], given: Sequence[Array]) -> tuple[Array, ...]:
    results = call(*given)
    return results if isinstance(results, tuple) else (results,)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_over_an_open_axis(
    name: str, size: int, program: Module, modules: Modules
) -> None:
    one = modules[f"{name}_any"]
    given = operands(one.signature, size)
    found = results_of(program.signatures[f"{name}_any"], given)
    for result, expected in zip(found, interpret(one.module, given), strict=True):
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)


MAY_BE_EMPTY = [n for n in OPERATIONS if n not in ("slice_end", "loop")]


@pytest.fixture(scope="module")
def from_nothing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Module, Modules]:
    text = "\n".join(
        f"fn the_{name}[S]{OPERATIONS[name]}\nexport {name}_any = the_{name}[S in 0..4]"
        for name in MAY_BE_EMPTY
    )
    folder = tmp_path_factory.mktemp("empty")
    program = compile_text(text, folder)
    return program, {one.signature.name: one for one in elaborate(folder / "program.kina")}


@pytest.mark.parametrize("size", [0, 1, 4])
@pytest.mark.parametrize("name", MAY_BE_EMPTY)
def test_an_open_axis_may_be_empty(
    name: str, size: int, from_nothing: tuple[Module, Modules]
) -> None:
    program, modules = from_nothing
    one = modules[f"{name}_any"]
    given = operands(one.signature, size)
    found = results_of(program.signatures[f"{name}_any"], given)
    for result, expected in zip(found, interpret(one.module, given), strict=True):
        np.testing.assert_array_equal(result, expected)


# The softmax of real numbers, and a cache that grows in place.

ATTEND = """
fn attend[S](q: F32[2, 3, 8], k: F32[2, S, 8], v: F32[2, S, 8], new: F32[2, 1, 8])
    -> (F32[2, 3, 8], F32[2, S + 1, 8], F32[2, S + 1, 8]) {
  let k_next = concat(k, new, axis=1)
  let v_next = concat(v, new, axis=1)
  return (softmax(q @ transpose(k_next), axis=2) @ v_next, k_next, v_next)
}
export any = attend[S in 1..40] donate(k, v)
export copying = attend[S in 1..40]
""" + "\n".join(f"export at_{n} = attend[S = {n}]" for n in (1, 2, 3, 39, 40))


@pytest.fixture(scope="module")
def attend(tmp_path_factory: pytest.TempPathFactory) -> Module:
    return compile_text(ATTEND, tmp_path_factory.mktemp("attend"))


def normal(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("size", [1, 2, 3, 39, 40])
def test_an_open_length_equals_the_fixed_signature(size: int, attend: Module) -> None:
    """Sums run in another order, so numbers of magnitude 1 differ by some of their 2^-24."""
    q, k, v, new = (
        normal(1, 2, 3, 8),
        normal(2, 2, size, 8),
        normal(3, 2, size, 8),
        normal(4, 2, 1, 8),
    )
    expected = attend.signatures[f"at_{size}"](q, k, v, new)
    for one, other in zip(attend.copying(q, k, v, new), expected):
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-6)
    room = [np.concatenate([x, np.full((2, 1, 8), np.nan, np.float32)], axis=1) for x in (k, v)]
    for one, other in zip(attend.any(q, *room, new), expected):
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-6)


def test_the_front_of_a_buffer_grows_where_it_lies(attend: Module) -> None:
    q, new, kept = normal(1, 2, 3, 8), normal(4, 2, 1, 8), normal(5, 2, 50, 8)
    k, v = kept.copy(), kept.copy()
    out, k_next, v_next = attend.any(q, k[:, :8], v[:, :8], new)
    assert k_next.base is k and v_next.base is v, "the results are the views that were given"
    for buffer in (k, v):
        np.testing.assert_array_equal(buffer[:, 7:8], new)
        others = np.arange(50) != 7
        np.testing.assert_array_equal(buffer[:, others], kept[:, others])
    expected, *_ = attend.copying(q, kept[:, :7], kept[:, :7], new)
    np.testing.assert_array_equal(out, expected)


def test_calls_and_refused_calls_leak_nothing(attend: Module) -> None:
    q, new = normal(1, 2, 3, 8), normal(4, 2, 1, 8)
    k, v = np.zeros((2, 41, 8), np.float32), np.zeros((2, 41, 8), np.float32)

    def call(times: int) -> int:
        for i in range(times):
            attend.any(q, k[:, : 2 + i % 40], v[:, : 2 + i % 40], new)
            with suppress(CallError):
                attend.any(q, k[:, :1], v[:, :1], new)
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE

    before = call(100)
    assert call(10_000) - before < 1 << 20


def test_a_strided_argument_that_is_not_donated_is_copied(attend: Module) -> None:
    q, k, new = normal(1, 2, 3, 8), normal(2, 2, 30, 8), normal(4, 2, 1, 8)
    found, *_ = attend.copying(q, k[:, :20:2], k[:, 10:20], new)
    expected, *_ = attend.copying(q, k[:, :20:2].copy(), k[:, 10:20].copy(), new)
    np.testing.assert_array_equal(found, expected)


def buffers(size: int) -> tuple[Array, Array]:
    return np.zeros((2, size, 8), np.float32), np.zeros((2, size, 8), np.float32)


def overlapping() -> tuple[Array, Array]:
    buffer = np.zeros((2, 30, 8), np.float32)
    return buffer[:, :10], buffer[:, 10:20]


NOT_IN_PLACE = "the call writes this buffer, which is donated"


@pytest.mark.parametrize(
    ("k", "v", "message"),
    [
        (*buffers(1), "k: expected F32[2, S + 1, 8] with S in 1 .. 40, found F32[2, 1, 8]"),
        (*buffers(42), "k: expected F32[2, S + 1, 8] with S in 1 .. 40, found F32[2, 42, 8]"),
        (
            buffers(4)[0],
            buffers(5)[0],
            "v: expected F32[2, S + 1, 8] with S = 3, found F32[2, 5, 8]",
        ),
        (
            np.zeros((2, 4), np.float32),
            buffers(4)[1],
            "k: expected F32[2, S + 1, 8] with S in 1 .. 40, found F32[2, 4]",
        ),
        (
            np.zeros((2, 4, 8)),
            buffers(4)[1],
            "k: expected F32[2, S + 1, 8], found F64[2, 4, 8]",
        ),
        (
            buffers(8)[0][:, ::-2],
            buffers(4)[1],
            "k: expected F32[2, S + 1, 8], found an array that is not the front of a C-contiguous "
            f"one along some axes: {NOT_IN_PLACE}",
        ),
        (
            np.zeros((2, 4, 16), np.float32)[..., ::2],
            buffers(4)[1],
            "k: expected F32[2, S + 1, 8], found an array that is not the front of a C-contiguous "
            f"one along some axes: {NOT_IN_PLACE}",
        ),
        (
            np.broadcast_to(np.zeros((1, 4, 8), np.float32), (2, 4, 8)),
            buffers(4)[1],
            f"k: expected F32[2, S + 1, 8], found a read-only array: {NOT_IN_PLACE}",
        ),
        (
            *overlapping(),
            "k: expected a buffer of its own, as it is donated, found one that overlaps v",
        ),
    ],
)
def test_what_an_open_call_refuses(k: Array, v: Array, message: str, attend: Module) -> None:
    with pytest.raises(CallError) as refusal:
        attend.any(normal(1, 2, 3, 8), k, v, normal(4, 2, 1, 8))
    assert str(refusal.value) == f"any: parameter {message}"


def test_a_front_along_any_axis(attend: Module, tmp_path: Path) -> None:
    """Keys lie transposed, so the last axis grows: its stride stays 1."""
    program = compile_text(
        """fn f[S](k: F32[2, 3, S], new: F32[2, 3, 1]) -> F32[2, 3, S + 1] {
          return concat(k, new, axis=2)
        }
        export f[S in 0..9] donate(k)""",
        tmp_path,
    )
    buffer = normal(1, 2, 3, 10)
    kept, new = buffer.copy(), normal(2, 2, 3, 1)
    for size in range(10):
        program.f(buffer[..., : size + 1], new)
        np.testing.assert_array_equal(buffer[..., : size + 1], np.repeat(new, size + 1, axis=2))
        np.testing.assert_array_equal(buffer[..., size + 1 :], kept[..., size + 1 :])


def test_two_dimensions_are_open_at_once(tmp_path: Path) -> None:
    program = compile_text(
        """fn f[B, S](x: F32[B, S, 4], w: F32[4, 3]) -> (F32[B, 3, S], F32[B]) {
          let y = transpose(reshape(reshape(x, [B * S, 4]) @ w, [B, S, 3]))
          return (y, sum(y, axis=[1, 2]))
        }
        export f[B in 1..4, S in 2..9]""",
        tmp_path,
    )
    assert program.f.__doc__.splitlines()[2:4] == [
        "B in 1 .. 4, as the arguments tell.",
        "S in 2 .. 9, as the arguments tell.",
    ]
    for b, s in ((1, 2), (3, 5), (4, 9)):
        x, w = small_integers("F32", [b, s, 4], s), small_integers("F32", [4, 3], b)
        y, total = program.f(x, w)
        np.testing.assert_array_equal(y, (x @ w).swapaxes(1, 2))
        np.testing.assert_array_equal(total, (x @ w).sum((1, 2)))
    with pytest.raises(CallError, match=r"with B in 1 .. 4, found F32\[5, 2, 4\]"):
        program.f(np.zeros((5, 2, 4), np.float32), np.zeros((4, 3), np.float32))


def test_the_ids_of_an_open_table_are_checked(tmp_path: Path) -> None:
    program = compile_text(
        """fn f[N](table: F32[N, 2], ids: I64[3]) -> F32[3, 2] { return gather(table, ids) }
        export f[N in 1..9]""",
        tmp_path,
    )
    table = normal(1, 5, 2)
    np.testing.assert_array_equal(program.f(table, np.array([4, 0, 4])), table[[4, 0, 4]])
    with pytest.raises(CallError, match=r"ids: expected values in 0 .. 4, found 5"):
        program.f(table, np.array([0, 5, 1]))
