"""The host loop over static signatures, on StoryLM-0's algebra in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from kina.generation.errors import GenerationError
from kina.generation.host_loop import decode_steps, picker, rollout
from kina.generation.sampling import Sampling
from reference import storylm0

WEIGHTS = storylm0.patterned_weights()
SEED = np.array([[storylm0.SEED_TOKEN]])


def test_each_step_equals_the_full_forward_of_the_prefix():
    program = storylm0.NumpyStory(longest_past=5)
    tokens = SEED
    for past, step in enumerate(decode_steps(program, WEIGHTS, SEED, 6)):
        assert step.k.shape == (1, 2, 2, past + 1)
        assert step.v.shape == (1, 2, past + 1, 2)
        expected = storylm0.forward(np, WEIGHTS, tokens)[:, -1:]
        np.testing.assert_allclose(step.logits, expected, rtol=0, atol=1e-6)
        assert step.token.dtype == np.int64
        np.testing.assert_array_equal(step.token, expected.argmax(axis=2))
        tokens = np.concatenate([tokens, step.token], axis=1)
    np.testing.assert_array_equal(rollout(program, WEIGHTS, SEED, 6), tokens)


def test_no_new_token_calls_nothing():
    np.testing.assert_array_equal(rollout(storylm0.NumpyStory(0), WEIGHTS, SEED, 0), SEED)


def test_a_past_that_was_not_compiled_is_named():
    program = storylm0.NumpyStory(longest_past=2)
    assert rollout(program, WEIGHTS, SEED, 3).shape == (1, 4)
    with pytest.raises(GenerationError) as refusal:
        rollout(program, WEIGHTS, SEED, 4)
    assert str(refusal.value) == (
        "the program has no 'decode_s3', so it cannot make token 4 of 4; "
        "it was compiled for decode_self, decode_s1, decode_s2"
    )


@pytest.mark.parametrize("length", [1, 2, 4])
def test_a_prompt_goes_through_token_by_token(length):
    program = storylm0.NumpyStory(longest_past=5)
    prompt = np.array([[3, 1, 4, 1]])[:, :length]
    (first, second) = decode_steps(program, WEIGHTS, prompt, 2)
    assert first.k.shape == (1, 2, 2, length)
    tokens = np.concatenate([prompt, first.token], axis=1)
    expected = storylm0.forward(np, WEIGHTS, tokens)[:, -2:]
    np.testing.assert_allclose(first.logits, expected[:, :1], rtol=0, atol=1e-6)
    np.testing.assert_allclose(second.logits, expected[:, 1:], rtol=0, atol=1e-6)
    tokens = np.concatenate([tokens, second.token], axis=1)
    np.testing.assert_array_equal(rollout(program, WEIGHTS, prompt, 2), tokens)


def test_a_prompt_that_is_empty_or_too_long_is_refused():
    program = storylm0.NumpyStory(longest_past=2)
    with pytest.raises(GenerationError, match="the prompt is empty; at least one token"):
        rollout(program, WEIGHTS, SEED[:, :0], 1)
    with pytest.raises(GenerationError, match="no 'decode_s3', so it cannot make token 1 of 9; "):
        rollout(program, WEIGHTS, np.array([[3, 1, 4, 1]]), 9)


def test_another_picker_takes_the_place_of_greedy():
    program = storylm0.NumpyStory(longest_past=2)
    steps = []

    def worst(logits: np.ndarray, step: int) -> np.ndarray:
        steps.append(step)
        return logits.argmin(axis=2)

    tokens = rollout(program, WEIGHTS, SEED, 3, worst)
    assert steps == [0, 1, 2]
    logits = storylm0.forward(np, WEIGHTS, tokens[:, :-1])
    np.testing.assert_array_equal(tokens[0, 1:], logits[0].argmin(axis=1))


def test_sampling_a_row_does_not_depend_on_the_rows_beside_it():
    random = np.random.default_rng(0)
    logits = random.normal(size=(4, 1, 50)).astype(np.float32)
    pick = picker(Sampling(seed=5))
    for step in range(20):
        together = pick(logits, step)
        assert together.shape == (4, 1)
        for row in range(4):
            np.testing.assert_array_equal(
                pick(logits[row : row + 1], step), together[row : row + 1]
            )


def test_greedy_takes_the_lowest_id_of_a_tie_and_refuses_nan():
    logits = np.zeros((1, 1, 8), np.float32)
    logits[0, 0, [2, 5, 7]] = 3
    assert picker()(logits, 0).tolist() == [[2]]
    logits[0, 0, 6] = np.nan
    with pytest.raises(GenerationError, match="step 4: the model gave 1 NaN and 0 infinite logits"):
        picker()(logits, 4)
