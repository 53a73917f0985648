"""Tensors that are read in another shape than the one in which they lie.

Broadcasts, transposes and reshapes that only move unit axes cost nothing where the reader can walk
the source itself: they stay views until an operation needs a tensor of that very shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from kina.sizes import Open, Size


@dataclass(frozen=True)
class View:
    """Elements of `source`, a tensor, or a scalar where `index` is empty.

    `index[s]` is the axis of the view that walks axis `s` of the source, or None where that axis
    has one element only.
    """

    source: SSAValue
    index: tuple[int | None, ...]


@dataclass(frozen=True)
class Number:
    """Every element is `value`, which may be an open size."""

    value: int | float | Open


@dataclass(frozen=True)
class Counting:
    """Every element is its index along `axis`."""

    axis: int


Reading: TypeAlias = View | Number | Counting


def whole(source: SSAValue, rank: int) -> View:
    """The tensor as it lies."""
    return View(source, tuple(range(rank)))


def is_whole(view: View, shape: Sequence[Size]) -> bool:
    """True where the view of this shape is its source, axis by axis."""
    return len(view.index) == len(shape) > 0 and all(
        axis == i or (axis is None and shape[i] == 1) for i, axis in enumerate(view.index)
    )


def broadcast(reading: Reading, source: Sequence[Size], target: Sequence[Size]) -> Reading:
    """A view of shape `source` stretched to `target`."""
    pad = len(target) - len(source)

    def stretch(axis: int) -> int | None:
        return None if source[axis] == 1 != target[axis + pad] else axis + pad

    return _renamed(reading, [stretch(axis) for axis in range(len(source))])


def transpose(reading: Reading, permutation: Sequence[int]) -> Reading:
    """A view whose axis `i` is axis `permutation[i]` of the given one."""
    return _renamed(reading, [permutation.index(axis) for axis in range(len(permutation))])


def moves_only_unit_axes(source: Sequence[Size], target: Sequence[Size]) -> bool:
    return [n for n in source if n != 1] == [n for n in target if n != 1]


def reshape_unit_axes(reading: Reading, source: Sequence[Size], target: Sequence[Size]) -> Reading:
    """A view of shape `source` with unit axes added or dropped."""
    if list(source) == list(target):
        return reading
    places = iter([axis for axis, size in enumerate(target) if size != 1])
    return _renamed(reading, [None if size == 1 else next(places) for size in source])


def _renamed(reading: Reading, names: Sequence[int | None]) -> Reading:
    """The view whose axis `names[a]` is axis `a` of the given one; None where it is all zeros."""
    match reading:
        case View(source, index):
            return View(source, tuple(None if axis is None else names[axis] for axis in index))
        case Counting(axis):
            name = names[axis]
            return Number(0) if name is None else Counting(name)
        case Number():
            return reading


def indexing_map(view: View, shape: Sequence[Size], dims: Sequence[int], loops: int) -> AffineMap:
    """The map from `loops` loops to the source, where axis `a` of the view is loop `dims[a]`."""

    def place(s: int, axis: int | None) -> AffineExpr:
        if axis is None and len(view.index) == len(shape) and shape[s] == 1:
            axis = s
        return AffineConstantExpr(0) if axis is None else AffineDimExpr(dims[axis])

    return AffineMap(loops, 0, tuple(place(s, axis) for s, axis in enumerate(view.index)))
