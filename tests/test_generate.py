"""StoryLM-0 as a compiled program: the host loop of Section 20, against NumPy and PyTorch.

All functions come from the one .so of kina/storylm0_generate.kina. The weights are a pattern of finite
float32 numbers, the seed token is 3, and three new tokens are made.
"""

from __future__ import annotations

import numpy as np
import pytest

import kina
from kina.generation.host_loop import decode_steps, rollout
from reference import storylm0
from support.artifacts import storylm0_library

WEIGHTS = storylm0.patterned_weights()
SEED = np.array([[storylm0.SEED_TOKEN]])
NEW_TOKENS = 3
# Sums of a dozen float32 products of magnitude 1, in whatever order.
TOLERANCE = {"rtol": 0, "atol": 1e-5}


@pytest.fixture(scope="module")
def program():
    return kina.load(storylm0_library())


def compiled_greedy(program):
    """The program's own argmax in the place of the host's."""
    return lambda logits, step: program.greedy_one(logits)


@pytest.fixture(scope="module")
def steps(program):
    return list(decode_steps(program, WEIGHTS, SEED, NEW_TOKENS, compiled_greedy(program)))


@pytest.fixture(scope="module")
def sequence(steps):
    return np.concatenate([SEED, *(step.token for step in steps)], axis=1)


def test_the_program_has_the_functions_of_section_20(program):
    signatures = {signature.name: signature for signature in program.manifest.signatures}
    assert signatures.keys() >= {"decode_self", "decode_s1", "decode_s2", "greedy_one"}
    results = [(r.dtype, r.shape) for r in signatures["decode_s2"].results]
    assert results == [("F32", (1, 2, 2, 3)), ("F32", (1, 2, 3, 2)), ("F32", (1, 1, 8))]


def test_every_step_equals_the_incremental_algebra(steps):
    token, k, v = SEED, None, None
    for step in steps:
        k, v, logits = storylm0.decode(np, WEIGHTS, token, k, v)
        np.testing.assert_allclose(step.k, k, **TOLERANCE)
        np.testing.assert_allclose(step.v, v, **TOLERANCE)
        np.testing.assert_allclose(step.logits, logits, **TOLERANCE)
        np.testing.assert_array_equal(step.token, logits.argmax(axis=2))
        token = step.token


def test_the_logits_equal_the_full_causal_forward(steps, sequence):
    logits = np.concatenate([step.logits for step in steps], axis=1)
    expected = storylm0.forward(np, WEIGHTS, sequence[:, :-1])
    np.testing.assert_allclose(logits, expected, **TOLERANCE)
    # The pattern gives four different tokens, and no near-tie that rounding could decide.
    assert len({*sequence[0]}) == 1 + NEW_TOKENS
    best = np.sort(expected, axis=2)
    assert (best[..., -1] - best[..., -2]).min() > 0.01
    np.testing.assert_array_equal(sequence[:, 1:], expected.argmax(axis=2))


def test_the_hosts_argmax_gives_the_same_sequence(program, sequence):
    np.testing.assert_array_equal(rollout(program, WEIGHTS, SEED, NEW_TOKENS), sequence)


def test_pytorch_gives_the_same_steps(steps, sequence):
    torch = pytest.importorskip("torch")
    weights = {name: torch.from_numpy(array) for name, array in WEIGHTS.items()}
    token, k, v = torch.from_numpy(SEED), None, None
    for step in steps:
        k, v, logits = storylm0.decode(torch, weights, token, k, v)
        np.testing.assert_allclose(step.k, k.numpy(), **TOLERANCE)
        np.testing.assert_allclose(step.v, v.numpy(), **TOLERANCE)
        np.testing.assert_allclose(step.logits, logits.numpy(), **TOLERANCE)
        token = logits.argmax(dim=2)
        np.testing.assert_array_equal(step.token, token.numpy())
    whole = storylm0.forward(torch, weights, torch.from_numpy(sequence[:, :-1])).numpy()
    np.testing.assert_allclose(
        np.concatenate([s.logits for s in steps], axis=1), whole, **TOLERANCE
    )


@pytest.mark.parametrize("tied", [(0, 1), (2, 5, 7), (6, 7), tuple(range(8))])
def test_argmax_takes_the_lowest_index_of_a_tie(program, tied):
    logits = np.full((1, 1, 8), -1, np.float32)
    logits[0, 0, list(tied)] = 2.5
    np.testing.assert_array_equal(program.greedy_one(logits), [[tied[0]]])


def test_equal_embeddings_of_the_head_tie_in_a_whole_step(program):
    """Columns 1 and 6 of the head are equal and win: the step's token is 1."""
    lm_head = WEIGHTS["lm_head"].copy()
    _, _, logits = storylm0.decode(np, WEIGHTS, SEED, None, None)
    winner = int(logits.argmax())
    lm_head[:, [1, 6]] = 2 * lm_head[:, [winner]]
    assert logits[0, 0, winner] > 0
    weights = {**WEIGHTS, "lm_head": lm_head}
    (step,) = decode_steps(program, weights, SEED, 1, compiled_greedy(program))
    assert step.logits[0, 0, 1] == step.logits[0, 0, 6] == step.logits.max()
    assert step.token.tolist() == [[1]]
