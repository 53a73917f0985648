"""Sampling. Expected values are the definitions of the choices, worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kina.generation.errors import GenerationError
from kina.generation.sampling import (
    GREEDY,
    Sampling,
    candidates,
    draw,
    nucleus,
    pick,
    sampling_from,
    uniform,
)

P = np.array([0.5, 0.25, 0.15625, 0.09375])


def logits_of(probabilities: np.ndarray) -> np.ndarray:
    return np.log(probabilities).astype(np.float32)


def kept(logits: np.ndarray, **filters: float) -> set[int]:
    tokens, weights = candidates(np.asarray(logits, np.float32), Sampling(**filters))
    assert (weights > 0).all()
    assert (np.diff(tokens) > 0).all(), "in the order of their ids"
    return {*tokens.tolist()}


@pytest.mark.parametrize(
    ("top_p", "expected"),
    [
        (0.75, {0, 1}),
        (0.5, {0}),
        (0.76, {0, 1, 2}),
        (1, {0, 1, 2, 3}),
        (0.90625, {0, 1, 2}),
        (0, {0}),
    ],
)
@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]])
def test_top_p_keeps_the_smallest_prefix_that_reaches_p(top_p, expected, order):
    shuffled = {order.index(token) for token in expected}
    assert {*nucleus(P[order], top_p).tolist()} == shuffled
    assert kept(logits_of(P[order]), top_p=top_p) == shuffled


@pytest.mark.parametrize("top_p", [0, 1e-8, 1e-7])
def test_a_tiny_top_p_is_greedy(top_p):
    random = np.random.default_rng(1)
    for step in range(50):
        logits = random.normal(size=4096).astype(np.float32)
        assert pick(logits, Sampling(top_p=top_p, seed=step), step) == logits.argmax()


def test_top_p_takes_the_lower_id_of_equal_ones_and_reaches_past_the_first_guess():
    assert nucleus(np.full(4096, 1 / 4096), 0.5).tolist() == list(range(2048))
    # 0.9 of a geometric distribution with ratio 0.999 is its first ln(0.1) / ln(0.999) tokens.
    p = 0.001 * 0.999 ** np.arange(50000)
    assert len(nucleus(p[::-1].copy(), 0.9)) == math.ceil(math.log(0.1) / math.log(0.999))


@pytest.mark.parametrize(
    ("top_k", "expected"), [(0, {0, 1, 2, 3, 4}), (1, {1}), (2, {1, 3}), (3, {0, 1, 3}), (99, {0, 1, 2, 3, 4})]
)  # fmt: skip
def test_top_k_keeps_exactly_k_of_equal_ones_the_lower_ids(top_k, expected):
    assert kept([2, 3, 2, 3, 2], top_k=top_k) == expected


def test_the_filters_come_in_their_order():
    # At temperature 2 these logits stand for P. Of the two best, 2/3 and 1/3, the first reaches 0.6, which
    # it does not of all four. Without the temperature the two are 4/5 and 1/5.
    logits = 2 * logits_of(P)
    assert kept(logits, temperature=2, top_k=2, top_p=0.6) == {0}
    assert kept(logits, temperature=2, top_p=0.6) == {0, 1}
    assert kept(logits, temperature=2, top_k=2, top_p=0.7) == {0, 1}
    assert kept(logits, top_k=2, top_p=0.7) == {0}


def test_weights_are_the_probabilities_of_the_kept_tokens():
    tokens, weights = candidates(logits_of(P), Sampling(top_k=3))
    assert tokens.tolist() == [0, 1, 2]
    np.testing.assert_allclose(weights / weights.sum(), P[:3] / P[:3].sum(), rtol=1e-6)
    _, weights = candidates(logits_of(P), Sampling(temperature=0.5))
    np.testing.assert_allclose(weights / weights.sum(), P**2 / (P**2).sum(), rtol=1e-6)


@pytest.mark.parametrize("temperature", [0.0, 1e-30, 5e-324])
def test_a_temperature_near_0_is_greedy(temperature):
    random = np.random.default_rng(2)
    for step in range(20):
        logits = random.normal(size=1000).astype(np.float32)
        assert pick(logits, Sampling(temperature=temperature), step) == logits.argmax()


def test_greedy_takes_the_lowest_id_of_a_tie():
    for size in (1, 8, 33, 49152):
        assert pick(np.zeros(size, np.float32), GREEDY, 0) == 0
    logits = np.zeros(49152, np.float32)
    logits[[7, 40]] = 1
    assert pick(logits, GREEDY, 0) == 7


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ({"temperature": -1.0}, "temperature is -1.0; 0 or more is expected"),
        ({"temperature": math.nan}, "temperature is nan"),
        ({"temperature": math.inf}, "temperature is inf"),
        ({"top_k": -1}, "top_k is -1; 0 or more"),
        ({"top_p": -0.1}, "top_p is -0.1; a number from 0 to 1"),
        ({"top_p": 1.1}, "top_p is 1.1"),
        ({"top_p": math.nan}, "top_p is nan"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**64}, f"seed is {2**64}"),
    ],
)
def test_a_number_out_of_range_is_refused(number, message):
    with pytest.raises(GenerationError) as refusal:
        Sampling(**number)
    assert message in str(refusal.value)


def test_only_a_filter_leaves_greedy():
    assert sampling_from(seed=7).is_greedy
    assert sampling_from(0.0, top_k=5, top_p=0.9).is_greedy
    assert sampling_from(top_k=1).is_greedy
    assert sampling_from(top_p=0.0).is_greedy
    assert sampling_from(top_p=0.9, seed=3) == Sampling(1.0, 0, 0.9, 3)
    assert sampling_from(top_k=0) == Sampling()
    assert sampling_from(0.5) == Sampling(0.5)


@pytest.mark.parametrize("u", [0.0, 2.0**-32, 0.5, 1 - 2.0**-24, 1.0])
def test_no_noise_draws_a_token_of_probability_0(u):
    tokens, weights = candidates(np.array([-np.inf, 0, 1], np.float32), Sampling())
    assert np.isfinite(weights).all()
    assert tokens[draw(weights, u)] in (1, 2)
    assert draw(np.array([0.0, 1.0, 0.0, 2.0, 0.0]), u) == (1 if u < 1 / 3 else 3)


def test_a_draw_lays_the_weights_end_to_end():
    weights = np.array([1.0, 2.0, 1.0])
    assert [draw(weights, u) for u in (0.0, 0.24, 0.26, 0.74, 0.76, 1.0)] == [0, 0, 1, 1, 2, 2]


def test_noise_is_uniform_and_strictly_inside_its_interval(monkeypatch):
    noise = np.array([uniform(3, step) for step in range(20000)])
    # Kolmogorov and Smirnov: 1.95 / sqrt(n) is exceeded once in a thousand.
    assert np.abs(np.sort(noise) - (np.arange(20000) + 0.5) / 20000).max() < 1.95 / math.sqrt(20000)
    for word in (0, 2**64 - 1):
        monkeypatch.setattr(
            np.random, "Philox", lambda word=word, **_: type("Words", (), {"random_raw": lambda _: word})()
        )  # fmt: skip
        assert 0 < uniform(0, 0) < 1


def philox(key: int, counter: int) -> int:
    """The first word of Philox 4x64-10 (Salmon et al. 2011, section 3.3 and table 2)."""
    mask = 2**64 - 1
    x, k = [counter >> shift & mask for shift in (0, 64, 128, 192)], [key, 0]
    for _ in range(10):
        low, high = 0xD2E7470EE14C6C93 * x[0], 0xCA5A826395121157 * x[2]
        x = [high >> 64 ^ x[1] ^ k[0], high & mask, low >> 64 ^ x[3] ^ k[1], low & mask]
        k = [(k[0] + 0x9E3779B97F4A7C15) & mask, (k[1] + 0xBB67AE8584CAA73B) & mask]
    return x[0]


def test_noise_depends_on_the_seed_and_the_step_alone():
    # The authors' known answer for a key and a counter of 0.
    assert philox(0, 0) == 0x16554D9ECA36314C
    for seed, step in ((0, 0), (0, 1), (42, 7), (2**64 - 1, 2**40)):
        # NumPy counts up before it draws.
        expected = ((philox(seed, step + 1) >> 12) + 0.5) / 2**52
        assert uniform(seed, step) == expected


def test_tokens_are_drawn_as_often_as_they_are_likely():
    logits = logits_of(P)
    sampling = Sampling(seed=11)
    counts = np.bincount([pick(logits, sampling, step) for step in range(20000)], minlength=4)
    # Pearson's statistic over four classes exceeds 16.3 once in a thousand.
    assert ((counts - 20000 * P) ** 2 / (20000 * P)).sum() < 16.3


@pytest.mark.parametrize("sampling", [GREEDY, Sampling(), Sampling(top_k=2, top_p=0.5)])
@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([0, math.nan, 1, math.nan], "2 NaN and 0 infinite"),
        ([0, math.inf, 1], "0 NaN and 1 infinite"),
        ([math.inf, math.nan, math.inf], "1 NaN and 2 infinite"),
        ([-math.inf, -math.inf], "no finite"),
    ],
)
def test_unusable_logits_are_an_error_that_names_the_step_and_the_count(sampling, values, found):
    logits = np.array(values, np.float32)
    with pytest.raises(GenerationError) as refusal:
        pick(logits, sampling, 12)
    assert str(refusal.value) == f"step 12: the model gave {found} logits of {len(values)}"
