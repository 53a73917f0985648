"""GGUF files written byte by byte after ggml's docs/gguf.md, so that a test can also write wrong ones."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
_SCALARS = {
    U8: "B", I8: "b", U16: "H", I16: "h", U32: "I", I32: "i", F32: "f", BOOL: "?",
    U64: "Q", I64: "q", F64: "d",
}  # fmt: skip


def string(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(data)) + data


def scalar(kind: int, value: object) -> bytes:
    return string(value) if kind == STRING else struct.pack("<" + _SCALARS[kind], value)  # type: ignore[arg-type]


def key(name: str | bytes, kind: int, value: object) -> bytes:
    """A metadata key with a scalar or string value."""
    return string(name) + struct.pack("<I", kind) + scalar(kind, value)


def array(name: str, kind: int, values: Iterable[object]) -> bytes:
    """A metadata key with an array."""
    items = [scalar(kind, value) for value in values]
    return string(name) + struct.pack("<IIQ", ARRAY, kind, len(items)) + b"".join(items)


def description(
    name: str | bytes, dims: Iterable[int], kind: int, offset: int, rank: int | None = None
) -> bytes:
    """A tensor's description; `dims` innermost first, as the file has them."""
    dims = [dim % 2**64 for dim in dims]
    head = string(name) + struct.pack("<I", len(dims) if rank is None else rank)
    return head + struct.pack(f"<{len(dims)}QIQ", *dims, kind, offset)


def header(
    keys: Iterable[bytes],
    descriptions: Iterable[bytes],
    *,
    version: int = 3,
    key_count: int | None = None,
    tensor_count: int | None = None,
) -> bytes:
    keys, descriptions = list(keys), list(descriptions)
    counts = (
        len(descriptions) if tensor_count is None else tensor_count,
        len(keys) if key_count is None else key_count,
    )
    start = b"GGUF" + struct.pack("<IQQ", version, *counts)
    return start + b"".join(keys) + b"".join(descriptions)


@dataclass(frozen=True)
class Tensor:
    """A tensor's shape (outermost first), type and bytes."""

    shape: tuple[int, ...]
    type: GGMLQuantizationType
    data: bytes


def f32(values: np.ndarray) -> Tensor:
    """A float32 tensor."""
    return Tensor(values.shape, GGMLQuantizationType.F32, values.astype("<f4").tobytes())


def zeros(shape: tuple[int, ...], kind: GGMLQuantizationType) -> Tensor:
    """A tensor of zero bytes."""
    block, size = GGML_QUANT_SIZES[kind]
    return Tensor(shape, kind, bytes(prod(shape) // block * size))


def file(keys: Iterable[bytes], tensors: Mapping[str, Tensor], alignment: int = 32) -> bytes:
    """A whole file; `alignment` is where the data lie, a key that says so is the caller's."""
    descriptions, data = [], b""
    for name, tensor in tensors.items():
        data += bytes(-len(data) % alignment)
        descriptions.append(description(name, tensor.shape[::-1], tensor.type, len(data)))
        data += tensor.data
    head = header(keys, descriptions)
    return head + bytes(-len(head) % alignment) + data
