"""Choosing the next token from its logits.

A program holds no randomness: the host draws, with noise that depends on the request's seed and on the
step alone. The filters come in the order temperature, top_k, top_p, and then one draw. Gumbel-max is the
draw that a program can make as well: one addition of noise and one argmax.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import Final

import numpy as np

from kina.generation.errors import GenerationError

_LOGIT_PRECISION: Final = 1e-6
"""Sums of probabilities closer than this are equal: float32 logits do not tell them apart."""
_COLDEST: Final = 1e-20
"""Below it a draw is greedy: differences of float32 logits outweigh any noise, and products stay finite."""
_SMALLEST: Final = float(np.finfo(np.float32).tiny)
"""The smallest factor of logits that is not 0: a logit of -inf stays -inf."""
_FIRST_GUESS: Final = 256
"""How many of the best tokens a nucleus is looked for in, at first."""


@dataclass(frozen=True)
class Sampling:
    """How a request picks its tokens. Raises GenerationError where a number is out of its range."""

    temperature: float = 1.0
    """Divides the logits; 0 is greedy."""
    top_k: int = 0
    """Only the k best tokens stay, of equal ones the lower id; 0 keeps all."""
    top_p: float = 1.0
    """Only the best tokens stay whose probabilities first sum to p, at least one; 1 keeps all."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not (isfinite(self.temperature) and self.temperature >= 0):
            raise GenerationError(f"temperature is {self.temperature}; 0 or more is expected")
        if self.top_k < 0:
            raise GenerationError(f"top_k is {self.top_k}; 0 or more is expected")
        if not 0 <= self.top_p <= 1:
            raise GenerationError(f"top_p is {self.top_p}; a number from 0 to 1 is expected")
        if not 0 <= self.seed < 1 << 64:
            raise GenerationError(f"seed is {self.seed}; a number from 0 to 2**64 - 1 is expected")

    @property
    def is_greedy(self) -> bool:
        """Whether the best token is picked without a draw."""
        return self.temperature == 0 or self.top_k == 1 or self.top_p == 0


GREEDY: Final = Sampling(temperature=0.0)


def sampling_from(
    temperature: float | None = None,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int = 0,
) -> Sampling:
    """Sampling where any filter is given, greedy where none is.

    The temperature is 1 where only another filter is given.
    """
    if temperature is None:
        temperature = 0.0 if top_k is None and top_p is None else 1.0
    return Sampling(temperature, top_k or 0, 1.0 if top_p is None else top_p, seed)


def pick(logits: np.ndarray, sampling: Sampling, step: int) -> int:
    """The next token id from logits [V]; `step` counts the new tokens of the request from 0.

    Raises GenerationError where a logit is NaN or +inf, or all are -inf.
    """
    best = best_token(logits, step)
    if sampling.is_greedy:
        return best
    tokens, probabilities = candidates(logits, sampling)
    return int(tokens[draw(probabilities, uniform(sampling.seed, step))])


def best_token(logits: np.ndarray, step: int) -> int:
    """The lowest id of the largest of the logits [V].

    Raises GenerationError where a logit is NaN or +inf, or all are -inf.
    """
    best = int(logits.argmax())
    # argmax stops at the first NaN and cannot miss +inf, so one comparison vouches for all of them.
    if not isfinite(logits[best]):
        raise _bad_logits(logits, step)
    return best


def candidates(logits: np.ndarray, sampling: Sampling) -> tuple[np.ndarray, np.ndarray]:
    """The tokens that the filters keep, in the order of their ids, and their weights.

    Weights are float64 and proportional to probabilities. `logits` [V] must hold a finite maximum.
    """
    tokens = np.arange(len(logits))
    if 0 < sampling.top_k < len(logits):
        # Before the temperature, in float32: dividing by it leaves the order as it is.
        tokens = np.sort(_largest(logits, sampling.top_k))
    scaled = logits[tokens].astype(np.float64)
    scaled -= scaled.max()
    with np.errstate(
        over="ignore"
    ):  # a tiny temperature sends all but the best to -inf: as it should
        scaled /= sampling.temperature or 1.0
    weights = np.exp(scaled)
    if sampling.top_p < 1:
        kept = np.sort(nucleus(weights / weights.sum(), sampling.top_p))
        tokens, weights = tokens[kept], weights[kept]
    return tokens, weights


def nucleus(probabilities: np.ndarray, top_p: float) -> np.ndarray:
    """The indices of the smallest set of the largest probabilities whose sum reaches `top_p`.

    From the largest down, of equal ones the lower index first; the one that reaches it included.
    """
    count = _FIRST_GUESS
    while True:
        indices = _largest(probabilities, min(count, len(probabilities)))
        sums = np.cumsum(probabilities[indices])
        reached = int(np.searchsorted(sums, top_p - _LOGIT_PRECISION))
        if reached < len(indices):
            return indices[: reached + 1]
        if len(indices) == len(probabilities):
            return indices
        count *= 16


def _largest(values: np.ndarray, count: int) -> np.ndarray:
    """The indices of the `count` largest values, largest first, of equal ones the lower index first."""
    if count < len(values):
        limit = np.partition(values, -count)[-count]
        above = np.flatnonzero(values > limit)
        at = np.flatnonzero(values == limit)[: count - len(above)]
        chosen = np.sort(np.concatenate([above, at]))
    else:
        chosen = np.arange(len(values))
    order: np.ndarray = chosen[np.argsort(-values[chosen], kind="stable")]
    return order


def draw(weights: np.ndarray, u: float) -> int:
    """The index that `u` in [0, 1] falls on when weights [N] are laid end to end over that interval.

    An index of weight 0 is never drawn, not even by u = 0 or u = 1.
    """
    sums = np.cumsum(weights, dtype=np.float64)
    index = int(np.searchsorted(sums, u * sums[-1], side="right"))
    return min(index, int(np.searchsorted(sums, sums[-1])))


def uniform(seed: int, step: int) -> float:
    """Noise strictly between 0 and 1 that `seed` and `step` alone determine.

    52 bits, at the middle of their interval, of the first word of NumPy's Philox generator with the seed
    as its key and the step as its counter.
    """
    word = np.random.Philox(key=seed, counter=step).random_raw()
    return float(_uniform(np.uint64(word)))


def gumbel_max(
    logits: np.ndarray, inverse_temperature: np.float32, noise: np.ndarray
) -> np.ndarray:
    """The lowest index I64 [...] of the maximum of `logits * inverse_temperature + noise` [..., V].

    In float32, each operation rounded once, as a compiled program does it. With the noise of
    `gumbel_noise`, v is drawn with the probability softmax(logits * inverse_temperature)[v] (Gumbel
    1954, in the form of Maddison, Tarlow and Minka 2014).
    """
    tokens: np.ndarray = (logits * inverse_temperature + noise).argmax(axis=-1)
    return tokens


def gumbel_noise(seed: int, step: int, count: int) -> np.ndarray:
    """Standard Gumbel noise, float32 [count], that `seed` and `step` alone determine.

    It is `-log(-log(u))` of uniform numbers strictly between 0 and 1, so it is finite, and a logit of
    -inf stays -inf. The numbers are those of `uniform`, each from a word of its own: the step is the
    second word of Philox's counter, so that no two steps share any.
    """
    words = np.random.Philox(key=seed, counter=step << 64).random_raw(count)
    noise: np.ndarray = -np.log(-np.log(_uniform(words)))
    return noise.astype(np.float32)


def _uniform(words: np.ndarray | np.uint64) -> np.ndarray:
    """The first 52 bits of each word as a float64, at the middle of their interval of (0, 1)."""
    return np.asarray(((words >> np.uint64(12)) + 0.5) * 2.0**-52)


def inverse_temperature(sampling: Sampling) -> np.float32 | None:
    """What the logits are multiplied with in Gumbel-max; None where no noise can outweigh them."""
    if sampling.temperature < _COLDEST:
        return None
    return np.float32(max(1 / sampling.temperature, _SMALLEST))


def _bad_logits(logits: np.ndarray, step: int) -> GenerationError:
    nan, infinite = int(np.isnan(logits).sum()), int((logits == inf).sum())
    found = f"{nan} NaN and {infinite} infinite" if nan or infinite else "no finite"
    return GenerationError(f"step {step}: the model gave {found} logits of {len(logits)}")
