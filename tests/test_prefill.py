"""A prompt in one call, and decode steps from its cache (Section 21), against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import kina
from kina.generation.host_loop import decode_steps, rollout
from reference import storylm0
from support.artifacts import storylm0_library, storylm0_source
from support.interpreted import assert_as_interpreted

WEIGHTS = storylm0.patterned_weights()
PROMPT = np.array([[3, 1, 4, 1, 5, 2, 6, 0, 7, 7]])
# Sums of a dozen float32 products of magnitude 1, in whatever order.
TOLERANCE = {"rtol": 0, "atol": 1e-5}


@pytest.fixture(scope="module")
def program():
    return kina.load(storylm0_library("prefill"))


def incremental(tokens: np.ndarray) -> tuple[np.ndarray, ...]:
    """K transposed, V and the last logits, by the algebra of Section 20, token by token."""
    k = v = logits = None
    for token in tokens.T:
        k, v, logits = storylm0.decode(np, WEIGHTS, token[None], k, v)
    return k, v, logits


@pytest.mark.parametrize("length", [1, 5, 9])
def test_a_prompt_gives_the_cache_of_its_steps_and_the_last_row_of_the_forward(program, length):
    prompt = PROMPT[:, :length]
    k, v, last = getattr(program, f"prefill_{length}")(WEIGHTS, prompt)
    assert k.shape == (1, 2, 2, length) and v.shape == (1, 2, length, 2)
    for found, expected in zip((k, v, last), incremental(prompt), strict=True):
        np.testing.assert_allclose(found, expected, **TOLERANCE)
    np.testing.assert_allclose(last, storylm0.forward(np, WEIGHTS, prompt)[:, -1:], **TOLERANCE)


@pytest.mark.parametrize("first", [1, 5, 9])
def test_decode_continues_from_the_cache_of_a_prompt(program, first):
    """Ten tokens as 1 + 9, 5 + 5 and 9 + 1."""
    k, v, logits = getattr(program, f"prefill_{first}")(WEIGHTS, PROMPT[:, :first])
    expected = storylm0.forward(np, WEIGHTS, PROMPT)
    np.testing.assert_allclose(logits, expected[:, first - 1 : first], **TOLERANCE)
    for past in range(first, 10):
        token = PROMPT[:, past : past + 1]
        k, v, logits = getattr(program, f"decode_s{past}")(WEIGHTS, token, k, v)
        np.testing.assert_allclose(logits, expected[:, past : past + 1], **TOLERANCE)
    for found, value in zip((k, v, logits), incremental(PROMPT), strict=True):
        np.testing.assert_allclose(found, value, **TOLERANCE)


@pytest.mark.parametrize(("length", "new_tokens"), [(1, 10), (5, 6), (9, 2)])
def test_the_host_loop_takes_a_prompt(program, length, new_tokens):
    prompt = PROMPT[:, :length]
    steps = list(decode_steps(program, WEIGHTS, prompt, new_tokens))
    tokens = rollout(program, WEIGHTS, prompt, new_tokens)
    assert tokens.shape == (1, length + new_tokens)
    expected = storylm0.forward(np, WEIGHTS, tokens[:, :-1])[:, length - 1 :]
    logits = np.concatenate([step.logits for step in steps], axis=1)
    np.testing.assert_allclose(logits, expected, **TOLERANCE)
    best = np.sort(expected, axis=2)
    assert (best[..., -1] - best[..., -2]).min() > 1e-3, "no tie for rounding to decide"
    np.testing.assert_array_equal(tokens[:, length:], expected.argmax(axis=2))
    assert [step.k.shape[3] for step in steps] == [*range(length, length + new_tokens)]


def test_pytorch_gives_the_same_logits(program):
    torch = pytest.importorskip("torch")
    weights = {name: torch.from_numpy(array) for name, array in WEIGHTS.items()}
    expected = storylm0.forward(torch, weights, torch.from_numpy(PROMPT[:, :9]))[:, -1:]
    _, _, last = program.prefill_9(WEIGHTS, PROMPT[:, :9])
    np.testing.assert_allclose(last, expected.numpy(), **TOLERANCE)


def test_the_program_is_what_the_oracle_says(program):
    assert_as_interpreted(program, storylm0_source("prefill"))
