"""From text to text, on the NumPy decoder and a GGUF file of its weights."""

from __future__ import annotations

import pytest

from kina.generation.errors import GenerationError
from kina.generation.generator import Generator, generator_from, load_generator
from kina.models.errors import ModelError
from kina.runtime import LoadError
from reference.llama_numpy import forward, numpy_program
from reference.storylm0 import NumpyStory
from support import gguf_bytes as g
from support import tiny_llama as tiny

MODEL = tiny.weights()


def greedy(tokens: list[int], count: int) -> bytes:
    """The bytes of greedy tokens; token b + 2 of the tiny vocabulary is byte b."""
    sequence = list(tokens)
    for _ in range(count):
        sequence.append(int(forward(MODEL, tiny.SHAPE, sequence)[-1].argmax()))
    new = sequence[len(tokens) :]
    assert all(2 <= token < 258 for token in new), "plain bytes, for this test"
    return bytes(token - 2 for token in new)


@pytest.fixture
def make(tmp_path):
    def make(**options) -> Generator:
        path = tmp_path / "model.gguf"
        path.write_bytes(tiny.gguf_file(MODEL, **options))
        return generator_from(tiny.program(MODEL), path)

    return make


ABC = [2 + byte for byte in b"abc"]


def test_text_is_that_of_the_greedy_tokens(make):
    expected = greedy(ABC, 20).decode(errors="replace")
    assert make().generate("abc", 20) == expected
    assert make().generate("abc", 20, use_cache=False) == expected
    stream = make().stream("abc", 20)
    pieces = list(stream)
    assert all(pieces)
    assert "".join(pieces) == expected
    assert len(pieces) > 3
    assert stream.generation.reason == "length"


def test_an_end_inside_a_character_shows_one_replacement(make):
    """Every length: where the tokens end inside a character there is U+FFFD, and never two texts."""
    for count in range(1, 20):
        expected = greedy(ABC, count).decode(errors="replace")
        assert make().generate("abc", count) == expected


def test_a_stop_string_ends_the_text_before_itself(make):
    text = greedy(ABC, 20).decode(errors="replace")
    stop = text[4:7]
    stream = make().stream("abc", 20, stop=[stop])
    assert "".join(stream) == text[: text.index(stop)]
    assert stream.generation.reason == "stop"
    stream = make().stream("abc", 20, stop=["not in it"])
    assert ("".join(stream), stream.generation.reason) == (text, "length")


def test_a_stop_string_that_begins_and_does_not_end_is_shown(make):
    text = greedy(ABC, 20).decode(errors="replace")
    stream = make().stream("abc", 20, stop=[text[-1] + "more"])
    assert ("".join(stream), stream.generation.reason) == (text, "length")


def test_the_end_token_of_the_file_ends_the_text(make):
    tokens = greedy(ABC, 20)
    end = g.key("tokenizer.ggml.eos_token_id", g.U32, tokens[0] + 2)
    stream = make(replace={"tokenizer.ggml.eos_token_id": end}).stream("abc", 20)
    assert ("".join(stream), stream.generation.reason) == ("", "eos")


def test_a_beginning_that_the_file_asks_for_is_fed(make):
    assert make(bos=True).generate("abc", 3) == greedy([1, *ABC], 3).decode(errors="replace")
    assert make(bos=True).generate("", 3) == greedy([1], 3).decode(errors="replace")
    with pytest.raises(ModelError, match="the prompt is empty"):
        make().generate("", 3)


def test_control_tokens_of_the_prompt_are_fed_or_are_text(make):
    text = tiny.START + "abc"
    assert make().generate(text, 3) == greedy([1, *ABC], 3).decode(errors="replace")
    as_text = [2 + byte for byte in text.encode()]
    plain = make().generate(text, 3, parse_special=False)
    assert plain == greedy(as_text, 3).decode(errors="replace")


def test_a_file_of_another_size_is_refused(make, tmp_path):
    other = {**MODEL, "layers": {name: a[:1] for name, a in MODEL["layers"].items()}}
    make()
    with pytest.raises(ModelError, match="n_layers is 2 in the file and 1 in the program"):
        generator_from(tiny.program(other), tmp_path / "model.gguf")
    with pytest.raises(GenerationError, match="no signature 'decode'"):
        generator_from(NumpyStory(1), tmp_path / "model.gguf")


def test_a_vocabulary_of_another_size_than_the_logits_is_refused(tmp_path):
    longer = {**MODEL, "embed": MODEL["embed"][:-1]}
    size = g.key("llama.vocab_size", g.U32, tiny.VOCABULARY - 1)
    path = tmp_path / "model.gguf"
    path.write_bytes(tiny.gguf_file(longer, replace={"llama.vocab_size": size}))
    program = numpy_program(longer, tiny.SHAPE, capacity=10, chunks=())
    with pytest.raises(GenerationError, match="263 tokens have names, .* gives logits for 262"):
        generator_from(program, path)


def test_a_library_that_is_none_is_refused(tmp_path):
    with pytest.raises(LoadError, match="No such file"):
        load_generator(tmp_path / "missing.so", tmp_path / "missing.gguf")
