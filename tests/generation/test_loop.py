"""Requests from prompt to reason of the end, on the NumPy decoder."""

from __future__ import annotations

import numpy as np
import pytest

from kina.generation.cached_model import cached_model
from kina.generation.errors import GenerationError
from kina.generation.loop import Generation, generate
from kina.generation.sampling import GREEDY, Sampling
from reference.llama_numpy import forward
from support import tiny_llama as tiny

MODEL = tiny.weights()
PROMPT = [5, 100, 7, 7, 200, 31, 0, 250, 90, 12]


def make(capacity: int = tiny.CONTEXT):
    return cached_model(tiny.program(MODEL, capacity=capacity), MODEL)


def run(model, prompt, max_new_tokens, **options):
    generation = Generation(model, prompt, max_new_tokens=max_new_tokens, **options)
    assert generation.reason is None
    return list(generation), generation.reason


def greedy(prompt: list[int], count: int) -> list[int]:
    """Greedy tokens by a full forward of the prefix at each step."""
    sequence = list(prompt)
    for _ in range(count):
        sequence.append(int(forward(MODEL, tiny.SHAPE, sequence)[-1].argmax()))
    return sequence[len(prompt) :]


def test_greedy_tokens_are_those_of_full_forwards():
    expected = greedy(PROMPT[:3], 32)
    assert run(make(), PROMPT[:3], 32) == (expected, "length")
    assert run(make(), PROMPT[:3], 32, use_cache=False) == (expected, "length")


def test_without_a_cache_every_step_computes_the_whole_prefix():
    model = make()
    run(model, PROMPT[:4], 3, use_cache=False)
    assert model.program.calls == ["prefill_4", "prefill_8", "prefill_8"]


@pytest.mark.parametrize(
    ("prompt", "asked", "new", "reason"),
    [
        (9, 5, 1, "context"),  # capacity - 1: one token fills the context
        (10, 5, 0, "context"),
        (8, 2, 2, "length"),  # both at once: what was asked for was done
        (8, 3, 2, "context"),
        (1, 0, 0, "length"),
        (10, 0, 0, "length"),
    ],
)
def test_a_context_of_10(prompt, asked, new, reason):
    model = make(capacity=10)
    tokens, found = run(model, PROMPT[:prompt], asked)
    assert tokens == greedy(PROMPT[:prompt], new)
    assert found == reason
    # The next request is not touched by this one.
    assert run(model, PROMPT[:3], 4) == (greedy(PROMPT[:3], 4), "length")


def test_a_prompt_longer_than_the_context_is_refused_with_both_numbers():
    with pytest.raises(GenerationError) as refusal:
        run(make(capacity=9), PROMPT, 1)
    assert str(refusal.value) == "the prompt has 10 tokens; the context holds 9"


def test_what_is_no_request_is_refused():
    with pytest.raises(GenerationError, match="max_new_tokens is -1; 0 or more"):
        run(make(), PROMPT, -1)
    with pytest.raises(GenerationError, match="the prompt is empty"):
        run(make(), [], 1)


def test_an_end_token_ends_the_text_and_is_not_given_out():
    tokens = greedy(PROMPT, 20)
    end = next(token for token in tokens if token != tokens[0])
    before = tokens[: tokens.index(end)]
    assert run(make(), PROMPT, 20, ends={end, 1}) == (before, "eos")
    assert run(make(), PROMPT, 20, ends={tokens[0]}) == ([], "eos")


def test_statistics_count_what_was_fed():
    generation = Generation(make(), PROMPT, max_new_tokens=5)
    assert len(list(generation)) == 5
    assert generation.decode_steps == 4
    assert generation.prefill_seconds > 0
    assert generation.decode_seconds > 0


def test_a_seed_repeats_and_another_does_not():
    def sample(seed):
        return run(make(), PROMPT[:3], 30, sampling=Sampling(seed=seed))[0]

    assert sample(1) == sample(1)
    assert sample(1) != sample(2)
    # A longer request begins as a shorter one: noise depends on the step, not on their number.
    assert run(make(), PROMPT[:3], 10, sampling=Sampling(seed=1))[0] == sample(1)[:10]


@pytest.mark.parametrize("sampling", [GREEDY, Sampling()])
def test_unusable_logits_name_the_step(sampling):
    model = {**MODEL, "embed": MODEL["embed"].copy()}
    tokens = greedy(PROMPT, 3)
    assert len({*tokens, *PROMPT}) > len({*PROMPT})
    fresh = next(token for token in tokens if token not in PROMPT)
    # Feeding the first token that is new makes every logit NaN; before that, only its own is wrong.
    model["layers"] = MODEL["layers"]
    model["embed"][fresh] = np.nan
    with pytest.raises(GenerationError, match="step 0: the model gave 1 NaN and 0 infinite logits"):
        list(Generation(cached_model(tiny.program(model), model), PROMPT, max_new_tokens=5,
                        sampling=sampling))  # fmt: skip


def test_generate_gives_rows_of_prompt_and_new_tokens():
    prompts = np.array([PROMPT[:4], PROMPT[4:8]])
    sequences = generate(make(), prompts, 6)
    assert sequences.dtype == np.int64
    for row, prompt in zip(sequences, prompts.tolist(), strict=True):
        assert row.tolist() == prompt + greedy(prompt, 6)
    # A row alone is as it is beside others.
    alone = generate(make(), prompts[1:], 6, temperature=1.0, seed=3)
    both = generate(make(), prompts, 6, temperature=1.0, seed=3, use_cache=False)
    np.testing.assert_array_equal(both[1:], alone)


def test_generate_fills_a_row_that_ended_with_the_end():
    prompts = np.array([PROMPT[:4]])
    tokens = greedy(PROMPT[:4], 6)
    end = tokens[2]
    first = tokens.index(end)
    sequences = generate(make(), prompts, 6, end=end)
    assert sequences[0, 4:].tolist() == tokens[:first] + [end] * (6 - first)


def test_generate_refuses_what_does_not_fit():
    with pytest.raises(GenerationError, match="4 prompt tokens and 7 new ones are 11; .* holds 10"):
        generate(make(capacity=10), np.array([PROMPT[:4]]), 7)
