"""A Llama-family decoder in NumPy, written from the papers and from nothing of Kina.

RMSNorm (Zhang and Sennrich 2019), RoPE on half-split heads (Su et al. 2021, in the layout of
Hugging Face's Llama), grouped-query attention (Ainslie et al. 2023), SwiGLU (Shazeer 2020), tied
embedding. The test of this module compares it with logits that transformers and torch gave.

Weights are a mapping: `embed` [V, D], `norm` [D], and `layers`, a mapping of arrays with a leading layer
dimension: `attn_norm` [D], `wq` [H Dh, D], `wk` and `wv` [G Dh, D], `wo` [D, H Dh], `ffn_norm` [D],
`w_gate` and `w_up` [F, D], `w_down` [D, F].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kina.abi import Manifest, Parameter, Result, Signature
from kina.sizes import symbol

Array = np.ndarray


@dataclass(frozen=True)
class Shape:
    """What the arrays of the weights do not tell."""

    head_dim: int
    norm_eps: float
    rope_base: float


def forward(weights: Mapping[str, Any], shape: Shape, tokens: Sequence[int]) -> Array:
    """Causal logits [T, V] of the whole sequence at once, without a cache."""
    count = len(tokens)
    mask = np.triu(np.full((count, count), -np.inf, np.float32), k=1)
    x = weights["embed"][np.asarray(tokens)]
    for layer in _layers(weights):
        h = _rms_norm(x, layer["attn_norm"], shape.norm_eps)
        q, k, v = (_heads(h @ layer[w].T, shape.head_dim) for w in ("wq", "wk", "wv"))
        q, k = (_rope(a, np.arange(count), shape.rope_base) for a in (q, k))
        x = x + _merge(_attend(q, k, v, mask)) @ layer["wo"].T
        x = x + _swiglu(_rms_norm(x, layer["ffn_norm"], shape.norm_eps), layer)
    logits: Array = _rms_norm(x, weights["norm"], shape.norm_eps) @ weights["embed"].T
    return logits


def extend(
    weights: Mapping[str, Any],
    shape: Shape,
    tokens: Array,
    position: int,
    k_cache: Array,
    v_cache: Array,
) -> Array:
    """Logits [T, V] of tokens at `position` onward; writes their rows into the caches [L, G, C, Dh]."""
    count = len(tokens)
    end = position + count
    places = np.arange(position, end)
    mask = np.where(np.arange(end) > places[:, None], -np.inf, 0.0).astype(np.float32)
    x = weights["embed"][tokens]
    for index, layer in enumerate(_layers(weights)):
        h = _rms_norm(x, layer["attn_norm"], shape.norm_eps)
        q, k, v = (_heads(h @ layer[w].T, shape.head_dim) for w in ("wq", "wk", "wv"))
        k_cache[index, :, position:end] = _rope(k, places, shape.rope_base)
        v_cache[index, :, position:end] = v
        context = _attend(
            _rope(q, places, shape.rope_base),
            k_cache[index, :, :end],
            v_cache[index, :, :end],
            mask,
        )
        x = x + _merge(context) @ layer["wo"].T
        x = x + _swiglu(_rms_norm(x, layer["ffn_norm"], shape.norm_eps), layer)
    logits: Array = _rms_norm(x, weights["norm"], shape.norm_eps) @ weights["embed"].T
    return logits


def _layers(weights: Mapping[str, Any]) -> list[dict[str, Array]]:
    stacked = weights["layers"]
    count = len(stacked["wq"])
    return [{name: array[i] for name, array in stacked.items()} for i in range(count)]


def _rms_norm(x: Array, gain: Array, eps: float) -> Array:
    scaled: Array = x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + np.float32(eps)) * gain
    return scaled


def _heads(flat: Array, head_dim: int) -> Array:
    """[T, N Dh] to [N, T, Dh]."""
    return flat.reshape(len(flat), -1, head_dim).transpose(1, 0, 2)


def _merge(heads: Array) -> Array:
    """[N, T, Dh] to [T, N Dh]."""
    return heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)


def _rope(x: Array, positions: Array, base: float) -> Array:
    """Rotate pair (i, i + Dh/2) of every head [N, T, Dh] by position * base^(-2i/Dh)."""
    half = x.shape[-1] // 2
    angles = positions[:, None] * base ** (-np.arange(half) / half)
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    first, second = x[..., :half], x[..., half:]
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def _attend(q: Array, k: Array, v: Array, mask: Array) -> Array:
    """Attention of q [H, T, Dh] over k, v [G, S, Dh]; head h reads key-value head h // (H / G)."""
    group = len(q) // len(k)
    k, v = np.repeat(k, group, axis=0), np.repeat(v, group, axis=0)
    scores = q @ k.transpose(0, 2, 1) / np.float32(np.sqrt(q.shape[-1])) + mask
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    context: Array = (weights / weights.sum(axis=-1, keepdims=True)) @ v
    return context


def _swiglu(h: Array, layer: Mapping[str, Array]) -> Array:
    gate = h @ layer["w_gate"].T
    return (gate / (1 + np.exp(-gate)) * (h @ layer["w_up"].T)) @ layer["w_down"].T


@dataclass(frozen=True)
class NumpyProgram:
    """`extend` behind the calling convention of a compiled decoder.

    It has the signatures `prefill_<T>` and `decode` of kina/models/llama.kina, takes what they take, and
    writes into the caches that it is given. Padding rows hold the same values as in the compiled program:
    those of token 0 at their place.
    """

    shape: Shape
    manifest: Manifest
    capacity: int
    calls: list[str] = field(default_factory=list)
    """The names of the signatures that were called, in order."""

    def __getattr__(self, name: str) -> Any:
        if name not in {signature.name for signature in self.manifest.signatures}:
            raise AttributeError(name)

        def call(weights: Mapping[str, Any], tokens: Array, *rest: Array) -> Any:
            count, k_past, v_past = rest if name != "decode" else (np.array(1), *rest)
            past = k_past.shape[2] - len(tokens)
            assert tokens.dtype == count.dtype == np.int64
            assert 0 <= past and k_past.shape[2] <= self.capacity, "rows past the cache"
            self.calls.append(name)
            logits = extend(weights, self.shape, tokens, past, k_past, v_past)
            return logits[count - 1], k_past, v_past

        return call


def numpy_program(
    weights: Mapping[str, Any], shape: Shape, *, capacity: int, chunks: Sequence[int]
) -> NumpyProgram:
    """The program for the dimensions of `weights`, which takes up to `capacity` tokens."""
    vocab, _ = weights["embed"].shape
    n_layers, kv_rows, _ = weights["layers"]["wk"].shape
    record = [Parameter("w.embed", "F32", weights["embed"].shape)]
    record += [
        Parameter(f"w.layers.{name}", "F32", array.shape)
        for name, array in weights["layers"].items()
    ]
    record.append(Parameter("w.norm", "F32", weights["norm"].shape))

    def signature(name: str, size: int, *tokens: Parameter) -> Signature:
        past = symbol("S", 0, capacity - size)
        cache = (n_layers, kv_rows // shape.head_dim, past + size, shape.head_dim)
        names = ("k_past", "v_past")
        caches = [Parameter(name, "F32", cache, donated=True) for name in names]
        grown = [Result("F32", cache, alias=name) for name in names]
        return Signature(name, (*record, *tokens, *caches), (Result("F32", (vocab,)), *grown))

    count = Parameter("count", "I64", ())
    signatures = [
        signature(f"prefill_{size}", size, Parameter("tokens", "I64", (size,)), count)
        for size in chunks
    ]
    signatures.append(signature("decode", 1, Parameter("token", "I64", (1,))))
    manifest = Manifest("numpy", "none", "none", tuple(signatures), "numpy")
    return NumpyProgram(shape, manifest, capacity)
