"""The NumPy reference against what transformers and torch gave for the real model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kina.models.config import read_config
from kina.models.gguf_header import read_header
from kina.models.weights import load_weights
from reference.llama_numpy import Shape, extend, forward
from support.artifacts import smollm2_gguf

RECORDED = json.loads(
    (Path(__file__).parent.parent / "data" / "smollm2_greedy.json").read_text("utf-8")
)


@pytest.fixture(scope="module")
def model():
    header = read_header(smollm2_gguf())
    config = read_config(header)
    shape = Shape(config.head_dim, config.norm_eps, config.rope_base)
    return load_weights(header, config), shape


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["prompt"][:12])
def test_last_logits_are_those_of_torch(model, case):
    weights, shape = model
    last = forward(weights, shape, case["prompt_ids"])[-1]
    ids, logits = zip(*case["last_logits_top20"], strict=True)
    np.testing.assert_allclose(last[list(ids)], logits, rtol=0, atol=2e-3)
    assert np.argsort(-last)[0] == ids[0]


def test_extending_a_cache_equals_the_whole_sequence(model):
    weights, shape = model
    tokens = np.array(RECORDED["cases"][4]["prompt_ids"])
    whole = forward(weights, shape, tokens)
    k_cache, v_cache = (np.full((30, 3, 20, 64), np.nan, np.float32) for _ in range(2))
    parts = [
        extend(weights, shape, tokens[start:end], start, k_cache, v_cache)
        for start, end in ((0, 9), (9, 10), (10, 14))
    ]
    np.testing.assert_allclose(np.concatenate(parts), whole, rtol=0, atol=2e-3)
