"""The host loop around the compiled steps of a decoder: it holds the cache and picks the tokens.

A program is called by the signatures that it has:

    decode_self      the first token, attended to itself
    decode_s<S>      one new token after S cached ones; returns a cache of S + 1
    decode_scratch   one new token into a cache of fixed capacity, in place; serves every past length
    prefill_<T>      a prompt of T tokens at once

A prompt of another length goes through token by token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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

Picker = Callable[[np.ndarray, int], np.ndarray]
"""Logits [B, 1, V] and the step from 0, to token ids I64 [B, 1]."""
Sampler = Callable[[np.ndarray, np.float32, np.ndarray], np.ndarray]
"""Logits [B, 1, V], the inverse temperature and noise [B, 1, V], to token ids I64 [B, 1]."""

_SCRATCH: Final = "decode_scratch"


@dataclass(frozen=True)
class DecodeStep:
    """What one step returned and what was picked from it; S counts the tokens that are cached now."""

    k: np.ndarray
    """Keys, transposed: [B, H, Dh, S]; of a scratch, a view of what is filled."""
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
    whole = f"prefill_{prompt.shape[1]}" in compiled
    chunks = [prompt] if whole else np.split(prompt, prompt.shape[1], axis=1)
    past, cache = 0, _empty_cache(compiled)
    for step in range(new_tokens):
        for tokens in chunks:
            name = _signature_for(compiled, past, tokens.shape[1], f"{step + 1} of {new_tokens}")
            call = getattr(program, name)
            if name == _SCRATCH:
                *cache, logits = call(weights, tokens, np.int64(past), *cache)
            elif past:
                *cache, logits = call(weights, tokens, *cache)
            else:
                *cache, logits = call(weights, tokens)
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


def _empty_cache(compiled: dict[str, Signature]) -> list[np.ndarray]:
    """The scratch, all zeros; nothing for a program whose cache grows."""
    if _SCRATCH not in compiled:
        return []
    return [np.zeros(p.shape, np.float32) for p in compiled[_SCRATCH].parameters if p.donated]


def _signature_for(compiled: dict[str, Signature], past: int, count: int, token: str) -> str:
    """The signature that feeds `count` tokens after `past`; `token` names what it is needed for."""
    prefill = f"prefill_{count}"
    if past == 0 and prefill in compiled:
        return prefill
    if _SCRATCH in compiled:
        capacity = next(p.shape[3] for p in compiled[_SCRATCH].parameters if p.donated)
        if past == capacity:
            raise GenerationError(
                f"the program's cache holds {capacity} tokens, so it cannot make token {token}"
            )
        return _SCRATCH
    name = f"decode_s{past}" if past else "decode_self"
    if name not in compiled:
        known = [n for n in compiled if n.startswith(("decode_", "prefill_"))]
        raise GenerationError(
            f"the program has no {name!r}, so it cannot make token {token}; "
            f"it was compiled for {', '.join(known)}"
        )
    return name
