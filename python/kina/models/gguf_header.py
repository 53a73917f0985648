"""The header of a GGUF file, read so that no file can harm its reader.

The format is described in ggml's `docs/gguf.md`: a magic number, counts, key-value metadata, one
description per tensor, then the tensors' data at multiples of `general.alignment`. The `gguf` package
owns the tables of types and the dequantization; its reader trusts every count in the file and builds
two arrays per string, so the header is read here: a count is compared with the bytes that are left
before anything is made of it, and the file is never mapped, so that it may shrink while it is read.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import BinaryIO, Final, NoReturn, TypeAlias

import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFValueType

from kina.models.errors import ModelError

Value: TypeAlias = "int | float | bool | str | list[str] | np.ndarray"
"""A metadata value: a scalar, a string, an array of strings, or a NumPy array of numbers."""

_HEADER_LIMIT: Final = 32 << 20
"""Bytes of header; the largest vocabularies in use (half a million merges) need 16 MiB."""
_ELEMENT_LIMIT: Final = 1 << 21
"""Array elements in all metadata together."""
_NAME_LIMIT: Final = 65535
_MAX_RANK: Final = 4
_DEFAULT_ALIGNMENT: Final = 32

_SCALARS: Final[Mapping[GGUFValueType, np.dtype[np.generic]]] = {
    GGUFValueType.UINT8: np.dtype("<u1"),
    GGUFValueType.INT8: np.dtype("<i1"),
    GGUFValueType.UINT16: np.dtype("<u2"),
    GGUFValueType.INT16: np.dtype("<i2"),
    GGUFValueType.UINT32: np.dtype("<u4"),
    GGUFValueType.INT32: np.dtype("<i4"),
    GGUFValueType.UINT64: np.dtype("<u8"),
    GGUFValueType.INT64: np.dtype("<i8"),
    GGUFValueType.FLOAT32: np.dtype("<f4"),
    GGUFValueType.FLOAT64: np.dtype("<f8"),
    GGUFValueType.BOOL: np.dtype("?"),
}


@dataclass(frozen=True)
class TensorInfo:
    """One tensor of the file: where its bytes lie and what they mean."""

    name: str
    shape: tuple[int, ...]
    """Outermost dimension first, as in NumPy; the file stores the reverse."""
    type: GGMLQuantizationType
    offset: int
    """First byte, counted from the start of the file."""
    row_bytes: int
    """Bytes of one row, that is of the innermost dimension."""

    @property
    def size(self) -> int:
        """Bytes of the whole tensor."""
        return self.row_bytes * prod(self.shape[:-1])


@dataclass(frozen=True)
class GGUFHeader:
    """What the file says before its data begin."""

    path: Path
    metadata: Mapping[str, Value]
    tensors: Mapping[str, TensorInfo]


def read_header(path: str | os.PathLike[str]) -> GGUFHeader:
    """The checked header of a GGUF file of version 2 or 3, little-endian.

    Every tensor that it describes lies inside the file. Raises ModelError where the file cannot be
    read, is cut short, is corrupt or is of another version.
    """
    path = Path(path)
    try:
        # Asked before opening: opening a pipe would wait for a writer.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ModelError(f"{path}: not a regular file")
        with open(path, "rb") as file:
            return _read(_Cursor(path, file, os.fstat(file.fileno()).st_size))
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the path
        raise ModelError(f"{str(path)!r}: {error}") from error


class _Cursor:
    """Reads the file from its start; every advance is checked against the file's size."""

    def __init__(self, path: Path, file: BinaryIO, size: int) -> None:
        self.path = path
        self.size = size
        self.at = 0
        self.elements = 0
        self._file = file
        self._buffer = b""

    def fail(self, message: str) -> NoReturn:
        raise ModelError(f"{self.path}: {message}")

    def require(self, count: int, what: str) -> None:
        """Refuse unless `count` more bytes are in the file and in a sane header."""
        end = self.at + count
        if end > self.size:
            self.fail(f"cut short or corrupt: {self.size} bytes found, {end} expected for {what}")
        if end > _HEADER_LIMIT:
            self.fail(f"{what} reaches byte {end}; a header ends before byte {_HEADER_LIMIT}")

    def take(self, count: int, what: str) -> bytes:
        end = self.at + count
        if end > len(self._buffer):
            self.require(count, what)
            wanted = min(max(end, 2 * len(self._buffer), 1 << 20), self.size)
            self._buffer += self._file.read(wanted - len(self._buffer))
            if end > len(self._buffer):
                self.size = len(self._buffer)
                self.require(count, what)
        data = self._buffer[self.at : end]
        self.at = end
        return data

    def u32(self, what: str) -> int:
        return int(_U32.unpack(self.take(4, what))[0])

    def u64(self, what: str) -> int:
        return int(_U64.unpack(self.take(8, what))[0])

    def string(self, what: str) -> str:
        data = self.take(self.u64(what), what)
        try:
            return data.decode()
        except UnicodeDecodeError:
            self.fail(f"{what} is not UTF-8")


_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")


def _read(cursor: _Cursor) -> GGUFHeader:
    cursor.require(24, "the header")
    magic = cursor.take(4, "the header")
    if magic != b"GGUF":
        cursor.fail(f"not a GGUF file: it begins with {magic!r}")
    version = cursor.u32("the version")
    if version & 0xFFFF == 0:
        cursor.fail("a big-endian GGUF file; Kina reads little-endian ones")
    if version not in (2, 3):
        cursor.fail(f"GGUF version {version}; Kina reads 2 and 3")
    tensor_count = cursor.u64("the number of tensors")
    key_count = cursor.u64("the number of metadata keys")
    # The shortest key takes 13 bytes, the shortest description of a tensor 32.
    cursor.require(13 * key_count, f"{key_count} metadata keys")
    cursor.require(32 * tensor_count, f"{tensor_count} tensors")

    metadata: dict[str, Value] = {}
    for index in range(key_count):
        key = _name(cursor, f"the name of metadata key {index}")
        if key in metadata:
            cursor.fail(f"metadata key {key!r} is there twice")
        metadata[key] = _value(cursor, f"metadata key {key!r}")
    descriptions = [_tensor(cursor, index) for index in range(tensor_count)]
    return GGUFHeader(
        cursor.path, metadata, _place(cursor, descriptions, _alignment(cursor, metadata))
    )


def _name(cursor: _Cursor, what: str) -> str:
    length = cursor.u64(what)
    if length > _NAME_LIMIT:
        cursor.fail(f"{what} has {length} bytes; at most {_NAME_LIMIT} are allowed")
    try:
        return cursor.take(length, what).decode()
    except UnicodeDecodeError:
        cursor.fail(f"{what} is not UTF-8")


def _value_type(cursor: _Cursor, what: str) -> GGUFValueType:
    raw = cursor.u32(what)
    try:
        return GGUFValueType(raw)
    except ValueError:
        cursor.fail(f"{what} has the unknown type {raw}")


def _value(cursor: _Cursor, what: str) -> Value:
    kind = _value_type(cursor, what)
    if kind == GGUFValueType.STRING:
        return cursor.string(what)
    if kind == GGUFValueType.ARRAY:
        return _array(cursor, what)
    scalar: int | float | bool = _numbers(cursor, kind, 1, what)[0].item()
    return scalar


def _array(cursor: _Cursor, what: str) -> Value:
    kind = _value_type(cursor, what)
    count = cursor.u64(what)
    if kind == GGUFValueType.ARRAY:
        cursor.fail(f"{what} holds arrays in an array, which Kina does not read")
    smallest = 8 if kind == GGUFValueType.STRING else _SCALARS[kind].itemsize
    cursor.require(count * smallest, f"{what} with {count} elements")
    cursor.elements += count
    if cursor.elements > _ELEMENT_LIMIT:
        cursor.fail(f"{what}: more than {_ELEMENT_LIMIT} array elements in the metadata")
    if kind == GGUFValueType.STRING:
        return [cursor.string(what) for _ in range(count)]
    return _numbers(cursor, kind, count, what)


def _numbers(cursor: _Cursor, kind: GGUFValueType, count: int, what: str) -> np.ndarray:
    dtype = _SCALARS[kind]
    data = cursor.take(count * dtype.itemsize, what)
    if kind == GGUFValueType.BOOL:
        return np.frombuffer(data, np.uint8).astype(np.bool_)
    return np.frombuffer(data, dtype).copy()


def _tensor(cursor: _Cursor, index: int) -> TensorInfo:
    """A tensor as the header has it: its offset counts from the start of the data."""
    name = _name(cursor, f"the name of tensor {index}")
    what = f"the description of tensor {name!r}"
    rank = cursor.u32(what)
    if not 1 <= rank <= _MAX_RANK:
        cursor.fail(f"tensor {name!r} has {rank} dimensions; 1 to {_MAX_RANK} are allowed")
    dims = [cursor.u64(what) for _ in range(rank)]
    for dim in dims:
        if not 1 <= dim <= 1 << 42:
            cursor.fail(f"tensor {name!r} has the impossible dimensions {dims}")
    raw_type = cursor.u32(what)
    offset = cursor.u64(what)
    try:
        type_ = GGMLQuantizationType(raw_type)
    except ValueError:
        cursor.fail(f"tensor {name!r} has the unknown type {raw_type}")
    block, block_bytes = GGML_QUANT_SIZES[type_]
    if dims[0] % block:
        cursor.fail(
            f"tensor {name!r} has rows of {dims[0]} elements; "
            f"{type_.name} comes in blocks of {block}"
        )
    return TensorInfo(name, tuple(reversed(dims)), type_, offset, dims[0] // block * block_bytes)


def _alignment(cursor: _Cursor, metadata: Mapping[str, Value]) -> int:
    alignment = metadata.get("general.alignment", _DEFAULT_ALIGNMENT)
    if type(alignment) is not int or alignment < 1 or alignment & (alignment - 1):
        cursor.fail(f"general.alignment is {alignment!r}; a power of two is expected")
    return alignment


def _place(
    cursor: _Cursor, descriptions: list[TensorInfo], alignment: int
) -> dict[str, TensorInfo]:
    """The tensors at their places in the file, where they must fit and not overlap."""
    start = -(-cursor.at // alignment) * alignment
    tensors: dict[str, TensorInfo] = {}
    end = start
    for d in sorted(descriptions, key=lambda d: d.offset):
        if d.name in tensors:
            cursor.fail(f"tensor {d.name!r} is there twice")
        if d.offset % alignment:
            cursor.fail(f"tensor {d.name!r} lies at {d.offset}, no multiple of {alignment}")
        tensor = replace(d, offset=start + d.offset)
        if tensor.offset < end:
            cursor.fail(f"tensor {d.name!r} overlaps the one before it")
        end = tensor.offset + tensor.size
        tensors[d.name] = tensor
        if end > cursor.size:
            cursor.fail(
                f"cut short or corrupt: {cursor.size} bytes found, {end} expected "
                f"for tensor {d.name!r}"
            )
    return tensors
