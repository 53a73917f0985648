"""Values of parameters: of every dtype, small whole numbers to those at which code goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from writing import Type

from kina import abi
from support.values import DTYPES, FLOATS, INTEGERS, Array, special

KINDS: Mapping[str, tuple[str, ...]] = {
    **{name: ("whole", "ordinary", "wide", "special") for name in FLOATS},
    **{name: ("whole", "whole", "wide", "special") for name in INTEGERS},
    "Bool": ("special",),
}
"""For each dtype; the simplest first."""


@dataclass(frozen=True)
class Input:
    """How the value of one parameter is made; equal inputs make equal arrays."""

    type: Type
    kind: str
    seed: int

    def array(self) -> Array:
        random = np.random.default_rng([self.seed, *self.type.shape])
        dtype, shape = DTYPES[self.type.dtype], self.type.shape
        made = _MAKERS[self.kind](random, self.type)
        return np.ascontiguousarray(np.asarray(made).astype(dtype)).reshape(shape)


def _whole(random: np.random.Generator, type_: Type) -> Any:
    """Whole numbers: sums and products of them are exact."""
    return random.integers(-2, 5, type_.shape)


def _ordinary(random: np.random.Generator, type_: Type) -> Any:
    return random.standard_normal(type_.shape)


def _wide(random: np.random.Generator, type_: Type) -> Any:
    """Every magnitude; every integer."""
    if type_.dtype in INTEGERS:
        limits = np.iinfo(DTYPES[type_.dtype])
        return random.integers(limits.min, limits.max, type_.shape, endpoint=True)
    exponents = {"F64": 300, "F16": 4}.get(type_.dtype, 38)
    powers = random.uniform(-exponents, exponents, type_.shape)
    return random.choice([-1.0, 1.0], type_.shape) * 10.0**powers


def _special(random: np.random.Generator, type_: Type) -> Any:
    """NaN, infinities, both zeros, denormals, the ends of the range, among ordinary values."""
    values = special(type_.dtype)
    return values[random.integers(0, len(values), type_.shape)]


_MAKERS: Mapping[str, Callable[[np.random.Generator, Type], Any]] = {
    "whole": _whole,
    "ordinary": _ordinary,
    "wide": _wide,
    "special": _special,
}


def arrays(signature: abi.Signature, inputs: Mapping[str, Input]) -> list[Array]:
    """The arguments of a signature; ids that the host would refuse are brought into range."""
    return [_bounded(inputs[p.name].array(), p.index_bound) for p in signature.parameters]


def _bounded(array: Array, bound: int | None) -> Array:
    return array if bound is None else np.clip(array, 0, bound - 1).astype(array.dtype)
