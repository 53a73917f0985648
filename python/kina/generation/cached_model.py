"""A compiled decoder with a key-value cache that grows in place: prompts in chunks, then token by token."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np

from kina.generation.errors import GenerationError
from kina.generation.program import Program, signatures
from kina.sizes import most

_PREFILL: Final = "prefill_"
_DECODE: Final = "decode"
_KEYS: Final = "k_past"
_CALL_COST: Final = 8
"""What a call costs beside its tokens, in tokens: reading all weights once."""


@dataclass
class Cache:
    """The buffers of keys and values, to whose front every call appends in place."""

    k: np.ndarray
    """[L, G, C, Dh]; positions from `length` on hold nothing of meaning."""
    v: np.ndarray
    length: int = 0

    def front(self, end: int) -> tuple[np.ndarray, np.ndarray]:
        """Views of the first `end` positions."""
        return self.k[:, :, :end], self.v[:, :, :end]


@dataclass(frozen=True)
class CachedModel:
    """A program with `decode` and any number of `prefill_<T>`, and the weights that it runs on."""

    program: Program
    weights: Any
    capacity: int
    """The most tokens of one sequence, the prompt and the new ones together."""
    chunk_sizes: tuple[int, ...]
    cache_shape: tuple[int, ...]

    def new_cache(self) -> Cache:
        """An empty cache; its memory becomes resident as positions are written."""
        return Cache(_lazy_zeros(self.cache_shape), _lazy_zeros(self.cache_shape))

    def forward(self, tokens: Sequence[int], cache: Cache) -> np.ndarray:
        """Append `tokens` to the cache; the logits [V] after the last of them.

        Raises GenerationError where they do not fit; the cache is then as before.
        """
        room = self.capacity - cache.length
        if not 0 < len(tokens) <= room:
            raise GenerationError(
                f"{len(tokens)} tokens were given; 1 to {room} fit after {cache.length} "
                f"in a context of {self.capacity}"
            )
        rest = np.asarray(tokens, np.int64)
        for size, count in plan_chunks(len(tokens), room, self.chunk_sizes):
            logits = self._call(rest[:count], size, cache)
            rest = rest[count:]
        return logits

    def _call(self, tokens: np.ndarray, size: int, cache: Cache) -> np.ndarray:
        front = cache.front(cache.length + size)
        logits: np.ndarray
        if size == 1:
            logits, *_ = self.program.decode(self.weights, tokens, *front)
        else:
            padded = np.zeros(size, np.int64)
            padded[: len(tokens)] = tokens
            count = np.array(len(tokens), np.int64)
            prefill = getattr(self.program, f"{_PREFILL}{size}")
            logits, *_ = prefill(self.weights, padded, count, *front)
        cache.length += len(tokens)
        return logits


def cached_model(program: Program, weights: Any, context_length: int | None = None) -> CachedModel:
    """The model that `program` computes with `weights`.

    The capacity is the longest past that the program takes and one token more, or `context_length`
    where that is less. Raises GenerationError where the program lacks the signature `decode` with a cache.
    """
    compiled = signatures(program)
    shapes = {p.name: p.shape for p in compiled[_DECODE].parameters} if _DECODE in compiled else {}
    cache_shape = tuple(map(most, shapes.get(_KEYS, ())))
    if len(cache_shape) != 4:
        raise GenerationError(
            f"the program {program.manifest.program!r} has no signature {_DECODE!r} with a cache; "
            f"it has {', '.join(compiled)}"
        )
    sizes = (name.removeprefix(_PREFILL) for name in compiled if name.startswith(_PREFILL))
    return CachedModel(
        program,
        weights,
        capacity=min(cache_shape[2], context_length or cache_shape[2]),
        chunk_sizes=tuple(sorted(int(size) for size in sizes if size.isdecimal())),
        cache_shape=cache_shape,
    )


def plan_chunks(tokens: int, room: int, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """The calls that take `tokens` tokens into a cache with `room` free positions.

    Each is (static size of the call, tokens in it): the largest size as often as it fills, then the
    cheapest way through the rest. A call may be padded, but never past the room; size 1 is `decode`.
    """
    largest = max(sizes, default=1)
    full, rest = divmod(tokens, largest)
    padding_room = room - tokens
    best: list[tuple[int, int, int]] = [(0, 0, 0)]  # (cost, size, count) of n tokens, at index n
    for n in range(1, rest + 1):
        best.append(
            min(
                (size + _CALL_COST + best[n - min(size, n)][0], size, min(size, n))
                for size in (1, *sizes)
                if size - n <= padding_room
            )
        )
    plan = [(largest, largest)] * full
    while rest:
        _, size, count = best[rest]
        plan.append((size, count))
        rest -= count
    return plan


def _lazy_zeros(shape: tuple[int, ...]) -> np.ndarray:
    """Float32 zeros that take memory by small pages, as they are written.

    NumPy asks for huge pages, of which the first position of every head would fill one.
    """
    pages = mmap.mmap(-1, prod(shape) * 4, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        pages.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(pages, np.float32).reshape(shape)
