"""Which schedule fits a contraction: its register tile, and how threads share it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Final, TypeAlias

from kina.codegen.targets import Target

_NAME = re.compile(
    r"(batch_)?mat(?:vec|mul)_(nt|nn)_(?P<sizes>(?:\d+|N)(?:x(?:\d+|N))+)_(?P<dtype>f16|bf16|f32|f64)"
)

# Below this many multiply-adds, waking a thread costs more than it brings.
_WORTH_A_THREAD = 1 << 16
# Tasks that a parallel contraction falls into: enough for as many threads, few enough to be large.
_TASKS = 16
_MIDDLING = 256
_ACCUMULATOR_BYTES = {"f64": 8, "f32": 4, "f16": 4, "bf16": 4}


Extent: TypeAlias = int | None
OPEN: Final = None
"""The extent of a loop that only a call determines."""


@dataclass(frozen=True)
class Contraction:
    """`out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, ..]`, with `rhs` as `[n, k]` or `[k, n]`."""

    name: str
    transposed: bool
    """Whether `rhs` is `[n, k]`."""
    batch: Extent
    m: Extent
    n: Extent
    k: Extent
    dtype: str

    @classmethod
    def parse(cls, name: str) -> Contraction | None:
        """The contraction that an operation's `kina.op` attribute names; None for another kind."""
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        sizes = match["sizes"].split("x")
        *batch, m, n, k = (OPEN if size == "N" else int(size) for size in sizes)
        return cls(name, match[2] == "nt", batch[0] if batch else 1, m, n, k, match["dtype"])

    @property
    def batched(self) -> bool:
        """Whether there is a loop over a batch."""
        return self.name.startswith("batch_")

    @property
    def multiply_adds(self) -> int:
        """How many there are, or will be where an extent is open and of a middling size."""
        extents = (self.batch, self.m, self.n, self.k)
        return prod(_MIDDLING if extent is OPEN else extent for extent in extents)


@dataclass(frozen=True)
class Tiling:
    """How a contraction is cut."""

    threads: tuple[int, ...] | None
    """The block of `(batch,) m, n` that one task computes, 0 for a whole loop; None where one thread
    does it all."""
    registers: tuple[int, int] | None
    """The tile of `m, n` whose outputs stay in registers; None where whole rows are walked in memory."""
    lanes: int
    """Numbers that one step along the reduction axis takes: one vector, or several."""
    rows_first: bool = False
    """Whether a tile stays with its rows while it walks the columns."""


def tiling(op: Contraction, target: Target) -> Tiling | None:
    """The tiling of a contraction; None where it is best left as plain loops over m, n and k.

    LLVM vectorizes those where both operands lie along k, as they do in `nt`.
    """
    lanes = target.vector_bytes // _ACCUMULATOR_BYTES[op.dtype]
    threads = _threads(op)
    m, n = (part or whole for part, whole in zip((threads or (0, 0))[-2:], (op.m, op.n)))
    if not op.transposed:
        registers = _outer_tile(m, n, lanes, target)
        if registers is None and (n is OPEN or n >= lanes):
            return Tiling(threads, None, lanes)
    elif op.k is OPEN or op.k % lanes:
        registers = None
    elif m == 1:
        # One row after the other, so that memory is read from end to end: several rows at once are
        # a third as fast. Independent vectors hide the latency of the multiply-adds.
        registers = (1, 1)
        lanes *= next(vectors for vectors in (4, 2, 1) if op.k % (vectors * lanes) == 0)
    else:
        registers = _dot_tile(m, n, target)
    if registers is None:
        return None
    # Tiles of many rows and one column: the column is read once, and the rows stay in the cache.
    return Tiling(threads, registers, lanes, rows_first=n is OPEN)


def _dot_tile(m: Extent, n: Extent, target: Target) -> tuple[int, int]:
    """The tile that does the most multiply-adds per vector loaded."""
    accumulators = target.vector_registers - 4
    tiles = [(a, b) for a in _divisors(m, accumulators) for b in _divisors(n, accumulators // a)]
    return max(tiles, key=lambda tile: (_reuse(*tile), -tile[0]))


def _outer_tile(m: Extent, n: Extent, lanes: int, target: Target) -> tuple[int, int] | None:
    """The tile that does the most multiply-adds per number loaded.

    A power of two of vectors, as LLVM would widen any other row to the next one.
    """
    accumulators = target.vector_registers - 4
    tiles = [
        (height, vectors * lanes)
        for vectors in (1, 2, 4, 8)
        for height in _divisors(m, accumulators // vectors)
        if n is not OPEN and n % (vectors * lanes) == 0
    ]
    return max(tiles, key=lambda tile: (_reuse(tile[0], tile[1] // lanes), tile[0]), default=None)


def _reuse(a: int, b: int) -> float:
    """Multiply-adds per load of an `a` by `b` tile."""
    return a * b / (a + b)


def _threads(op: Contraction) -> tuple[int, ...] | None:
    """Blocks of whole columns; of a batch, blocks of whole rows of one member."""
    if op.multiply_adds < _WORTH_A_THREAD:
        return None
    if not op.batched:
        return None if op.n is OPEN else (op.m or 0, _part(op.n, _TASKS))
    members = _TASKS if op.batch is OPEN else op.batch
    return (1, 0 if op.m is OPEN else _part(op.m, max(1.0, _TASKS / members)), op.n or 0)


def _part(extent: int, parts: float) -> int:
    """The size of equal parts of an extent, of which there are about as many as wanted."""
    return min(_divisors(extent, extent), key=lambda size: abs(extent / size - parts))


def _divisors(extent: Extent, most: int) -> Iterator[int]:
    """Sizes of equal parts; of an open extent only 1 is one for certain."""
    if extent is OPEN:
        return iter((1,))
    return (size for size in range(1, min(extent, most) + 1) if extent % size == 0)
