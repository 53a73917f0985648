"""A cache of capacity T_max and one decode step for every past length (Section 22).

It is compared with the growing family of Section 23, with the algebra of Section 20 and with the causal
forward over the whole prefix.
"""

from __future__ import annotations

import numpy as np
import pytest

import kina
from kina.generation.errors import GenerationError
from kina.generation.host_loop import decode_steps, gumbel_picker, picker, rollout
from reference import storylm0
from support.artifacts import storylm0_library, storylm0_source
from support.interpreted import assert_as_interpreted

WEIGHTS = storylm0.patterned_weights()
SEED = np.array([[storylm0.SEED_TOKEN]])
PROMPT = np.array([[3, 1, 4, 1, 5]])
T_MAX = 32
# Sums of a dozen float32 products of magnitude 1, in whatever order.
TOLERANCE = {"rtol": 0, "atol": 1e-5}


@pytest.fixture(scope="module")
def program():
    return kina.load(storylm0_library("scratch"))


def empty_scratch() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((1, 2, 2, T_MAX), np.float32), np.zeros((1, 2, T_MAX, 2), np.float32)


def test_one_signature_serves_every_past_length(program):
    (decode,) = (s for s in program.manifest.signatures if s.name.startswith("decode"))
    donated = {p.name: p.shape for p in decode.parameters if p.donated}
    assert donated == {"k_scratch": (1, 2, 2, T_MAX), "v_scratch": (1, 2, T_MAX, 2)}
    assert [r.alias for r in decode.results] == ["k_scratch", "v_scratch", None]


@pytest.mark.parametrize("pick", [picker(), gumbel_picker(0.8, seed=4)], ids=["greedy", "sampled"])
def test_it_gives_the_tokens_and_logits_of_the_growing_family(program, pick):
    family = kina.load(storylm0_library("rollout"))
    growing = list(decode_steps(family, WEIGHTS, SEED, T_MAX, pick))
    scratch = list(decode_steps(program, WEIGHTS, SEED, T_MAX, pick))
    assert len(scratch) == T_MAX
    for length, (one, other) in enumerate(zip(scratch, growing, strict=True), 1):
        np.testing.assert_array_equal(one.token, other.token)
        np.testing.assert_allclose(one.logits, other.logits, **TOLERANCE)
        assert one.k.shape == (1, 2, 2, length)
        np.testing.assert_allclose(one.k, other.k, **TOLERANCE)
        np.testing.assert_allclose(one.v, other.v, **TOLERANCE)
    tokens = np.concatenate([SEED, *(step.token for step in scratch)], axis=1)
    logits = np.concatenate([step.logits for step in scratch], axis=1)
    np.testing.assert_allclose(logits, storylm0.forward(np, WEIGHTS, tokens[:, :-1]), **TOLERANCE)


def test_a_step_writes_one_position_of_the_hosts_buffer(program):
    random = np.random.default_rng(0)
    k, v = (random.normal(size=a.shape).astype(np.float32) for a in empty_scratch())
    for length in (0, 1, 17, T_MAX - 1):
        k_before, v_before = k.copy(), v.copy()
        k_after, v_after, _ = program.decode_scratch(WEIGHTS, SEED, length, k, v)
        assert k_after is k and v_after is v
        k_new, v_new, _ = storylm0.decode(np, WEIGHTS, SEED, None, None)
        k_before[..., length : length + 1] = k_new
        v_before[:, :, length : length + 1] = v_new
        others = np.arange(T_MAX) != length
        assert k[..., others].tobytes() == k_before[..., others].tobytes()
        assert v[:, :, others].tobytes() == v_before[:, :, others].tobytes()
        np.testing.assert_allclose(k, k_before, **TOLERANCE)
        np.testing.assert_allclose(v, v_before, **TOLERANCE)


def test_what_lies_behind_the_prefix_does_not_matter(program):
    """Any finite numbers: zeros are what the host begins with, not what the step needs."""
    k, v = empty_scratch()
    for length, token in enumerate(PROMPT.T):
        k_other, v_other = k.copy(), v.copy()
        k_other[..., length:], v_other[:, :, length:] = 1e30, -1e30
        _, _, other = program.decode_scratch(WEIGHTS, token[None], length, k_other, v_other)
        _, _, logits = program.decode_scratch(WEIGHTS, token[None], length, k, v)
        assert other.tobytes() == logits.tobytes()


def test_a_prompt_is_padded_with_zeros_and_its_prefix_is_sliced(program):
    k, v, last = program.prefill_5(WEIGHTS, PROMPT)
    k_prompt, v_prompt = program.prefix_5(k, v)
    expected_k = expected_v = expected = None
    for token in PROMPT.T:
        expected_k, expected_v, expected = storylm0.decode(
            np, WEIGHTS, token[None], expected_k, expected_v
        )
    np.testing.assert_allclose(k_prompt, expected_k, **TOLERANCE)
    np.testing.assert_allclose(v_prompt, expected_v, **TOLERANCE)
    np.testing.assert_allclose(last, expected, **TOLERANCE)
    assert k[..., :5].tobytes() == k_prompt.tobytes() and not k[..., 5:].any()
    assert v[:, :, :5].tobytes() == v_prompt.tobytes() and not v[:, :, 5:].any()


def test_the_growing_family_continues_from_a_prefix(program):
    """prefill_5 and two steps in the scratch; decode_s5 from prefix_5 takes the same way."""
    family = kina.load(storylm0_library("rollout"))
    k, v, last = program.prefill_5(WEIGHTS, PROMPT)
    token = last.argmax(axis=2)
    k_next, _, expected = family.decode_s5(WEIGHTS, token, *program.prefix_5(k, v))
    k, _, logits = program.decode_scratch(WEIGHTS, token, 5, k, v)
    np.testing.assert_allclose(logits, expected, **TOLERANCE)
    np.testing.assert_allclose(k[..., :6], k_next, **TOLERANCE)


@pytest.mark.parametrize("length", [1, 3, 5])
def test_a_prompt_at_once_or_token_by_token(program, length):
    """Five tokens have a prefill; one and three go through decode_scratch."""
    prompt = PROMPT[:, :length]
    tokens = rollout(program, WEIGHTS, prompt, 10)
    expected = storylm0.forward(np, WEIGHTS, tokens[:, :-1])[:, length - 1 :]
    best = np.sort(expected, axis=2)
    assert (best[..., -1] - best[..., -2]).min() > 1e-3, "no tie for rounding to decide"
    np.testing.assert_array_equal(tokens[:, length:], expected.argmax(axis=2))


def test_the_capacity_is_filled_and_not_passed(program):
    """T_max tokens are fed: the prompt and all new ones but the last."""
    assert rollout(program, WEIGHTS, PROMPT, T_MAX - 4).shape == (1, T_MAX + 1)
    steps = decode_steps(program, WEIGHTS, PROMPT, T_MAX - 3)
    made = [next(steps).token for _ in range(T_MAX - 4)]
    with pytest.raises(GenerationError) as refusal:
        next(steps)
    assert str(refusal.value) == (
        "the program's cache holds 32 tokens, so it cannot make token 29 of 29"
    )
    np.testing.assert_array_equal(
        np.concatenate(made, axis=1), rollout(program, WEIGHTS, PROMPT, T_MAX - 4)[:, 5:]
    )


def test_a_prompt_as_long_as_the_capacity_gives_one_token(program):
    prompt = np.resize(PROMPT, (1, T_MAX))
    tokens = rollout(program, WEIGHTS, prompt, 1)
    expected = storylm0.forward(np, WEIGHTS, prompt)[:, -1:].argmax(axis=2)
    np.testing.assert_array_equal(tokens[:, T_MAX:], expected)
    with pytest.raises(GenerationError, match="holds 32 tokens, so it cannot make token 1 of 1"):
        rollout(program, WEIGHTS, np.resize(PROMPT, (1, T_MAX + 1)), 1)


def test_the_program_is_what_the_oracle_says(program):
    assert_as_interpreted(program, storylm0_source("scratch"))
