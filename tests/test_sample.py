"""Gumbel-max as a compiled program (Section 18), token for token beside the host's."""

from __future__ import annotations

import numpy as np
import pytest

import kina
from kina.generation.host_loop import gumbel_picker
from kina.generation.sampling import gumbel_max
from support.artifacts import storylm0_library, storylm0_source
from support.interpreted import assert_as_interpreted

V = 8


@pytest.fixture(scope="module")
def program():
    return kina.load(storylm0_library("sample"))


def logits_of(seed: int) -> np.ndarray:
    """Random logits; now and then some are equal, or -inf."""
    random = np.random.default_rng(seed)
    logits = random.normal(size=(1, 1, V)).astype(np.float32) * 3
    if seed % 3 == 0:
        logits = np.round(logits)
    logits[random.random((1, 1, V)) < 0.1] = -np.inf
    logits[0, 0, seed % V] = 1
    return logits


@pytest.mark.parametrize("temperature", [0, 1e-3, 0.25, 0.7, 1, 1.3, 40, 1e300])
def test_the_host_and_the_program_draw_the_same_tokens(program, temperature):
    host = gumbel_picker(temperature, seed=11)
    compiled = gumbel_picker(temperature, seed=11, sample=program.sample_one)
    drawn = set()
    for step in range(500):
        logits = logits_of(step)
        token = compiled(logits, step)
        assert token.dtype == np.int64
        np.testing.assert_array_equal(token, host(logits, step))
        assert np.isfinite(logits[0, 0, token]).all()
        drawn.add(int(token[0, 0]))
    assert drawn == {*range(V)}


def test_the_product_and_the_sum_round_one_after_the_other(program):
    """0.1f * 3f rounds up to float32. Plus noise just below it, that is more than the exact sum.

    Token 1 has a sum between the two: it is picked only where product and sum round once, as one.
    """
    tenth, three = np.float32(0.1), np.float32(3)
    noise_0 = -np.nextafter(tenth * three, np.float32(0))
    twice, once = tenth * three + noise_0, np.float32(float(tenth) * 3 + float(noise_0))
    noise_1 = np.nextafter(twice, np.float32(0))
    assert once < noise_1 < twice
    logits, noise = np.full((1, 1, V), -9, np.float32), np.zeros((1, 1, V), np.float32)
    logits[0, 0, :2] = tenth, 0
    noise[0, 0, :2] = noise_0, noise_1
    assert program.sample_one(logits, three, noise).tolist() == [[0]]
    assert gumbel_max(logits, three, noise).tolist() == [[0]]


@pytest.mark.parametrize("tied", [(0, 1), (2, 5, 7), (6, 7), tuple(range(V))])
def test_without_noise_it_is_the_lowest_of_equal_tokens(program, tied):
    logits = np.full((1, 1, V), -1, np.float32)
    logits[0, 0, list(tied)] = 2.5
    token = program.sample_one(logits, 1.0, np.zeros_like(logits))
    np.testing.assert_array_equal(token, [[tied[0]]])


def test_a_nan_is_found_first(program):
    """As in argmax; the host refuses such logits before it asks."""
    logits = np.zeros((1, 1, V), np.float32)
    logits[0, 0, [3, 6]] = np.nan
    logits[0, 0, 1] = np.inf
    assert program.sample_one(logits, 1.0, np.zeros_like(logits)).tolist() == [[3]]


def test_the_program_is_what_the_oracle_says(program):
    assert_as_interpreted(program, storylm0_source("sample"))
