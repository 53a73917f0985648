"""One request after another through a cached model: from prompt ids to new ids, and why they end."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import numpy as np

from kina.generation.cached_model import Cache, CachedModel
from kina.generation.errors import GenerationError
from kina.generation.sampling import GREEDY, Sampling, pick, sampling_from

Reason = Literal["eos", "stop", "length", "context"]
"""Why a generation ended: an end token, a stop string, enough tokens, a full context."""


class Generation:
    """The new tokens of one request. Iterate over it once; the tokens are made as they are asked for.

    An end token is not given out. Raises GenerationError at once where the prompt is empty or longer
    than the context, and while iterating where the model's logits are unusable.
    """

    def __init__(
        self,
        model: CachedModel,
        prompt: Sequence[int],
        *,
        max_new_tokens: int,
        sampling: Sampling = GREEDY,
        ends: Collection[int] = (),
        use_cache: bool = True,
    ) -> None:
        if max_new_tokens < 0:
            raise GenerationError(f"max_new_tokens is {max_new_tokens}; 0 or more is expected")
        if not prompt:
            raise GenerationError("the prompt is empty; at least one token is expected")
        if len(prompt) > model.capacity:
            raise GenerationError(
                f"the prompt has {len(prompt)} tokens; the context holds {model.capacity}"
            )
        self.model = model
        self.prompt = list(prompt)
        self.max_new_tokens = max_new_tokens
        self.sampling = sampling
        self.ends = ends
        self.use_cache = use_cache
        self.reason: Reason | None = None
        """Why it ended; None before that."""
        self.prefill_seconds = 0.0
        self.decode_seconds = 0.0
        self.decode_steps = 0
        """Tokens fed back: the first new token comes from the prompt itself."""

    def __iter__(self) -> Iterator[int]:
        if self.max_new_tokens == 0:
            self.reason = "length"
            return
        if len(self.prompt) == self.model.capacity:
            self.reason = "context"
            return
        sequence = list(self.prompt)
        cache = self.model.new_cache()
        started = time.perf_counter()
        logits = self.model.forward(sequence, cache)
        self.prefill_seconds = time.perf_counter() - started
        for step in range(self.max_new_tokens):
            token = pick(logits, self.sampling, step)
            if token in self.ends:
                self.reason = "eos"
                return
            sequence.append(token)
            yield token
            if step + 1 == self.max_new_tokens:
                self.reason = "length"
                return
            if len(sequence) == self.model.capacity:
                self.reason = "context"
                return
            logits = self._decode(sequence, cache)

    def _decode(self, sequence: list[int], cache: Cache) -> np.ndarray:
        started = time.perf_counter()
        if self.use_cache:
            logits = self.model.forward(sequence[-1:], cache)
        else:
            logits = self.model.forward(sequence, self.model.new_cache())
        self.decode_seconds += time.perf_counter() - started
        self.decode_steps += 1
        return logits


def generate(
    model: CachedModel,
    prompt_ids: np.ndarray,
    max_generations: int = 200,
    *,
    use_cache: bool = True,
    temperature: float | None = None,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int = 0,
    end: int | None = None,
) -> np.ndarray:
    """Prompts I64 [B, T] and what follows each: I64 [B, T + max_generations].

    Greedy unless a filter is given. A row that reaches the token `end` is filled up with it. Raises
    GenerationError where the result would not fit the context.
    """
    prompts = np.asarray(prompt_ids, np.int64)
    length = prompts.shape[1] + max_generations
    if length > model.capacity:
        raise GenerationError(
            f"{prompts.shape[1]} prompt tokens and {max_generations} new ones are {length}; "
            f"the context holds {model.capacity}"
        )
    sampling = sampling_from(temperature, top_k, top_p, seed)
    sequences = np.full((len(prompts), length), 0 if end is None else end, np.int64)
    for row, prompt in zip(sequences, prompts, strict=True):
        generation = Generation(
            model,
            prompt.tolist(),
            max_new_tokens=max_generations,
            sampling=sampling,
            ends=() if end is None else (end,),
            use_cache=use_cache,
        )
        tokens = [*prompt, *generation]
        row[: len(tokens)] = tokens
    return sequences
