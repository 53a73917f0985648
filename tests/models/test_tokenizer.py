"""The tokenizer of a GGUF file."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from kina.models.errors import ModelError
from kina.models.gguf_header import read_header
from kina.models.tokenizer import TextTokenizer, read_tokenizer
from support import gguf_bytes as g
from support import tiny_llama as tiny
from support.artifacts import smollm2_gguf

RECORDED = json.loads(
    (Path(__file__).parent.parent / "data" / "smollm2_greedy.json").read_text("utf-8")
)


@pytest.fixture(scope="module")
def smollm2() -> TextTokenizer:
    return read_tokenizer(read_header(smollm2_gguf()))


@pytest.fixture
def tiny_tokenizer(tmp_path):
    def tiny_tokenizer(**options) -> TextTokenizer:
        path = tmp_path / "model.gguf"
        path.write_bytes(g.file(tiny.keys(**options), {}))
        return read_tokenizer(read_header(path))

    return tiny_tokenizer


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["prompt"][:12])
def test_ids_and_text_are_those_of_transformers(smollm2, case):
    assert smollm2.encode(case["prompt"]) == case["prompt_ids"]
    assert smollm2.decode(case["greedy_ids"]) == case["greedy_text"]
    assert smollm2.decode(case["prompt_ids"]) == case["prompt"]


def test_smollm2_ends_with_im_end_and_adds_no_beginning(smollm2):
    assert smollm2.pieces[2] == "<|im_end|>"
    assert smollm2.ends == {2}
    assert smollm2.bos is None


def test_control_tokens_in_a_text_are_read_as_such_or_as_text(smollm2):
    text = "<|im_start|>user"
    assert smollm2.encode(text) == [1, 4093]
    as_text = smollm2.encode(text, parse_special=False)
    assert 1 not in as_text
    assert smollm2.decode(as_text) == text
    assert smollm2.encode(text) == [1, 4093]  # one call does not change the next


def test_decode_equals_that_of_the_tokenizers_package(smollm2):
    generator = random.Random(0)
    for _ in range(1000):
        ids = [generator.randrange(len(smollm2.pieces)) for _ in range(generator.randrange(1, 40))]
        expected = smollm2._backend.decode(ids, skip_special_tokens=False)
        assert smollm2.decode(ids) == expected


# The tiny vocabulary: 0 and 1 are control tokens, byte b is b + 2, then he ll hell hello Ġw.
HELLO = 2 + 256 + 3


def test_merges_apply_in_their_order(tiny_tokenizer):
    tokenizer = tiny_tokenizer()
    assert tokenizer.encode("hello w") == [HELLO, HELLO + 1]
    assert tokenizer.encode("hell") == [HELLO - 1]
    assert tokenizer.encode("ello") == [2 + ord("e"), HELLO - 2, 2 + ord("o")]
    assert tokenizer.encode("é") == [2 + 0xC3, 2 + 0xA9]


def test_the_beginning_is_added_once_where_the_file_says_so(tiny_tokenizer):
    hello = [HELLO]
    assert tiny_tokenizer().encode("hello") == hello
    assert tiny_tokenizer(bos=False).encode("hello") == hello
    tokenizer = tiny_tokenizer(bos=True)
    assert tokenizer.encode("hello") == [1, *hello]
    assert tokenizer.encode(tiny.START + "hello") == [1, *hello]
    assert tokenizer.encode("hello" + tiny.START) == [1, *hello, 1]
    assert tokenizer.encode(tiny.START, parse_special=False)[:2] == [1, 2 + ord("<")]


def test_an_empty_text_is_refused_only_where_nothing_begins_it(tiny_tokenizer):
    assert tiny_tokenizer(bos=True).encode("") == [1]
    with pytest.raises(ModelError, match="the prompt is empty"):
        tiny_tokenizer(bos=False).encode("")


def test_a_byte_that_the_vocabulary_lacks_is_refused(smollm2):
    # SmolLM2 has no token for the control character 4; the package would drop it in silence.
    with pytest.raises(ModelError, match="no token for the byte 0x04"):
        smollm2.encode("a\x04b")


def test_a_text_that_is_not_unicode_is_refused(smollm2):
    with pytest.raises(ModelError, match="not Unicode"):
        smollm2.encode("a\udcffb")


def test_every_end_token_of_the_file_ends_a_text(tiny_tokenizer):
    key = g.key("tokenizer.ggml.eot_token_id", g.U32, 1)
    assert tiny_tokenizer(replace={"eot": key}).ends == {0, 1}
    assert tiny_tokenizer(without="tokenizer.ggml.eos_token_id").ends == set()


def test_a_user_defined_token_is_one_token_and_its_text(tiny_tokenizer):
    name = "tokenizer.ggml.token_type"
    types = g.array(name, g.I32, [3, 4] + [1] * (tiny.VOCABULARY - 2))
    tokenizer = tiny_tokenizer(replace={name: types})
    assert tokenizer.encode("a<|start|>a") == [2 + ord("a"), 1, 2 + ord("a")]
    assert tokenizer.decode([1]) == tiny.START


def test_an_added_token_outside_the_byte_alphabet_is_its_own_text(tiny_tokenizer):
    words = tiny.pieces()
    words[1] = "<the start 🙂>"
    name = "tokenizer.ggml.tokens"
    tokenizer = tiny_tokenizer(replace={name: g.array(name, g.STRING, words)})
    assert tokenizer.decode([1]) == words[1]
    assert tokenizer._backend.decode([1], skip_special_tokens=False) == words[1]


T = "tokenizer.ggml."
WORDS = tiny.pieces()
REFUSED = [
    ("model", g.key(T + "model", g.STRING, "llama"), "the tokenizer is 'llama' with"),
    ("pre", g.key(T + "pre", g.STRING, "qwen2"), "with pre-tokenizer 'qwen2'; Kina"),
    ("tokens", g.array(T + "tokens", g.STRING, []), "is no array of strings"),
    ("tokens", g.array(T + "tokens", g.U32, [1]), "is no array of strings"),
    ("merges", g.array(T + "merges", g.STRING, ["h zz"]), "merge 'h zz' is not between tokens"),
    ("merges", g.array(T + "merges", g.STRING, ["h"]), "merge 'h' is not between tokens"),
    ("eos_token_id", g.key(T + "eos_token_id", g.U32, 10**6), "is 1000000; an id below"),
    ("eos_token_id", g.key(T + "eos_token_id", g.STRING, "2"), "is '2'; an id below"),
]


@pytest.mark.parametrize(("key", "replacement", "message"), REFUSED)
def test_what_is_no_vocabulary_that_kina_runs_is_refused(tiny_tokenizer, key, replacement, message):
    with pytest.raises(ModelError) as refusal:
        tiny_tokenizer(replace={T + key: replacement})
    assert message in str(refusal.value)


def test_a_token_twice_and_a_beginning_without_a_token_are_refused(tiny_tokenizer):
    words = [*WORDS[:-1], "a"]
    with pytest.raises(ModelError, match="token 'a' is in the vocabulary twice"):
        tiny_tokenizer(replace={T + "tokens": g.array(T + "tokens", g.STRING, words)})
    with pytest.raises(ModelError, match="asks for a beginning-of-sequence token and names none"):
        tiny_tokenizer(bos=True, without=T + "bos_token_id")
    types = g.array(T + "token_type", g.I32, np.ones(5, int).tolist())
    with pytest.raises(ModelError, match=f"does not give a type to {len(WORDS)} tokens"):
        tiny_tokenizer(replace={T + "token_type": types})
