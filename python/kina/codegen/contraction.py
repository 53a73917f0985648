"""Which schedule fits a contraction: its register tile, and how threads share it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kina.codegen.targets import Target

_NAME = re.compile(
    r"(batch_)?mat(?:vec|mul)_(nt|nn)_(?P<sizes>\d+(?:x\d+)+)_(?P<dtype>f16|bf16|f32|f64)"
)

# Below this many multiply-adds, waking a thread costs more than it brings.
_WORTH_A_THREAD = 1 << 16
# Tasks that a parallel contraction falls into: enough for as many threads, few enough to be large.
_TASKS = 16
_ACCUMULATOR_BYTES = {"f64": 8, "f32": 4, "f16": 4, "bf16": 4}


@dataclass(frozen=True)
class Contraction:
    """`out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, ..]`, with `rhs` as `[n, k]` or `[k, n]`."""

    name: str
    transposed: bool
    """Whether `rhs` is `[n, k]`."""
    batch: int | None
    m: int
    n: int
    k: int
    dtype: str

    @classmethod
    def parse(cls, name: str) -> Contraction | None:
        """The contraction that an operation's `kina.op` attribute names; None for another kind."""
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        *batch, m, n, k = (int(size) for size in match["sizes"].split("x"))
        return cls(name, match[2] == "nt", batch[0] if batch else None, m, n, k, match["dtype"])

    @property
    def multiply_adds(self) -> int:
        return (self.batch or 1) * self.m * self.n * self.k


@dataclass(frozen=True)
class Tiling:
    """How a contraction is cut."""

    threads: tuple[int, ...] | None
    """The block of `(batch,) m, n` that one task computes; None where one thread does it all."""
    registers: tuple[int, int] | None
    """The tile of `m, n` whose outputs stay in registers; None where whole rows are walked in memory."""
    lanes: int
    """Numbers that one step along the reduction axis takes: one vector, or several."""


def tiling(op: Contraction, target: Target) -> Tiling | None:
    """The tiling of a contraction; None where it is best left as plain loops over m, n and k.

    LLVM vectorizes those where both operands lie along k, as they do in `nt`.
    """
    lanes = target.vector_bytes // _ACCUMULATOR_BYTES[op.dtype]
    threads = _threads(op)
    m, n = threads[-2:] if threads else (op.m, op.n)
    if not op.transposed:
        registers = _outer_tile(m, n, lanes, target)
        if registers is None and n >= lanes:
            return Tiling(threads, None, lanes)
    elif op.k % lanes:
        registers = None
    elif m == 1:
        # One row after the other, so that memory is read from end to end: several rows at once are
        # a third as fast. Independent vectors hide the latency of the multiply-adds.
        registers = (1, 1)
        lanes *= next(vectors for vectors in (4, 2, 1) if op.k % (vectors * lanes) == 0)
    else:
        registers = _dot_tile(m, n, target)
    return None if registers is None else Tiling(threads, registers, lanes)


def _dot_tile(m: int, n: int, target: Target) -> tuple[int, int]:
    """The tile that does the most multiply-adds per vector loaded."""
    accumulators = target.vector_registers - 4
    tiles = [(a, b) for a in _divisors(m, accumulators) for b in _divisors(n, accumulators // a)]
    return max(tiles, key=lambda tile: (_reuse(*tile), -tile[0]))


def _outer_tile(m: int, n: int, lanes: int, target: Target) -> tuple[int, int] | None:
    """The tile that does the most multiply-adds per number loaded.

    A power of two of vectors, as LLVM would widen any other row to the next one.
    """
    accumulators = target.vector_registers - 4
    tiles = [
        (height, vectors * lanes)
        for vectors in (1, 2, 4, 8)
        for height in _divisors(m, accumulators // vectors)
        if n % (vectors * lanes) == 0
    ]
    return max(tiles, key=lambda tile: (_reuse(tile[0], tile[1] // lanes), tile[0]), default=None)


def _reuse(a: int, b: int) -> float:
    """Multiply-adds per load of an `a` by `b` tile."""
    return a * b / (a + b)


def _threads(op: Contraction) -> tuple[int, ...] | None:
    """Blocks of whole columns; of a batch, blocks of whole rows of one member."""
    if op.multiply_adds < _WORTH_A_THREAD:
        return None
    if op.batch is None:
        columns = min(_divisors(op.n, op.n), key=lambda size: abs(op.n / size - _TASKS))
        return (op.m, columns)
    wanted = max(1.0, _TASKS / op.batch)
    rows = min(_divisors(op.m, op.m), key=lambda size: abs(op.m / size - wanted))
    return (1, rows, op.n)


def _divisors(number: int, most: int) -> Iterator[int]:
    return (size for size in range(1, min(number, most) + 1) if number % size == 0)
