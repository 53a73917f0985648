"""StoryLM-0 after the specification's Section 20, in NumPy and with whatever else has its operations.

The functions take the array module `xp`: NumPy, or PyTorch, whose `einsum`, `exp`, ... mean the same here.
Weights are a mapping: `embed` [V, D], `wq` `wk` `wv` `wo` [D, D], `lm_head` [D, V], `scale` [].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kina.abi import Manifest, Signature

B, H, DH, D, V = 1, 2, 2, 4, 8
SEED_TOKEN = 3


def patterned_weights() -> dict[str, np.ndarray]:
    """Finite float32 weights from a pattern, all of them exact sums of powers of two."""

    def pattern(first: int, step: int, *shape: int) -> np.ndarray:
        count = int(np.prod(shape))
        values = (first + step * np.arange(count)) % 17 - 8
        return (values / 8).astype(np.float32).reshape(shape)

    return {
        "embed": pattern(6, 3, V, D),
        "wq": pattern(3, 7, D, D),
        "wk": pattern(11, 3, D, D),
        "wv": pattern(6, 11, D, D),
        "wo": pattern(2, 13, D, D),
        "lm_head": pattern(9, 6, D, V),
        "scale": np.array(0.5**0.5, np.float32),
    }


def decode(xp: Any, w: Mapping[str, Any], token: Any, k_past: Any, v_past: Any) -> tuple[Any, ...]:
    """One step of Section 20.4: (k_next [B, H, Dh, S + 1], v_next [B, H, S + 1, Dh], logits [B, 1, V])."""
    x = w["embed"][token]
    q = _split(x @ w["wq"])
    k_new = _split(x @ w["wk"]).swapaxes(2, 3)
    v_new = _split(x @ w["wv"])
    k = k_new if k_past is None else xp.concatenate([k_past, k_new], 3)
    v = v_new if v_past is None else xp.concatenate([v_past, v_new], 2)
    context = _softmax(xp, q @ k * w["scale"]) @ v
    return k, v, (x + _merge(context) @ w["wo"]) @ w["lm_head"]


def forward(xp: Any, w: Mapping[str, Any], tokens: Any) -> Any:
    """Logits [B, T, V] of the causal forward over tokens [B, T]."""
    length = tokens.shape[1]
    x = w["embed"][tokens]
    q, k, v = (_split(x @ w[name]) for name in ("wq", "wk", "wv"))
    scores = q @ k.swapaxes(2, 3) * w["scale"]
    places = xp.arange(length)
    scores = xp.where(places[None, :] > places[:, None], -np.inf, scores)
    context = _softmax(xp, scores) @ v
    return (x + _merge(context) @ w["wo"]) @ w["lm_head"]


def _split(flat: Any) -> Any:
    """[B, T, D] to [B, H, T, Dh]."""
    return flat.reshape(B, -1, H, DH).swapaxes(1, 2)


def _merge(heads: Any) -> Any:
    """[B, H, T, Dh] to [B, T, D]."""
    return heads.swapaxes(1, 2).reshape(B, -1, D)


def _softmax(xp: Any, scores: Any) -> Any:
    weights = xp.exp(scores - xp.amax(scores, -1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


@dataclass(frozen=True)
class NumpyStory:
    """`decode` under the names and the calling convention of the compiled family."""

    longest_past: int

    @property
    def manifest(self) -> Manifest:
        names = ["decode_self", *(f"decode_s{past}" for past in range(1, self.longest_past + 1))]
        signatures = tuple(Signature(name, (), ()) for name in names)
        return Manifest("numpy", "none", "none", signatures, "numpy")

    def __getattr__(self, name: str) -> Any:
        self.manifest.signature(name)

        def call(weights: Any, token: Any, k: Any = None, v: Any = None) -> tuple[Any, ...]:
            assert name == ("decode_self" if k is None else f"decode_s{k.shape[3]}")
            return decode(np, weights, token, k, v)

        return call
