"""Gumbel-max on the host. Expected values are its definition: the argmax of logits / T + noise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kina.generation.errors import GenerationError
from kina.generation.host_loop import gumbel_picker
from kina.generation.sampling import Sampling, gumbel_max, gumbel_noise, inverse_temperature

ONE = np.float32(1)
LEAST, GREATEST = -math.log(-math.log(2.0**-53)), -math.log(-math.log1p(-(2.0**-53)))
"""The noise of the first and the last of 2^52 intervals' middles."""


def row(*logits: float) -> np.ndarray:
    return np.array([[logits]], np.float32)


def test_tokens_come_as_often_as_softmax_says():
    draws, temperature = 20_000, 1.5
    logits = np.array([1.0, -0.5, 0.25, -np.inf, 2.0, 0.0, -3.0, 1.0])
    noise = np.stack([gumbel_noise(3, step, len(logits)) for step in range(draws)])
    tokens = gumbel_max(logits.astype(np.float32), np.float32(1 / temperature), noise)
    weights = np.exp(logits / temperature)
    expected = draws * weights / weights.sum()
    found = np.bincount(tokens, minlength=len(logits))
    deviation = np.sqrt(expected * (1 - expected / draws))
    assert found[3] == 0
    assert (np.abs(found - expected) <= 4 * deviation).all()


def test_noise_is_that_of_the_seed_and_the_step_alone():
    noise = gumbel_noise(7, 5, 8)
    assert noise.dtype == np.float32
    np.testing.assert_array_equal(gumbel_noise(7, 5, 100)[:8], noise)
    others = [gumbel_noise(seed, step, 100) for seed, step in [(7, 4), (7, 6), (8, 5), (0, 5)]]
    for other in others:
        assert not {*noise.tolist()} & {*other.tolist()}, "no word serves twice"


def test_noise_has_the_mean_and_the_variance_of_gumbels_distribution():
    """Euler's constant and pi^2 / 6, within four deviations of a mean and a variance of n; kurtosis 5.4."""
    noise = np.concatenate([gumbel_noise(1, step, 1000) for step in range(100)]).astype(np.float64)
    variance, n = math.pi**2 / 6, len(noise)
    assert abs(noise.mean() - 0.5772156649) < 4 * math.sqrt(variance / n)
    assert abs(noise.var() - variance) < 4 * variance * math.sqrt(4.4 / n)
    assert LEAST <= noise.min() and noise.max() <= GREATEST


@pytest.mark.parametrize("extreme", [LEAST, GREATEST])
def test_no_noise_draws_a_token_of_probability_0(extreme):
    """Logits -inf, 0, 1 with the least and the greatest noise there is, at every place."""
    assert math.isfinite(extreme)
    logits = np.array([-np.inf, 0, 1], np.float32)
    for place in range(3):
        noise = np.zeros(3, np.float32)
        noise[place] = extreme
        assert gumbel_max(logits, ONE, noise) != 0
        assert gumbel_max(logits, inverse_temperature(Sampling(1e300)), noise) != 0


def test_without_noise_it_is_the_lowest_of_equal_tokens():
    assert gumbel_max(row(0, 3, 1, 3, 3), ONE, np.zeros((1, 1, 5), np.float32)).tolist() == [[1]]


@pytest.mark.parametrize("temperature", [0, 1e-300, 1e-38, 1e-19])
def test_no_temperature_is_greedy_and_overflows_nowhere(temperature):
    pick = gumbel_picker(temperature, seed=1)
    with np.errstate(all="raise"):
        for step in range(50):
            logits = np.random.default_rng(step).normal(size=(1, 1, 64)).astype(np.float32) * 100
            np.testing.assert_array_equal(pick(logits, step), logits.argmax(axis=2))


@pytest.mark.parametrize("temperature", [-1, math.nan, math.inf])
def test_a_temperature_out_of_range_is_refused(temperature):
    with pytest.raises(GenerationError, match=f"temperature is {temperature}; 0 or more"):
        gumbel_picker(temperature)


def test_unusable_logits_are_refused_with_their_step():
    with pytest.raises(GenerationError, match="step 2: the model gave 1 NaN and 0 infinite logits"):
        gumbel_picker(1.0)(row(1, math.nan, 3), 2)
    with pytest.raises(GenerationError, match="step 3: the model gave 0 NaN and 1 infinite logits"):
        gumbel_picker(0.0)(row(1, math.inf, 3), 3)


def test_a_row_does_not_depend_on_the_rows_beside_it():
    logits = np.random.default_rng(0).normal(size=(4, 1, 50)).astype(np.float32)
    pick = gumbel_picker(0.9, seed=5)
    for step in range(20):
        together = pick(logits, step)
        assert together.shape == (4, 1)
        for i in range(4):
            np.testing.assert_array_equal(pick(logits[i : i + 1], step), together[i : i + 1])
