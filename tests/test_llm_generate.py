"""A loop in the program that generates until every text has ended, beside the same in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import kina
from kina.runtime import CallError
from support.artifacts import llm_generate_library, llm_generate_source
from support.interpreted import assert_as_interpreted

B, D, V, N = 2, 4, 8, 12
END = 0
TEXTS = ([1, 3], [5, 2], [7, 4], [6, END])


def pattern(first: int, step: int, *shape: int) -> np.ndarray:
    """Finite float32 numbers, all of them eighths."""
    return (
        ((first + step * np.arange(np.prod(shape))) % 17 / 8 - 1).astype(np.float32).reshape(shape)
    )


WEIGHTS = {"embed": pattern(6, 1, V, D), "mix": pattern(3, 3, D, D), "head": pattern(5, 12, D, V)}


def in_numpy(state: np.ndarray, token: np.ndarray) -> tuple[np.ndarray, int, np.ndarray, float]:
    """Tokens, steps and last state, in F64; and by how much a token won, at the least."""
    tokens, steps, margin = np.full((B, N), END), 0, np.inf
    state = state.astype(np.float64)
    while steps < N and (token != END).any():
        state = np.tanh(state @ WEIGHTS["mix"] + WEIGHTS["embed"][token])
        logits = state @ WEIGHTS["head"]
        second, first = np.sort(logits, axis=1).T[-2:]
        margin = min(margin, float((first - second).min()))
        token = np.where(token == END, END, logits.argmax(axis=1))
        tokens[:, steps] = token
        steps += 1
    return tokens, steps, state, margin


@pytest.fixture(scope="module")
def program():
    return kina.load(llm_generate_library())


@pytest.mark.parametrize("text", TEXTS)
def test_it_generates_what_numpy_does(program, text):
    state, token = np.zeros((B, D), np.float32), np.array(text)
    expected, steps, last, margin = in_numpy(state, token)
    assert margin > 1e-3  # far above what rounding can turn
    tokens, n, found = program.generate(WEIGHTS, state, token)
    np.testing.assert_array_equal(tokens, expected)
    assert int(n) == steps
    np.testing.assert_allclose(found, last, rtol=0, atol=1e-5)


def test_texts_end_at_different_steps(program):
    """Some before the last token, one not at all; a row that has ended goes on with `end`."""
    state = np.zeros((B, D), np.float32)
    results = [program.generate(WEIGHTS, state, np.array(text)) for text in TEXTS]
    assert [int(n) for _, n, _ in results] == [4, 12, 4, 3]
    assert results[0][0].tolist() == [[1, 6] + [END] * 10, [4, 4, 2] + [END] * 9]
    assert results[1][0].tolist() == [[1] + [6] * 11, [END] * 12]


@pytest.mark.parametrize("text", TEXTS)
def test_the_loop_is_the_hosts_loop_over_one_step(program, text):
    """Within rounding: the order of a sum may be another in another program."""
    state, token = np.zeros((B, D), np.float32), np.array(text)
    tokens, n, last = program.generate(WEIGHTS, state, token)
    for step in range(int(n)):
        state, following = program.step(WEIGHTS, state, token)
        token = np.where(token == END, END, following)
        np.testing.assert_array_equal(tokens[:, step], token)
    np.testing.assert_allclose(last, state, rtol=0, atol=1e-6)
    assert int(n) == N or not (token != END).any()


def test_texts_that_have_ended_take_no_step(program):
    state = pattern(0, 5, B, D)
    tokens, n, last = program.generate(WEIGHTS, state, np.array([END, END]))
    assert int(n) == 0 and (tokens == END).all() and last.tobytes() == state.tobytes()


def test_a_token_that_has_no_row_is_refused(program):
    state = np.zeros((B, D), np.float32)
    with pytest.raises(CallError, match=r"generate: parameter token: .* 0 \.\. 7, found 8$"):
        program.generate(WEIGHTS, state, np.array([1, V]))


def test_the_program_is_what_the_oracle_says(program):
    assert_as_interpreted(program, llm_generate_source())
