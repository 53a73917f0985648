"""A decoder with a cache of fixed capacity, run in chunks: the NumPy decoder in the place of a compiled one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kina.generation.cached_model import cached_model, plan_chunks
from kina.generation.errors import GenerationError
from reference.llama_numpy import forward
from reference.storylm0 import NumpyStory
from support import tiny_llama as tiny

MODEL = tiny.weights()
TOKENS = [5, 100, 7, 7, 200, 31, 0, 250, 90, 12]


def make(**options):
    return cached_model(tiny.program(MODEL, **options), MODEL)


@pytest.mark.parametrize("parts", [[10], [1, 9], [5, 5], [9, 1], [1] * 10, [4, 3, 3]])
@pytest.mark.parametrize("chunks", [(), (4,), (4, 8), (3, 16)])
def test_a_prompt_in_any_parts_equals_the_whole(parts, chunks):
    model = make(chunks=chunks)
    cache = model.new_cache()
    start = 0
    for count in parts:
        logits = model.forward(TOKENS[start : start + count], cache)
        start += count
        assert cache.length == start
        expected = forward(MODEL, tiny.SHAPE, TOKENS[:start])[-1]
        np.testing.assert_allclose(logits, expected, rtol=0, atol=1e-4)


def test_the_rows_of_padding_are_overwritten_before_they_are_read():
    model = make(chunks=(8,))
    cache = model.new_cache()
    model.forward(TOKENS[:3], cache)
    assert model.program.calls == ["prefill_8"]
    assert cache.k[:, :, 3:8].any(), "padding was written"
    for end in range(4, 11):
        logits = model.forward(TOKENS[end - 1 : end], cache)
        expected = forward(MODEL, tiny.SHAPE, TOKENS[:end])[-1]
        np.testing.assert_allclose(logits, expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("capacity", [9, 10, 11, 12, 16])
@pytest.mark.parametrize("chunks", [(4,), (4, 8), (3, 16)])
def test_padding_never_passes_the_capacity(capacity, chunks):
    """The NumPy program refuses a call whose rows do not fit; a compiled one would move them."""
    model = make(capacity=capacity, chunks=chunks)
    for first in range(1, min(capacity, 10) + 1):
        cache = model.new_cache()
        logits = model.forward(TOKENS[:first], cache)
        if rest := TOKENS[first:capacity]:
            logits = model.forward(rest, cache)
        expected = forward(MODEL, tiny.SHAPE, TOKENS[:capacity])[-1]
        np.testing.assert_allclose(logits, expected, rtol=0, atol=1e-4)


def test_more_tokens_than_fit_are_refused_and_change_nothing():
    model = make(capacity=8)
    cache = model.new_cache()
    model.forward(TOKENS[:6], cache)
    for tokens in (TOKENS[:3], []):
        with pytest.raises(GenerationError, match=rf"^{len(tokens)} tokens were given; 1 to 2 fit"):
            model.forward(tokens, cache)
    assert cache.length == 6
    model.forward(TOKENS[6:8], cache)
    with pytest.raises(GenerationError, match="1 to 0 fit after 8 in a context of 8"):
        model.forward([1], cache)


def test_the_capacity_is_that_of_the_program_or_the_models_context():
    program = tiny.program(MODEL, capacity=32)
    assert cached_model(program, MODEL).capacity == 32
    assert cached_model(program, MODEL, context_length=20).capacity == 20
    assert cached_model(program, MODEL, context_length=99).capacity == 32
    assert cached_model(program, MODEL).chunk_sizes == (4, 8)


def test_a_program_without_a_cache_is_refused():
    with pytest.raises(
        GenerationError, match="'numpy' has no signature 'decode' with a cache; it has dec"
    ):
        cached_model(NumpyStory(1), MODEL)


@pytest.mark.parametrize(
    ("tokens", "room", "sizes", "plan"),
    [
        (1, 100, (16, 128), [(1, 1)]),
        (128, 1000, (16, 128), [(128, 128)]),
        (300, 1000, (16, 128), [(128, 128), (128, 128), (16, 16), (16, 16), (16, 12)]),
        # One padded call of 128 costs 136, eight calls of 16 cost 192.
        (127, 1000, (16, 128), [(128, 127)]),
        # Without the room to pad: seven calls of 16, and each of the last 15 by itself.
        (127, 127, (16, 128), [(16, 16)] * 7 + [(1, 1)] * 15),
        (127, 128, (16, 128), [(128, 127)]),
        (17, 100, (16,), [(16, 16), (1, 1)]),
        (3, 100, (16,), [(16, 3)]),
        (3, 100, (), [(1, 1)] * 3),
        (3, 5, (8,), [(1, 1)] * 3),
    ],
)
def test_plans(tokens, room, sizes, plan):
    found = plan_chunks(tokens, room, sizes)
    assert sorted(found, reverse=True) == plan
    # Only the last call may be padded: a padded row before it would lie inside the sequence.
    assert all(size == count for size, count in found[:-1])


def test_any_plan_takes_every_token_and_stays_in_the_room():
    for sizes in ((4,), (2, 8, 32), (3, 5), ()):
        for tokens in range(1, 80):
            for spare in (0, 1, 2, 7, 40):
                plan = plan_chunks(tokens, tokens + spare, sizes)
                assert sum(count for _, count in plan) == tokens
                assert all(size == count for size, count in plan[:-1])
                size, count = plan[-1]
                assert 0 < count <= size
                assert size - count <= spare
                assert {size for size, _ in plan} <= {1, *sizes}


def test_a_cache_takes_memory_as_it_is_written():
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    model = cached_model(tiny.program(MODEL, capacity=1 << 20), MODEL)
    before = resident()
    cache = model.new_cache()
    assert cache.k.nbytes == 2 * 2 * 4 * 4 << 20
    model.forward([1, 2, 3], cache)
    # 64 MB each; a page of 4 KiB for every layer and head.
    assert resident() - before < 2 << 20
    assert not cache.v[:, :, 4:].any()
