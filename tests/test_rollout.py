"""32 tokens, greedy and drawn, and the same from a checkpoint (Section 23)."""

from __future__ import annotations

import numpy as np
import pytest

import kina
from kina.generation.errors import GenerationError
from kina.generation.host_loop import decode_steps, gumbel_picker, picker, rollout
from kina.generation.sampling import Sampling, gumbel_noise
from kina.models.checkpoint import load_checkpoint, save_checkpoint
from reference import storylm0
from support.artifacts import storylm0_library, storylm0_source
from support.interpreted import assert_as_interpreted

WEIGHTS = storylm0.patterned_weights()
SEED = np.array([[storylm0.SEED_TOKEN]])
NEW_TOKENS = 32
TEMPERATURE, NOISE_SEED = 0.8, 4
# Sums of a dozen float32 products of magnitude 1, in whatever order.
TOLERANCE = {"rtol": 0, "atol": 1e-5}


@pytest.fixture(scope="module")
def program():
    return kina.load(storylm0_library("rollout"))


def pickers(program):
    """Every way to pick, by the host and by the program."""
    return {
        "greedy": picker(),
        "greedy_one": lambda logits, step: program.greedy_one(logits),
        "drawn": gumbel_picker(TEMPERATURE, NOISE_SEED),
        "sample_one": gumbel_picker(TEMPERATURE, NOISE_SEED, program.sample_one),
        "filtered": picker(Sampling(TEMPERATURE, top_k=5, top_p=0.9, seed=NOISE_SEED)),
    }


def expected_tokens(score) -> np.ndarray:
    """The tokens with the best score [V] of logits [V] and the step, by the causal forward alone."""
    tokens = SEED
    for step in range(NEW_TOKENS):
        scores = score(storylm0.forward(np, WEIGHTS, tokens)[0, -1], step)
        best = np.sort(scores)
        assert best[-1] - best[-2] > 1e-3, "no tie for rounding to decide"
        tokens = np.append(tokens, [[scores.argmax()]], axis=1)
    return tokens


def drawn_score(logits: np.ndarray, step: int) -> np.ndarray:
    return logits / TEMPERATURE + gumbel_noise(NOISE_SEED, step, len(logits))


@pytest.mark.parametrize("way", ["greedy", "greedy_one"])
def test_32_greedy_tokens(program, way):
    tokens = rollout(program, WEIGHTS, SEED, NEW_TOKENS, pickers(program)[way])
    np.testing.assert_array_equal(tokens, expected_tokens(lambda logits, step: logits))


@pytest.mark.parametrize("way", ["drawn", "sample_one"])
def test_32_drawn_tokens(program, way):
    tokens = rollout(program, WEIGHTS, SEED, NEW_TOKENS, pickers(program)[way])
    np.testing.assert_array_equal(tokens, expected_tokens(drawn_score))
    assert len({*tokens[0].tolist()}) > 5, "a draw visits what greedy does not"


@pytest.mark.parametrize("way", ["greedy", "drawn"])
def test_every_step_equals_the_algebra_and_the_causal_forward(program, way):
    steps = list(decode_steps(program, WEIGHTS, SEED, NEW_TOKENS, pickers(program)[way]))
    tokens, k, v = SEED, None, None
    for step in steps:
        k, v, logits = storylm0.decode(np, WEIGHTS, tokens[:, -1:], k, v)
        np.testing.assert_allclose(step.k, k, **TOLERANCE)
        np.testing.assert_allclose(step.v, v, **TOLERANCE)
        np.testing.assert_allclose(step.logits, logits, **TOLERANCE)
        tokens = np.append(tokens, step.token, axis=1)
    logits = np.concatenate([step.logits for step in steps], axis=1)
    np.testing.assert_allclose(logits, storylm0.forward(np, WEIGHTS, tokens[:, :-1]), **TOLERANCE)


@pytest.mark.parametrize("way", ["greedy_one", "sample_one", "filtered"])
def test_a_checkpoint_gives_the_same_bytes(program, tmp_path, way):
    path = tmp_path / "storylm0.safetensors"
    save_checkpoint(path, WEIGHTS)
    reloaded = load_checkpoint(path)
    assert reloaded.keys() == WEIGHTS.keys()
    pick = pickers(program)[way]
    before = list(decode_steps(program, WEIGHTS, SEED, NEW_TOKENS, pick))
    after = list(decode_steps(kina.load(program.path), reloaded, SEED, NEW_TOKENS, pick))
    for one, other in zip(before, after, strict=True):
        assert one.token.tobytes() == other.token.tobytes()
        assert one.logits.tobytes() == other.logits.tobytes()
    again = tmp_path / "again.safetensors"
    save_checkpoint(again, reloaded)
    assert again.read_bytes() == path.read_bytes()


def test_the_seed_decides_the_draw(program):
    def draw(seed: int) -> bytes:
        pick = gumbel_picker(TEMPERATURE, seed, program.sample_one)
        return rollout(program, WEIGHTS, SEED, NEW_TOKENS, pick).tobytes()

    assert draw(1) == draw(1)
    assert len({draw(seed) for seed in range(20)}) == 20


def test_token_33_needs_a_past_that_was_not_compiled(program):
    with pytest.raises(GenerationError, match="no 'decode_s32', so it cannot make token 33 of 33"):
        rollout(program, WEIGHTS, SEED, NEW_TOKENS + 1)


def test_the_program_is_what_the_oracle_says(program):
    assert_as_interpreted(program, storylm0_source("rollout"))
