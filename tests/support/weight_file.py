"""A reader of Kina's flat files of weights, after the description of their format alone."""

from __future__ import annotations

import struct
from pathlib import Path

import ml_dtypes
import numpy as np

DTYPES = {b"F32": np.float32, b"BF16": ml_dtypes.bfloat16, b"I8": np.int8}


def tensors(path: Path) -> dict[str, np.ndarray]:
    """Every tensor of a file that is sound, in the file's order."""
    data = path.read_bytes()
    magic, version, size, count = struct.unpack_from("<8s3Q", data)
    assert (magic, version, size) == (b"KINAWGTS", 1, len(data))
    found = {}
    for index in range(count):
        entry = struct.unpack_from("<8s5Q", data, 32 + 48 * index)
        dtype, name_at, name_size, sizes_at, rank, elements_at = entry
        assert elements_at % 64 == 0
        shape = struct.unpack_from(f"<{rank}q", data, sizes_at)
        elements = np.frombuffer(
            data, DTYPES[dtype.rstrip(b"\0")], int(np.prod(shape)), elements_at
        )
        found[data[name_at : name_at + name_size].decode()] = elements.reshape(shape)
    return found
