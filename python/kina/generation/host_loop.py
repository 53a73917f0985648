"""The host loop over a family of decode functions with static shapes, one per past length.

`decode_self` attends the first token to itself, `decode_s<S>` attends one new token to S cached ones and
itself. Each returns the appended cache and the logits; the host holds the cache between calls and picks
the next token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kina.generation.errors import GenerationError
from kina.generation.program import Program, signatures
from kina.generation.sampling import GREEDY, Sampling, pick

Picker = Callable[[np.ndarray, int], np.ndarray]
"""Logits [B, 1, V] and the step from 0, to token ids I64 [B, 1]."""


@dataclass(frozen=True)
class DecodeStep:
    """What one step returned and what was picked from it; S counts the tokens that are cached now."""

    k: np.ndarray
    """Keys, transposed: [B, H, Dh, S]."""
    v: np.ndarray
    """Values: [B, H, S, Dh]."""
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


def decode_steps(
    program: Program, weights: Any, token: np.ndarray, new_tokens: int, pick: Picker | None = None
) -> Iterator[DecodeStep]:
    """The steps that make `new_tokens` tokens after `token`, I64 [B, 1]; greedy unless `pick` is given.

    Raises GenerationError where the program was not compiled for so long a past.
    """
    pick = pick or picker()
    compiled = signatures(program)
    cache: tuple[np.ndarray, ...] = ()
    for past in range(new_tokens):
        name = f"decode_s{past}" if past else "decode_self"
        if name not in compiled:
            raise GenerationError(
                f"the program has no {name!r}, so it cannot make token {past + 1} of {new_tokens}; "
                f"it was compiled for {', '.join(n for n in compiled if n.startswith('decode_'))}"
            )
        k, v, logits = getattr(program, name)(weights, token, *cache)
        token, cache = pick(logits, past), (k, v)
        yield DecodeStep(k, v, logits, token)


def rollout(
    program: Program, weights: Any, token: np.ndarray, new_tokens: int, pick: Picker | None = None
) -> np.ndarray:
    """`token`, I64 [B, 1], and the tokens that follow it: I64 [B, 1 + new_tokens]."""
    steps = decode_steps(program, weights, token, new_tokens, pick)
    return np.concatenate([token, *(step.token for step in steps)], axis=1)
