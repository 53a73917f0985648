"""MLIR's strided-memref descriptors, laid out in one block of memory per call.

A descriptor is `{void *allocated, void *aligned, int64_t offset, int64_t sizes[rank],
int64_t strides[rank]}`, without the arrays at rank 0. Strides count elements.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

_WORD = 8


class DescriptorBlock:
    """The descriptors of one signature's tensors: all but the addresses is known beforehand.

    Strides count elements; None stands for those of a C-contiguous tensor.
    """

    def __init__(
        self,
        shapes: Sequence[Sequence[int]],
        strides: Sequence[Sequence[int] | None] | None = None,
    ) -> None:
        words: list[int] = []
        self._starts: list[int] = []
        for shape, steps in zip(shapes, strides or [None] * len(shapes), strict=True):
            self._starts.append(len(words))
            words += [0, 0, 0, *shape, *(steps or contiguous_strides(shape))]
        self._offsets = [_WORD * start for start in self._starts]
        self._type = ctypes.c_int64 * len(words)
        self._template = bytes(self._type(*words))

    def __len__(self) -> int:
        return len(self._starts)

    def fill(self, addresses: Sequence[int]) -> tuple[ctypes.Array[ctypes.c_int64], list[int]]:
        """A block of its own for one call, and the address of each descriptor in it."""
        block = self._type.from_buffer_copy(self._template)
        for start, address in zip(self._starts, addresses, strict=True):
            block[start] = block[start + 1] = address
        base = ctypes.addressof(block)
        return block, [base + offset for offset in self._offsets]


def contiguous_strides(shape: Sequence[int]) -> list[int]:
    """The strides, in elements, of a C-contiguous tensor."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 1, 0, -1):
        strides[axis - 1] = strides[axis] * shape[axis]
    return strides
