"""The host loop around the compiled steps of a decoder: it holds the cache and picks the tokens.

A program is called by the signatures that it has:

    decode_self      the first token, attended to itself
    decode_s<S>      one new token after S cached ones; returns a cache of S + 1
    decode_any       one new token behind a cache of any length S, in place; S is open
    decode_scratch   one new token into a cache of fixed capacity, in place; S is an argument
    prefill_<T>      a prompt of T tokens at once
    prefill_any      a prompt of any length T at once; T is open

A prompt of a length that none of them takes goes through token by token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kina.abi import Signature
from kina.generation.errors import GenerationError
from kina.generation.program import Program, signatures
from kina.generation.sampling import (
    GREEDY,
    Sampling,
    best_token,
    gumbel_max,
    gumbel_noise,
    inverse_temperature,
    pick,
)
from kina.sizes import most

Picker = Callable[[np.ndarray, int], np.ndarray]
"""Logits [B, 1, V] and the step from 0, to token ids I64 [B, 1]."""
Sampler = Callable[[np.ndarray, np.float32, np.ndarray], np.ndarray]
"""Logits [B, 1, V], the inverse temperature and noise [B, 1, V], to token ids I64 [B, 1]."""

_SCRATCH: Final = "decode_scratch"
_ANY: Final = "decode_any"
_PREFILL_ANY: Final = "prefill_any"


@dataclass(frozen=True)
class DecodeStep:
    """What one step returned and what was picked from it; S counts the tokens that are cached now."""

    k: np.ndarray
    """Keys, transposed: [B, H, Dh, S]; of a cache that is written in place, a view of what is filled."""
    v: np.ndarray
    """Values: [B, H, S, Dh]; as for the keys."""
    logits: np.ndarray
    """[B, 1, V]."""
    token: np.ndarray
    """The token to feed next: I64 [B, 1]."""


def picker(sampling: Sampling = GREEDY) -> Picker:
    """Picks each row's token by `sampling`; greedy takes the lowest id of equal logits.

    The picker raises GenerationError where a logit is NaN or +inf.
    """

    def pick_rows(logits: np.ndarray, step: int) -> np.ndarray:
        return np.array([[pick(row[-1], sampling, step)] for row in logits], np.int64)

    return pick_rows


def gumbel_picker(temperature: float, seed: int = 0, sample: Sampler = gumbel_max) -> Picker:
    """Draws each row's token by Gumbel-max, with noise that the seed and the step determine.

    `sample` may be a program's `sample_one`, which picks the same tokens as the host. Temperature 0 is
    greedy. The picker raises GenerationError where a logit is NaN or +inf.
    """
    inverse = inverse_temperature(Sampling(temperature, seed=seed))

    def pick_rows(logits: np.ndarray, step: int) -> np.ndarray:
        for row in logits:
            best_token(row[-1], step)
        if inverse is None:
            return sample(logits, np.float32(1), np.zeros_like(logits))
        noise = gumbel_noise(seed, step, logits.shape[-1])
        return sample(logits, inverse, np.broadcast_to(noise, logits.shape))

    return pick_rows


def decode_steps(
    program: Program, weights: Any, prompt: np.ndarray, new_tokens: int, pick: Picker | None = None
) -> Iterator[DecodeStep]:
    """The steps that make `new_tokens` tokens after `prompt`, I64 [B, T]; greedy unless `pick` is given.

    Raises GenerationError where the prompt is empty, and where the program was not compiled for so long
    a past.
    """
    if not prompt.shape[1]:
        raise GenerationError("the prompt is empty; at least one token is expected")
    pick = pick or picker()
    compiled = signatures(program)
    whole = _prefill_for(compiled, prompt.shape[1]) is not None
    chunks = [prompt] if whole else np.split(prompt, prompt.shape[1], axis=1)
    past, cache = 0, _buffers(compiled)
    capacity = cache[0].shape[3] if cache else None
    for step in range(new_tokens):
        for tokens in chunks:
            wanted = f"{step + 1} of {new_tokens}"
            name = _signature_for(compiled, past, tokens.shape[1], capacity, wanted)
            call = getattr(program, name)
            if name == _SCRATCH:
                *cache, logits = call(weights, tokens, np.int64(past), *cache)
            elif name == _ANY:
                *_, logits = call(weights, tokens, *_front(cache, past + 1))
            else:
                *grown, logits = call(weights, tokens, *(cache if past else []))
                cache = _in_buffers(grown, cache) if _ANY in compiled else grown
            past += tokens.shape[1]
        token = pick(logits, step)
        yield DecodeStep(cache[0][..., :past], cache[1][:, :, :past], logits, token)
        chunks = [token]


def rollout(
    program: Program, weights: Any, prompt: np.ndarray, new_tokens: int, pick: Picker | None = None
) -> np.ndarray:
    """`prompt`, I64 [B, T], and the tokens that follow it: I64 [B, T + new_tokens]."""
    steps = decode_steps(program, weights, prompt, new_tokens, pick)
    return np.concatenate([prompt, *(step.token for step in steps)], axis=1)


def _buffers(compiled: dict[str, Signature]) -> list[np.ndarray]:
    """Zeros for the longest cache that is written in place; nothing for a program that copies its cache."""
    name = _SCRATCH if _SCRATCH in compiled else _ANY
    parameters = compiled[name].parameters if name in compiled else ()
    return [np.zeros(tuple(map(most, p.shape)), np.float32) for p in parameters if p.donated]


def _front(cache: Sequence[np.ndarray], end: int) -> list[np.ndarray]:
    """The first `end` positions of the keys [B, H, Dh, C] and of the values [B, H, C, Dh]."""
    keys, values = cache
    return [keys[..., :end], values[:, :, :end]]


def _in_buffers(cache: Sequence[np.ndarray], buffers: list[np.ndarray]) -> list[np.ndarray]:
    """What a prefill returned, at the front of the buffers: copied once, that nothing is after it."""
    for part, front in zip(cache, _front(buffers, cache[0].shape[3])):
        front[...] = part
    return buffers


def _signature_for(
    compiled: dict[str, Signature], past: int, count: int, capacity: int | None, token: str
) -> str:
    """The signature that feeds `count` tokens after `past`; `token` names what it is needed for."""
    prefill = _prefill_for(compiled, count)
    if past == 0 and prefill is not None:
        return prefill
    if past == capacity:
        raise GenerationError(
            f"the program's cache holds {capacity} tokens, so it cannot make token {token}"
        )
    if _SCRATCH in compiled:
        return _SCRATCH
    if past and _ANY in compiled:
        return _ANY
    name = f"decode_s{past}" if past else "decode_self"
    if name not in compiled:
        known = [n for n in compiled if n.startswith(("decode_", "prefill_"))]
        raise GenerationError(
            f"the program has no {name!r}, so it cannot make token {token}; "
            f"it was compiled for {', '.join(known)}"
        )
    return name


def _prefill_for(compiled: dict[str, Signature], count: int) -> str | None:
    """The signature that takes a prompt of `count` tokens at once, if any."""
    if f"prefill_{count}" in compiled:
        return f"prefill_{count}"
    if _PREFILL_ANY in compiled:
        (length,) = compiled[_PREFILL_ANY].open
        if length.least <= count <= length.most:
            return _PREFILL_ANY
    return None
