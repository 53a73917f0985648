"""The contract between a compiled program and its hosts: Kina C ABI 1.

A compiled library describes itself by a manifest, JSON text in the data symbol `kina_manifest`.
Every signature `s` is the C symbol `_mlir_ciface_s`: one pointer to a strided-memref descriptor per
parameter, then one per result that has no alias. The host owns every buffer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TypeVar

from kina import strict_json
from kina.sizes import Size, Symbol, parse

_T = TypeVar("_T")

ABI_VERSION = 1
MANIFEST_SYMBOL = "kina_manifest"
DIGEST_SYMBOL = "kina_digest"
"""Data: the SHA-256 of the file in which these bytes are 0 (`kina.digest`)."""
SYMBOL_PREFIX = "_mlir_ciface_"
OPENMP = "libomp.so"
"""The OpenMP runtime that the library of a parallel program looks for in its own folder."""

_MOST = (1 << 63) - 1

DTYPES: Mapping[str, int] = {
    "F64": 8,
    "F32": 4,
    "F16": 2,
    "BF16": 2,
    "I64": 8,
    "I32": 4,
    "I8": 1,
    "Bool": 1,
}
"""Bytes of one element of each dtype. A Bool is one byte, 0 or 1."""

LIBC = frozenset(
    "memcpy memmove memset memcmp malloc free aligned_alloc posix_memalign abort".split()
)
"""What a compiled library may call of libc."""

_LIBM_NAMES = """
    exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt hypot sin cos tan asin acos atan atan2 sinh
    cosh tanh asinh acosh atanh erf erfc floor ceil trunc round roundeven rint nearbyint fma fmod
    fmin fmax fabs copysign ldexp
"""
LIBM = frozenset(name + suffix for name in _LIBM_NAMES.split() for suffix in ("", "f"))
"""What a compiled library may call of libm."""


def may_call(name: str) -> bool:
    """Whether a compiled library may call a function of this name: of libc, libm or OpenMP."""
    return name in LIBC or name in LIBM or name.startswith(("__kmpc_", "omp_"))


def is_reserved(name: str) -> bool:
    """Whether no signature can have this name, as compiled code means another symbol by it."""
    return (
        may_call(name) or name in (MANIFEST_SYMBOL, DIGEST_SYMBOL) or name.startswith(SYMBOL_PREFIX)
    )


class ManifestError(ValueError):
    """The manifest's text is not what this version of Kina writes."""


@dataclass(frozen=True)
class Parameter:
    """One tensor that a signature takes.

    A field of a record is a parameter of its own, named by its path: `w.layers.wq`.
    """

    name: str
    dtype: str
    shape: tuple[Size, ...]
    donated: bool = False
    """The call may overwrite this buffer: a result that aliases it is computed in place."""
    index_bound: Size | None = None
    """Where set, every value must lie in `0 .. index_bound - 1`."""


@dataclass(frozen=True)
class Result:
    """One tensor that a signature returns."""

    dtype: str
    shape: tuple[Size, ...]
    alias: str | None = None
    """The donated parameter whose buffer is this result; None for a buffer of its own."""


@dataclass(frozen=True)
class Signature:
    """One compiled function: its parameters and results in the order of the C call."""

    name: str
    parameters: tuple[Parameter, ...]
    results: tuple[Result, ...]
    constants: Mapping[str, float] = field(default_factory=dict)
    """The scalar constants of the function's file, such as the base of rotary positions: a host can
    tell whether they are those of its weights."""
    open: tuple[Symbol, ...] = ()
    """The dimensions that a call determines, by the sizes of its arguments."""

    @property
    def symbol(self) -> str:
        """The C symbol of this signature."""
        return SYMBOL_PREFIX + self.name


@dataclass(frozen=True)
class Manifest:
    """What a compiled library says of itself."""

    program: str
    target_cpu: str
    target_triple: str
    signatures: tuple[Signature, ...]
    compiler: str
    abi: int = ABI_VERSION

    def signature(self, name: str) -> Signature:
        """The signature called `name`; KeyError where there is none."""
        for signature in self.signatures:
            if signature.name == name:
                return signature
        raise KeyError(name)


def signature_to_json(signature: Signature) -> str:
    """One signature as deterministic JSON text."""
    return _json(signature)


def signature_from_json(text: str) -> Signature:
    """The inverse of `signature_to_json`; ManifestError on anything else."""
    return _read(text, _signature)


def manifest_to_json(manifest: Manifest) -> str:
    """The manifest as deterministic JSON text."""
    return _json(manifest)


def manifest_from_json(text: str) -> Manifest:
    """The inverse of `manifest_to_json`.

    Raises ManifestError where the text is not a manifest, or one of another ABI version.
    """
    return _read(text, _manifest)


def _json(described: Signature | Manifest) -> str:
    """As JSON, where an open size is text: `"S + 1"`."""
    return json.dumps(asdict(described), indent=1, default=str) + "\n"


def _read(text: str, build: Callable[[strict_json.Object], _T]) -> _T:
    try:
        return build(strict_json.read_object(text))
    except strict_json.JsonError as problem:
        raise ManifestError(f"the manifest cannot be read: {problem}") from None


def _manifest(data: strict_json.Object) -> Manifest:
    abi = data.whole("abi", 0, _MOST)
    if abi != ABI_VERSION:
        raise ManifestError(
            f"the library speaks Kina ABI {abi}, this host speaks {ABI_VERSION}: "
            "rebuild it with the compiler of this version"
        )
    data.only("program", "target_cpu", "target_triple", "signatures", "compiler", "abi")
    return Manifest(
        program=data.text("program"),
        target_cpu=data.text("target_cpu"),
        target_triple=data.text("target_triple"),
        signatures=tuple(map(_signature, data.objects("signatures"))),
        compiler=data.text("compiler"),
    )


def _signature(data: strict_json.Object) -> Signature:
    data.only("name", "parameters", "results", "constants", "open")
    open_ = {s.name: s for s in map(_symbol, data.objects("open"))}
    return Signature(
        name=data.text("name"),
        parameters=tuple(_parameter(p, open_) for p in data.objects("parameters")),
        results=tuple(_result(r, open_) for r in data.objects("results")),
        constants=data.numbers("constants"),
        open=tuple(open_.values()),
    )


def _symbol(data: strict_json.Object) -> Symbol:
    data.only("name", "least", "most")
    return Symbol(data.text("name"), data.whole("least", 0, _MOST), data.whole("most", 0, _MOST))


def _parameter(data: strict_json.Object, open_: Mapping[str, Symbol]) -> Parameter:
    data.only("name", "dtype", "shape", "donated", "index_bound")
    bound = data.optional_whole_or_text("index_bound", 0, _MOST)
    return Parameter(
        name=data.text("name"),
        dtype=_dtype(data),
        shape=_shape(data, open_),
        donated=data.flag("donated"),
        index_bound=None if bound is None else _size(bound, open_),
    )


def _result(data: strict_json.Object, open_: Mapping[str, Symbol]) -> Result:
    data.only("dtype", "shape", "alias")
    return Result(_dtype(data), _shape(data, open_), data.optional_text("alias"))


def _dtype(data: strict_json.Object) -> str:
    name = data.text("dtype")
    if name not in DTYPES:
        raise ManifestError(f"unknown dtype {strict_json.shown(name)} in the manifest")
    return name


def _shape(data: strict_json.Object, open_: Mapping[str, Symbol]) -> tuple[Size, ...]:
    return tuple(_size(size, open_) for size in data.wholes_or_texts("shape", 0, _MOST))


def _size(data: int | str, open_: Mapping[str, Symbol]) -> Size:
    if isinstance(data, int):
        return data
    try:
        return parse(data, open_)
    except ValueError:  # also of a number of thousands of digits
        raise ManifestError(
            f"the manifest cannot be read: {strict_json.shown(data)} is no size"
        ) from None
