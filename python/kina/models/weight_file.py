"""A flat file of weights, for hosts that have neither Python nor the GGUF file.

A host maps the file and points the descriptors of the C ABI into it. Every number is a little-endian
integer of 8 bytes; every offset counts bytes from the start of the file.

    0   8 bytes  magic: KINAWGTS
    8            version: 1
    16           size of the whole file in bytes
    24           how many tensors
    32           48 bytes for each tensor, in the order of the program's parameters:
                   0   8 bytes  dtype, ASCII filled up with NUL: F32
                   8            offset of its name, UTF-8 without an end
                   16           bytes of its name
                   24           offset of its sizes, outermost first
                   32           rank: how many sizes
                   40           offset of its elements in C order, a multiple of 64

A name is that of the program's parameter, as the C header has it: `w.layers.wq`. Sizes, names and
elements follow; what lies between them is zero.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from kina.abi import Parameter, Signature
from kina.files import completed
from kina.models.errors import ModelError
from kina.models.weights import Weights
from kina.runtime.dtypes import describe, describe_array, numpy_dtype

_HEADER: Final = struct.Struct("<8s3Q")
_ENTRY: Final = struct.Struct("<8s5Q")
_MAGIC: Final = b"KINAWGTS"
_VERSION: Final = 1
_ALIGNMENT: Final = 64
"""Bytes: a cache line, and the widest vector."""


def write_weight_file(path: str | os.PathLike[str], signature: Signature, weights: Weights) -> None:
    """Write the fields of the record that `signature` takes as its weights.

    The file takes its name once it is complete; until then, and where it cannot be completed, a file
    that had the name stays as it was. Raises ModelError where the weights are not what the signature
    takes, or the file cannot be written.
    """
    parameters = [p for p in signature.parameters if "." in p.name]
    arrays = [_array(p, weights) for p in parameters]
    head, starts = _head(parameters, arrays)
    try:
        with completed(path) as file:
            file.write(head)
            for start, array in zip(starts, arrays, strict=True):
                file.write(bytes(start - file.tell()))
                file.write(array.reshape(-1).view(np.uint8).data)
    except OSError as error:
        raise ModelError(f"{path} cannot be written: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the path
        raise ModelError(f"{str(path)!r} cannot be written: {error}") from error


def _array(parameter: Parameter, weights: Weights) -> np.ndarray:
    """The weight that a parameter takes: `w.layers.wq` is `weights["layers"]["wq"]`."""
    value: Weights | np.ndarray | dict[str, np.ndarray] | None = weights
    for field in parameter.name.split(".")[1:]:
        value = value.get(field) if isinstance(value, Mapping) else None
    expected = describe(parameter.dtype, parameter.shape)
    if not isinstance(value, np.ndarray):
        raise ModelError(
            f"the program takes {parameter.name}: {expected}, which is no weight of the file"
        )
    if value.dtype != numpy_dtype(parameter.dtype) or value.shape != parameter.shape:
        raise ModelError(
            f"the program takes {parameter.name}: {expected}; the file gives {describe_array(value)}"
        )
    return np.asarray(value, order="C")


def _head(parameters: Sequence[Parameter], arrays: Sequence[np.ndarray]) -> tuple[bytes, list[int]]:
    """What stands before the elements, and where the elements of each tensor start."""
    names = [p.name.encode() for p in parameters]
    sizes = [struct.pack(f"<{a.ndim}q", *a.shape) for a in arrays]
    *size_places, end = _places(_HEADER.size + len(names) * _ENTRY.size, map(len, sizes))
    *name_places, end = _places(end, map(len, names))
    *starts, file_size = _places(end, (a.nbytes for a in arrays), _ALIGNMENT)
    entries = [
        _ENTRY.pack(p.dtype.encode(), name_at, len(name), size_at, a.ndim, start)
        for p, name, a, name_at, size_at, start in zip(
            parameters, names, arrays, name_places, size_places, starts, strict=True
        )
    ]
    header = _HEADER.pack(_MAGIC, _VERSION, file_size, len(names))
    return b"".join([header, *entries, *sizes, *names]), starts


def _places(start: int, sizes: Iterable[int], alignment: int = 1) -> Iterator[int]:
    """Where blocks of these sizes lie, one after another from `start` on, and where the last ends."""
    for size in sizes:
        start += -start % alignment
        yield start
        start += size
    yield start
