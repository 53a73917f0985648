"""Configurations of Llama-family files, and whether a compiled program fits them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kina.models.config import LlamaConfig, check_program, read_config
from kina.models.errors import ModelError
from kina.models.gguf_header import read_header
from support import gguf_bytes as g
from support import tiny_llama as tiny
from support.artifacts import smollm2_gguf


@pytest.fixture
def config_of(tmp_path):
    def config_of(**options) -> LlamaConfig:
        path = tmp_path / "model.gguf"
        path.write_bytes(tiny.gguf_file(tiny.weights(), **options))
        return read_config(read_header(path))

    return config_of


def test_smollm2_is_as_its_authors_publish_it():
    # config.json of HuggingFaceTB/SmolLM2-135M-Instruct.
    assert read_config(read_header(smollm2_gguf())) == LlamaConfig(
        n_layers=30,
        d_model=576,
        n_heads=9,
        n_kv_heads=3,
        head_dim=64,
        d_ff=1536,
        vocab_size=49152,
        context_length=8192,
        norm_eps=float(np.float32(1e-5)),
        rope_base=100000.0,
    )


def test_what_a_file_leaves_out_has_the_defaults_of_the_format(config_of):
    assert config_of(without="llama.rope.freq_base").rope_base == 10000.0
    assert config_of(without="llama.attention.head_count_kv").n_kv_heads == tiny.H
    assert config_of().vocab_size == tiny.VOCABULARY
    key = g.key("llama.vocab_size", g.U32, 7)
    assert config_of(replace={"llama.vocab_size": key}).vocab_size == 7


REFUSED = {
    "general.architecture": (g.STRING, "qwen2", "the architecture is 'qwen2'; Kina runs 'llama'"),
    "llama.block_count": (g.U32, 0, "is 0; a size of at least 1 is expected"),
    "llama.embedding_length": (g.STRING, "16", "is '16'; a size"),
    "llama.attention.head_count": (g.U32, 3, "embedding_length 16 is no multiple of head_count 3"),
    "llama.attention.head_count_kv": (g.U32, 3, "4 heads cannot share 3 key-value heads"),
    "llama.attention.key_length": (g.U32, 5, "a head of 5 cannot be rotated"),
    "llama.attention.value_length": (g.U32, 8, "is 8; Kina computes only 4"),
    "llama.rope.dimension_count": (g.U32, 2, "is 2; Kina computes only 4"),
    "llama.rope.freq_base": (g.F32, float("nan"), "is nan; a number above 0 is expected"),
    "llama.rope.scaling.type": (g.STRING, "yarn", "is 'yarn'; Kina computes only 'none'"),
    "llama.attention.layer_norm_rms_epsilon": (g.F32, 0.0, "is 0.0; a number above 0"),
    "llama.expert_count": (g.U32, 8, "is 8; Kina computes only 0"),
    "llama.context_length": (g.U64, 2**63, f"is {2**63}; a size"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_program_does_not_compute_is_refused_by_name(config_of, name):
    kind, value, message = REFUSED[name]
    with pytest.raises(ModelError) as refusal:
        config_of(replace={name: g.key(name, kind, value)})
    assert message in str(refusal.value)


@pytest.mark.parametrize("name", ["general.architecture", "llama.block_count"])
def test_a_missing_key_is_named(config_of, name):
    with pytest.raises(ModelError, match=f"metadata key '{name}' is missing"):
        config_of(without=name)


def test_a_head_count_per_layer_is_refused(config_of):
    name = "llama.attention.head_count_kv"
    with pytest.raises(ModelError, match="a size of at least 1 is expected"):
        config_of(replace={name: g.array(name, g.U32, [2, 2])})


def test_a_program_of_another_size_is_refused_with_every_dimension_that_differs(config_of):
    program = tiny.program(tiny.weights())
    decode = program.manifest.signature("decode")
    config = config_of()
    check_program(config, decode)
    other = config_of(
        replace={
            "llama.block_count": g.key("llama.block_count", g.U32, 3),
            "llama.feed_forward_length": g.key("llama.feed_forward_length", g.U32, 32),
        }
    )
    with pytest.raises(ModelError) as refusal:
        check_program(other, decode)
    assert str(refusal.value) == (
        "the program was compiled for another model: "
        "n_layers is 3 in the file and 2 in the program, "
        "d_ff is 32 in the file and 24 in the program"
    )


def test_a_program_with_other_constants_is_refused(config_of):
    config = config_of()
    decode = tiny.program(tiny.weights()).manifest.signature("decode")
    # A program holds its constants in float32.
    same = {"eps": float(np.float32(config.norm_eps)), "rope_base": config.rope_base}
    check_program(config, replace(decode, constants=same))
    with pytest.raises(ModelError, match="rope_base is .* in the file and 123 in the program"):
        check_program(config, replace(decode, constants={**same, "rope_base": 123.0}))
