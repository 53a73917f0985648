"""A Llama-family model small enough to write, and a GGUF file of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference.llama_numpy import NumpyProgram, Shape, numpy_program
from support import gguf_bytes as g

LAYERS, D, H, G, DH, F = 2, 16, 4, 2, 4, 24
CONTEXT = 40
SHAPE = Shape(head_dim=DH, norm_eps=1e-5, rope_base=10000.0)
END, START = "<|end|>", "<|start|>"
MERGES = ["h e", "l l", "he ll", "hell o", "Ġ w"]


def byte_characters() -> list[str]:
    """The character of each byte in GPT-2's vocabulary (its encoder.py, `bytes_to_unicode`)."""
    shown = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1)]
    shown += range(ord("®"), ord("ÿ") + 1)
    hidden = [byte for byte in range(256) if byte not in shown]
    return [chr(b) if b in shown else chr(256 + hidden.index(b)) for b in range(256)]


def pieces() -> list[str]:
    """Two control tokens, the 256 bytes, and what the merges make."""
    return [END, START, *byte_characters(), *(merge.replace(" ", "") for merge in MERGES)]


VOCABULARY = len(pieces())


def weights(seed: int = 0, scale: float = 1.5) -> dict[str, Any]:
    """Normal weights in the layout of the compiled program, of a scale at which greedy text varies."""
    random = np.random.default_rng(seed)

    def normal(*shape: int) -> np.ndarray:
        return (random.normal(size=shape) * scale / np.sqrt(shape[-1])).astype(np.float32)

    layers = {
        "attn_norm": 1 + normal(LAYERS, D),
        "wq": normal(LAYERS, H * DH, D),
        "wk": normal(LAYERS, G * DH, D),
        "wv": normal(LAYERS, G * DH, D),
        "wo": normal(LAYERS, D, H * DH),
        "ffn_norm": 1 + normal(LAYERS, D),
        "w_gate": normal(LAYERS, F, D),
        "w_up": normal(LAYERS, F, D),
        "w_down": normal(LAYERS, D, F),
    }
    return {"embed": 4 * normal(VOCABULARY, D), "layers": layers, "norm": 1 + normal(D)}


def program(
    model: dict[str, Any], capacity: int = CONTEXT, chunks: tuple[int, ...] = (4, 8)
) -> NumpyProgram:
    """The NumPy program of a model's weights."""
    return numpy_program(model, SHAPE, capacity=capacity, chunks=chunks)


_NAMES = {
    "attn_norm": "attn_norm", "wq": "attn_q", "wk": "attn_k", "wv": "attn_v", "wo": "attn_output",
    "ffn_norm": "ffn_norm", "w_gate": "ffn_gate", "w_up": "ffn_up", "w_down": "ffn_down",
}  # fmt: skip


def tensors(model: dict[str, Any]) -> dict[str, g.Tensor]:
    """The tensors of a GGUF file of the architecture `llama`."""
    found = {"token_embd.weight": g.f32(model["embed"]), "output_norm.weight": g.f32(model["norm"])}
    for field, name in _NAMES.items():
        for index, array in enumerate(model["layers"][field]):
            if field in ("wq", "wk"):
                array = _interleaved(array)
            found[f"blk.{index}.{name}.weight"] = g.f32(array)
    return found


def _interleaved(rows: np.ndarray) -> np.ndarray:
    """Row i of a head's first half, row i of its second half, and so on: llama.cpp's convert script."""
    heads = rows.reshape(-1, 2, DH // 2, D)
    return np.stack([heads[:, 0], heads[:, 1]], axis=2).reshape(rows.shape)


def keys(
    *, bos: bool | None = None, replace: dict[str, bytes] | None = None, without: str = ""
) -> list[bytes]:
    """The metadata; `replace` gives other bytes for a key, `without` leaves one out."""
    words = pieces()
    found = {
        "general.architecture": g.key("general.architecture", g.STRING, "llama"),
        "llama.block_count": g.key("llama.block_count", g.U32, LAYERS),
        "llama.context_length": g.key("llama.context_length", g.U32, CONTEXT),
        "llama.embedding_length": g.key("llama.embedding_length", g.U32, D),
        "llama.feed_forward_length": g.key("llama.feed_forward_length", g.U32, F),
        "llama.attention.head_count": g.key("llama.attention.head_count", g.U32, H),
        "llama.attention.head_count_kv": g.key("llama.attention.head_count_kv", g.U32, G),
        "llama.rope.freq_base": g.key("llama.rope.freq_base", g.F32, SHAPE.rope_base),
        "llama.attention.layer_norm_rms_epsilon": g.key(
            "llama.attention.layer_norm_rms_epsilon", g.F32, SHAPE.norm_eps
        ),
        "tokenizer.ggml.model": g.key("tokenizer.ggml.model", g.STRING, "gpt2"),
        "tokenizer.ggml.pre": g.key("tokenizer.ggml.pre", g.STRING, "smollm"),
        "tokenizer.ggml.tokens": g.array("tokenizer.ggml.tokens", g.STRING, words),
        "tokenizer.ggml.token_type": g.array(
            "tokenizer.ggml.token_type", g.I32, [3, 3] + [1] * (len(words) - 2)
        ),
        "tokenizer.ggml.merges": g.array("tokenizer.ggml.merges", g.STRING, MERGES),
        "tokenizer.ggml.bos_token_id": g.key("tokenizer.ggml.bos_token_id", g.U32, 1),
        "tokenizer.ggml.eos_token_id": g.key("tokenizer.ggml.eos_token_id", g.U32, 0),
    }
    if bos is not None:
        found["tokenizer.ggml.add_bos_token"] = g.key("tokenizer.ggml.add_bos_token", g.BOOL, bos)
    found |= replace or {}
    found.pop(without, None)
    return list(found.values())


def gguf_file(model: dict[str, Any], **options: Any) -> bytes:
    """The whole file; options are those of `keys`."""
    return g.file(keys(**options), tensors(model))
