"""One decode step and one prefill for every length: dimensions that are open until a call.

They are compared with the growing family of Section 23 and the scratch of Section 22, with the algebra
of Section 20 and with the causal forward over the whole prefix.
"""

from __future__ import annotations

import numpy as np
import pytest

import kina
from kina.generation.errors import GenerationError
from kina.generation.host_loop import decode_steps, gumbel_picker, picker, rollout
from kina.runtime import CallError
from reference import storylm0
from support.artifacts import storylm0_library, storylm0_source
from support.interpreted import assert_as_interpreted

WEIGHTS = storylm0.patterned_weights()
SEED = np.array([[storylm0.SEED_TOKEN]])
PROMPT = np.array([[3, 1, 4, 1, 5]])
CAPACITY = 32
# Sums of a dozen float32 products of magnitude 1, in whatever order.
TOLERANCE = {"rtol": 0, "atol": 1e-5}


@pytest.fixture(scope="module")
def program():
    return kina.load(storylm0_library("any"))


def test_two_signatures_serve_every_length(program):
    prefill, decode = program.manifest.signatures
    assert [prefill.name, decode.name] == ["prefill_any", "decode_any"]
    (length,), (past,) = prefill.open, decode.open
    assert (length.name, length.least, length.most) == ("T", 1, 32)
    assert (past.name, past.least, past.most) == ("S", 1, 31)
    assert [r.alias for r in decode.results] == ["k_past", "v_past", None]


@pytest.mark.parametrize("pick", [picker(), gumbel_picker(0.8, seed=4)], ids=["greedy", "sampled"])
def test_the_three_forms_give_the_same_tokens_and_logits(program, pick):
    steps = {
        form: list(decode_steps(one, WEIGHTS, SEED, CAPACITY, pick))
        for form, one in {
            "any": program,
            "growing": kina.load(storylm0_library("rollout")),
            "scratch": kina.load(storylm0_library("scratch")),
        }.items()
    }
    assert len(steps["any"]) == CAPACITY
    for other in ("growing", "scratch"):
        for length, (one, same) in enumerate(zip(steps["any"], steps[other], strict=True), 1):
            np.testing.assert_array_equal(one.token, same.token)
            np.testing.assert_allclose(one.logits, same.logits, **TOLERANCE)
            assert one.k.shape == (1, 2, 2, length) and one.v.shape == (1, 2, length, 2)
            np.testing.assert_allclose(one.k, same.k, **TOLERANCE)
            np.testing.assert_allclose(one.v, same.v, **TOLERANCE)
    tokens = np.concatenate([SEED, *(step.token for step in steps["any"])], axis=1)
    logits = np.concatenate([step.logits for step in steps["any"]], axis=1)
    np.testing.assert_allclose(logits, storylm0.forward(np, WEIGHTS, tokens[:, :-1]), **TOLERANCE)


@pytest.mark.parametrize("past", [1, 2, 3, 30, 31])
def test_a_step_writes_one_position_of_the_hosts_buffer(program, past):
    """The past is whatever the buffers hold; the step of Section 20 says what comes of it."""
    random = np.random.default_rng(past)
    k, v = (random.normal(size=n).astype(np.float32) for n in ((1, 2, 2, 40), (1, 2, 40, 2)))
    k_before, v_before = k.copy(), v.copy()
    k_next, v_next, logits = program.decode_any(
        WEIGHTS, SEED, k[..., : past + 1], v[:, :, : past + 1]
    )
    assert k_next.base is k and v_next.base is v
    expected = storylm0.decode(np, WEIGHTS, SEED, k_before[..., :past], v_before[:, :, :past])
    for found, right in zip((k_next, v_next, logits), expected):
        np.testing.assert_allclose(found, right, **TOLERANCE)
    others = np.arange(40) != past
    assert k[..., others].tobytes() == k_before[..., others].tobytes()
    assert v[:, :, others].tobytes() == v_before[:, :, others].tobytes()


@pytest.mark.parametrize("past", [0, 32])
def test_a_past_outside_the_bound_is_refused(program, past):
    k, v = np.zeros((1, 2, 2, past + 1), np.float32), np.zeros((1, 2, past + 1, 2), np.float32)
    with pytest.raises(CallError) as refusal:
        program.decode_any(WEIGHTS, SEED, k, v)
    assert str(refusal.value) == (
        "decode_any: parameter k_past: expected F32[1, 2, 2, S + 1] with S in 1 .. 31, "
        f"found F32[1, 2, 2, {past + 1}]"
    )


@pytest.mark.parametrize("length", [1, 2, 3, 31, 32])
def test_a_prompt_of_any_length_at_once(program, length):
    prompt = np.resize(PROMPT, (1, length))
    k, v, last = program.prefill_any(WEIGHTS, prompt)
    assert k.shape == (1, 2, 2, length) and v.shape == (1, 2, length, 2)
    expected_k = expected_v = None
    for token in prompt.T:
        expected_k, expected_v, expected = storylm0.decode(
            np, WEIGHTS, token[None], expected_k, expected_v
        )
    np.testing.assert_allclose(k, expected_k, **TOLERANCE)
    np.testing.assert_allclose(v, expected_v, **TOLERANCE)
    np.testing.assert_allclose(last, expected, **TOLERANCE)


@pytest.mark.parametrize("length", [0, 33])
def test_a_prompt_outside_the_bound_is_refused(program, length):
    with pytest.raises(CallError, match=rf"T in 1 .. 32, found I64\[1, {length}\]"):
        program.prefill_any(WEIGHTS, np.zeros((1, length), np.int64))


@pytest.mark.parametrize("length", [1, 3, 5])
def test_a_prompt_and_the_steps_after_it(program, length):
    prompt = np.resize(PROMPT, (1, length))
    tokens = rollout(program, WEIGHTS, prompt, 10)
    expected = storylm0.forward(np, WEIGHTS, tokens[:, :-1])[:, length - 1 :]
    best = np.sort(expected, axis=2)
    assert (best[..., -1] - best[..., -2]).min() > 1e-3, "no tie for rounding to decide"
    np.testing.assert_array_equal(tokens[:, length:], expected.argmax(axis=2))


def test_the_capacity_is_filled_and_not_passed(program):
    assert rollout(program, WEIGHTS, PROMPT, CAPACITY - 4).shape == (1, CAPACITY + 1)
    steps = decode_steps(program, WEIGHTS, PROMPT, CAPACITY - 3)
    for _ in range(CAPACITY - 4):
        next(steps)
    with pytest.raises(GenerationError, match="holds 32 tokens, so it cannot make token 29 of 29"):
        next(steps)


def test_the_program_is_what_the_oracle_says(program):
    assert_as_interpreted(program, storylm0_source("any"))
