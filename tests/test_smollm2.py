"""SmolLM2-135M as a compiled program, against what transformers and torch gave for the same file.

The recorded values are in data/smollm2_greedy.json; data/README.md says how they were made.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kina.generation.generator import Generator, load_generator
from kina.generation.loop import Generation
from support.artifacts import smollm2_gguf, smollm2_library

CASES = json.loads((Path(__file__).parent / "data" / "smollm2_greedy.json").read_text("utf-8"))[
    "cases"
]
NEAR_TIE = 2e-3
"""Float32 sums in another order move these logits, which reach 45, by less."""


@pytest.fixture(scope="module")
def generator() -> Generator:
    return load_generator(smollm2_library(), smollm2_gguf())


def by_prompt(values):
    return pytest.mark.parametrize("case", values, ids=lambda case: case["prompt"][:12])


@by_prompt(CASES)
def test_prompt_ids(generator, case):
    assert generator.tokenizer.encode(case["prompt"]) == case["prompt_ids"]


@by_prompt(CASES)
def test_last_logits(generator, case):
    model = generator.model
    logits = model.forward(case["prompt_ids"], model.new_cache())
    ids, expected = zip(*case["last_logits_top20"], strict=True)
    np.testing.assert_allclose(logits[list(ids)], expected, rtol=0, atol=NEAR_TIE)
    others = np.delete(logits, ids)
    assert others.max() <= min(expected) + NEAR_TIE


@by_prompt(CASES)
def test_greedy_tokens(generator, case):
    steps = len(case["greedy_ids"])
    generation = Generation(generator.model, case["prompt_ids"], max_new_tokens=steps)
    tokens = list(generation)
    assert len(tokens) == steps == 48
    assert generation.reason == "length"
    for token, expected, gap in zip(
        tokens, case["greedy_ids"], case["greedy_top2_gap"], strict=True
    ):
        if token != expected:
            assert gap < NEAR_TIE
            return  # what follows continues another text
    assert generator.tokenizer.decode(tokens) == case["greedy_text"]


@by_prompt(CASES[:1])
def test_the_text_ends_before_the_end_token(generator, case):
    text, end, _ = case["greedy_text"].partition("<|im_end|>")
    assert end
    stream = generator.stream(case["prompt"])
    assert "".join(stream) == text
    assert stream.generation.reason == "eos"


@by_prompt(CASES[3:4])
def test_without_a_cache_the_text_is_the_same(generator, case):
    cached = generator.generate(case["prompt"], 16)
    assert generator.generate(case["prompt"], 16, use_cache=False) == cached
    assert case["greedy_text"].startswith(cached)


@by_prompt(CASES[1:5:3])
@pytest.mark.parametrize("first", [1, 5, 9])
def test_a_prompt_in_two_parts_equals_the_whole(generator, case, first):
    model, ids = generator.model, case["prompt_ids"][:10]
    whole = model.forward(ids, model.new_cache())
    cache = model.new_cache()
    model.forward(ids[:first], cache)
    parts = model.forward(ids[first:], cache) if first < len(ids) else whole
    # As far apart as the same sums are in NumPy, token by token and all at once.
    np.testing.assert_allclose(parts, whole, rtol=0, atol=3e-4)


def test_every_step_equals_a_prefill_of_its_prefix(generator):
    model, case = generator.model, CASES[1]
    sequence = list(case["prompt_ids"])
    cache = model.new_cache()
    step = model.forward(sequence, cache)
    for _ in range(32):
        whole = model.forward(sequence, model.new_cache())
        np.testing.assert_allclose(step, whole, rtol=0, atol=3e-4)
        assert step.argmax() == whole.argmax()
        sequence.append(int(step.argmax()))
        step = model.forward(sequence[-1:], cache)


def test_a_long_prompt_goes_through_in_chunks(generator):
    """A prompt longer than any chunk, against the same prompt token by token at its end."""
    model = generator.model
    text = " ".join(case["prompt"] + case["greedy_text"] for case in CASES)
    ids = generator.tokenizer.encode(text)
    ids = (ids * 3)[: max(model.chunk_sizes) + 37]
    whole = model.forward(ids, model.new_cache())
    cache = model.new_cache()
    model.forward(ids[:-5], cache)
    for token in ids[-5:]:
        last = model.forward([token], cache)
    np.testing.assert_allclose(last, whole, rtol=0, atol=3e-4)
