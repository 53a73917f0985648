"""The configuration of a Llama-family decoder: from its file, and from a compiled program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Final

from kina.abi import Signature
from kina.models.errors import ModelError
from kina.models.gguf_header import GGUFHeader, Value
from kina.sizes import most

_ARCHITECTURE: Final = "llama"
_FLOAT32: Final = 2.0**-24
"""What rounding to float32, in which a program may hold its constants, changes at most."""


@dataclass(frozen=True)
class LlamaConfig:
    """The numbers that shape a Llama-family decoder (RMSNorm, RoPE, grouped queries, SwiGLU)."""

    n_layers: int
    d_model: int
    n_heads: int
    n_kv_heads: int
    head_dim: int
    d_ff: int
    vocab_size: int
    context_length: int
    norm_eps: float
    rope_base: float


def read_config(header: GGUFHeader) -> LlamaConfig:
    """The configuration in a GGUF header.

    Raises ModelError for another architecture and for every variant of Llama that Kina's program does
    not compute: scaled RoPE, RoPE over a part of a head, experts, heads that differ between layers.
    """
    keys = _Keys(header)
    architecture = keys.text("general.architecture")
    if architecture != _ARCHITECTURE:
        raise keys.error(f"the architecture is {architecture!r}; Kina runs {_ARCHITECTURE!r}")
    d_model = keys.size("llama.embedding_length")
    n_heads = keys.size("llama.attention.head_count")
    if d_model % n_heads and "llama.attention.key_length" not in header.metadata:
        raise keys.error(f"embedding_length {d_model} is no multiple of head_count {n_heads}")
    head_dim = keys.size("llama.attention.key_length", d_model // n_heads)
    config = LlamaConfig(
        n_layers=keys.size("llama.block_count"),
        d_model=d_model,
        n_heads=n_heads,
        n_kv_heads=keys.size("llama.attention.head_count_kv", n_heads),
        head_dim=head_dim,
        d_ff=keys.size("llama.feed_forward_length"),
        vocab_size=_vocab_size(header, keys),
        context_length=keys.size("llama.context_length"),
        norm_eps=keys.positive("llama.attention.layer_norm_rms_epsilon"),
        rope_base=keys.positive("llama.rope.freq_base", 10000.0),
    )
    if config.n_heads % config.n_kv_heads:
        raise keys.error(f"{n_heads} heads cannot share {config.n_kv_heads} key-value heads")
    if head_dim % 2:
        raise keys.error(f"a head of {head_dim} cannot be rotated: an even size is expected")
    keys.only("llama.attention.value_length", head_dim)
    keys.only("llama.rope.dimension_count", head_dim)
    keys.only("llama.rope.scaling.type", "none")
    keys.only("llama.expert_count", 0)
    return config


def check_program(config: LlamaConfig, decode: Signature) -> None:
    """Refuse a program that was compiled for another model.

    `decode` is the program's one-token signature; raises ModelError that names every dimension and
    constant that differs.
    """
    compiled = {**_compiled_dims(decode), **_compiled_constants(decode)}
    differing = [
        f"{name} is {getattr(config, name):g} in the file and {value:g} in the program"
        for name, value in compiled.items()
        if not isclose(getattr(config, name), value, rel_tol=_FLOAT32)
    ]
    if differing:
        raise ModelError("the program was compiled for another model: " + ", ".join(differing))


def is_tied(decode: Signature) -> bool:
    """Whether the program's output projection is the embedding: then it takes no other."""
    return not any(parameter.name.endswith(".output") for parameter in decode.parameters)


def _compiled_dims(decode: Signature) -> dict[str, int]:
    shapes = {p.name.removeprefix("w."): tuple(map(most, p.shape)) for p in decode.parameters}
    try:
        n_layers, n_kv_heads, _, head_dim = shapes["k_past"]
        vocab_size, d_model = shapes["embed"]
        return {
            "n_layers": n_layers,
            "d_model": d_model,
            "n_heads": shapes["layers.wq"][1] // head_dim,
            "n_kv_heads": n_kv_heads,
            "head_dim": head_dim,
            "d_ff": shapes["layers.w_gate"][1],
            "vocab_size": vocab_size,
        }
    except (KeyError, ValueError, IndexError) as error:
        raise ModelError(
            f"the program's signature {decode.name!r} is not that of a Llama-family decoder "
            "with a key-value cache"
        ) from error


def _compiled_constants(decode: Signature) -> dict[str, float]:
    names = {"eps": "norm_eps", "rope_base": "rope_base"}
    return {names[name]: value for name, value in decode.constants.items() if name in names}


def _vocab_size(header: GGUFHeader, keys: _Keys) -> int:
    """From its key, or from the vocabulary where older files leave the key out."""
    tokens = header.metadata.get("tokenizer.ggml.tokens")
    return keys.size("llama.vocab_size", len(tokens) if isinstance(tokens, list) else None)


class _Keys:
    """Metadata by key, with the type and range that each must have."""

    def __init__(self, header: GGUFHeader) -> None:
        self._header = header

    def error(self, message: str) -> ModelError:
        return ModelError(f"{self._header.path}: {message}")

    def text(self, key: str) -> str:
        value = self._get(key, None)
        if not isinstance(value, str):
            raise self.error(f"metadata key {key!r} is {value!r}; a string is expected")
        return value

    def size(self, key: str, default: int | None = None) -> int:
        value = self._get(key, default)
        if type(value) is not int or not 1 <= value < 1 << 31:
            raise self.error(f"metadata key {key!r} is {value!r}; a size of at least 1 is expected")
        return value

    def positive(self, key: str, default: float | None = None) -> float:
        value = self._get(key, default)
        if not isinstance(value, float) or not 0 < value < float("inf"):
            raise self.error(f"metadata key {key!r} is {value!r}; a number above 0 is expected")
        return value

    def only(self, key: str, expected: int | str) -> None:
        value = self._metadata.get(key, expected)
        if type(value) is not type(expected) or value != expected:
            raise self.error(f"metadata key {key!r} is {value!r}; Kina computes only {expected!r}")

    @property
    def _metadata(self) -> Mapping[str, Value]:
        return self._header.metadata

    def _get(self, key: str, default: Value | None) -> Value:
        value = self._metadata.get(key, default)
        if value is None:
            raise self.error(f"metadata key {key!r} is missing")
        return value
