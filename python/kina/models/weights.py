"""The weights of a Llama-family model, from a GGUF file into the arrays that its program takes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np
from gguf.constants import GGMLQuantizationType
from gguf.quants import dequantize

from kina.models.config import LlamaConfig
from kina.models.errors import ModelError
from kina.models.gguf_header import GGUFHeader

Weights = dict[str, "np.ndarray | dict[str, np.ndarray]"]
"""The record `Weights` of kina/models/llama.kina: `embed`, `layers` (a mapping of stacked arrays), `norm`."""

READABLE_TYPES: Final = frozenset(
    GGMLQuantizationType[name]
    for name in (
        *("F32", "F16", "BF16"),
        *("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"),
        *("Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"),
    )
)
"""The tensor types that become float32 weights."""

_CHUNK: Final = 1 << 17
"""Elements dequantized at a time: the work arrays stay in cache, and off the peak of memory."""
_CACHE_LINE: Final = 64


@dataclass(frozen=True)
class _Load:
    """One tensor of the file and the array that takes it."""

    tensor: str
    into: np.ndarray
    interleaved_heads: int = 0
    """Rows of one head where the file interleaves the two halves that RoPE rotates."""


def load_weights(header: GGUFHeader, config: LlamaConfig, *, tied: bool = True) -> Weights:
    """The file's weights as float32, `[out, in]`, layers stacked along a leading dimension.

    Query and key rows come out in the order that rotates a head's first half against its second; a
    GGUF file of the `llama` architecture interleaves the halves. `tied`: the output projection is the
    embedding, and the file must not hold another; otherwise it is the array `output`.

    Raises ModelError where a tensor is missing, to spare, of another shape or of a type that is not
    read.
    """
    weights, loads = _plan(config, tied)
    _check(header, loads, config)
    try:
        with open(header.path, "rb") as file, ThreadPoolExecutor(os.cpu_count()) as pool:
            fd = file.fileno()
            for _ in pool.map(lambda load: _read(fd, header, load), loads):
                pass
    except OSError as error:
        raise ModelError(f"{header.path}: {error.strerror or error}") from error
    return weights


def _plan(c: LlamaConfig, tied: bool) -> tuple[Weights, list[_Load]]:
    """The empty arrays, and which tensor of the file fills which."""
    d, q, kv = c.d_model, c.n_heads * c.head_dim, c.n_kv_heads * c.head_dim
    table: dict[str, tuple[str, tuple[int, ...]]] = {
        "attn_norm": ("attn_norm", (d,)),
        "wq": ("attn_q", (q, d)),
        "wk": ("attn_k", (kv, d)),
        "wv": ("attn_v", (kv, d)),
        "wo": ("attn_output", (d, q)),
        "ffn_norm": ("ffn_norm", (d,)),
        "w_gate": ("ffn_gate", (c.d_ff, d)),
        "w_up": ("ffn_up", (c.d_ff, d)),
        "w_down": ("ffn_down", (d, c.d_ff)),
    }
    layers = {field: _empty((c.n_layers, *shape)) for field, (_, shape) in table.items()}
    embed, norm = _empty((c.vocab_size, d)), _empty((d,))
    weights: Weights = {"embed": embed, "layers": layers, "norm": norm}
    loads = [_Load("token_embd.weight", embed), _Load("output_norm.weight", norm)]
    if not tied:
        weights["output"] = output = _empty((c.vocab_size, d))
        loads.append(_Load("output.weight", output))
    for field, (name, _) in table.items():
        rotated = c.head_dim if field in ("wq", "wk") else 0
        for layer, into in enumerate(layers[field]):
            loads.append(_Load(f"blk.{layer}.{name}.weight", into, rotated))
    return weights, loads


def _empty(shape: tuple[int, ...]) -> np.ndarray:
    """An unwritten float32 array that begins on a cache line, so that vector loads do not straddle two."""
    size = prod(shape)
    raw = np.empty(size * 4 + _CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % _CACHE_LINE
    return raw[start : start + size * 4].view(np.float32).reshape(shape)


def _check(header: GGUFHeader, loads: list[_Load], config: LlamaConfig) -> None:
    def refuse(message: str) -> ModelError:
        return ModelError(f"{header.path}: {message}")

    expected = {load.tensor: load.into.shape for load in loads}
    missing = [name for name in expected if name not in header.tensors]
    if missing:
        raise refuse(f"tensor {missing[0]!r} is missing{_and_more(missing)}")
    spare = [name for name in header.tensors if name not in expected]
    if spare:
        raise refuse(
            f"tensor {spare[0]!r}{_and_more(spare)} has no place in the compiled program "
            f"of {config.n_layers} layers"
        )
    for name, shape in expected.items():
        tensor = header.tensors[name]
        if tensor.shape != shape:
            raise refuse(f"tensor {name!r} has shape {[*tensor.shape]}; {[*shape]} is expected")
        if tensor.type not in READABLE_TYPES:
            raise refuse(
                f"tensor {name!r} has type {tensor.type.name}; Kina reads "
                + ", ".join(sorted(t.name for t in READABLE_TYPES))
            )


def _and_more(names: list[str]) -> str:
    return f" (and {len(names) - 1} more)" if len(names) > 1 else ""


def _read(fd: int, header: GGUFHeader, load: _Load) -> None:
    tensor = header.tensors[load.tensor]
    into = load.into.reshape(-1, tensor.shape[-1])
    for start, count in _row_chunks(*into.shape, load.interleaved_heads):
        offset = tensor.offset + start * tensor.row_bytes
        raw = os.pread(fd, count * tensor.row_bytes, offset)
        if len(raw) != count * tensor.row_bytes:
            raise ModelError(
                f"{header.path}: cut short while it was read: {offset + len(raw)} bytes found, "
                f"{tensor.offset + tensor.size} expected for tensor {tensor.name!r}"
            )
        # One long row: rows hold whole blocks, and the package works on 16 rows at a time.
        rows = dequantize(np.frombuffer(raw, np.uint8).reshape(1, -1), tensor.type)
        rows = rows.reshape(count, -1)
        if load.interleaved_heads:
            rows = _halves(rows, load.interleaved_heads)
        into[start : start + count] = rows


def _row_chunks(rows: int, columns: int, multiple: int) -> Iterator[tuple[int, int]]:
    """(start, count) of runs of rows of about _CHUNK elements, each a multiple of `multiple` rows."""
    step = max(1, _CHUNK // columns)
    if multiple:
        step = -(-step // multiple) * multiple
    for start in range(0, rows, step):
        yield start, min(step, rows - start)


def _halves(rows: np.ndarray, head_dim: int) -> np.ndarray:
    """Rows 0 2 4 .. then 1 3 5 .. of each head: the inverse of the GGUF conversion's permutation."""
    heads = rows.reshape(-1, head_dim // 2, 2, rows.shape[-1])
    return heads.swapaxes(1, 2).reshape(rows.shape)
