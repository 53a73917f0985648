"""A loaded program: its signatures as functions of NumPy arrays."""

from __future__ import annotations

import inspect
import keyword
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from kina.abi import Manifest, Signature
from kina.runtime import threads as thread_count
from kina.runtime.arguments import Leaf, Record, arrange, bind
from kina.runtime.descriptors import DescriptorBlock
from kina.runtime.dtypes import (
    describe,
    describe_parameter,
    describe_result,
    describe_symbol,
    numpy_dtype,
)
from kina.runtime.errors import CallError
from kina.runtime.library import MAX_TENSORS, Library, open_library
from kina.runtime.tensors import Array, Slot, read_all
from kina.sizes import Size, value


def load(path: str | os.PathLike[str], threads: int | None = None) -> Module:
    """Load a compiled program.

    The library stays loaded for the life of the process. A file that was compiled anew since it was
    loaded first is loaded again; one that was overwritten in place must not be, as with any
    library: replace it by a rename, as Kina's linker does.

    Args:
        path: the `.so` that `kina compile` or `kina_shared_library` made.
        threads: how many threads its calls compute with; None for what `set_threads` says.

    Raises:
        LoadError: the file is no library that this process can run; the message says why.
        TypeError, ValueError: `threads` is no number of threads.
    """
    count = thread_count.checked(threads)
    return Module(open_library(path), count)


class Module:
    """A loaded program. Every signature is an attribute: `module.decode_s1(weights, tokens)`.

    A signature whose name is that of another attribute is reached through `signatures`.
    """

    def __init__(self, library: Library, threads: int | None) -> None:
        self._threads = threads
        self._set_threads = library.thread_setter()
        self.path: Path = library.path
        self.manifest: Manifest = library.manifest
        functions = {
            signature.name: Function(self, signature, library.function(signature))
            for signature in library.manifest.signatures
        }
        self.signatures: Mapping[str, Function] = MappingProxyType(functions)
        """Every signature by its name."""

    def set_threads(self, threads: int | None) -> None:
        """Set how many threads this program's calls compute with.

        None returns to what `kina.set_threads` says, and without that to every core that the
        process may use. A program without parallel code computes with one thread in any case.

        Raises:
            TypeError: the count is no integer.
            ValueError: it is not in 1 to 256.
        """
        self._threads = thread_count.checked(threads)

    def _prepare_thread(self) -> None:
        # OpenMP keeps the count for each calling thread, so every call sets it.
        if self._set_threads is not None:
            count = self._threads if self._threads is not None else thread_count.default_threads()
            self._set_threads(count)

    def __getattr__(self, name: str) -> Function:
        signatures = self.__dict__.get("signatures", {})
        if name in signatures:
            return signatures[name]  # type: ignore[no-any-return]
        if name.startswith("__") or not signatures:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise AttributeError(
            f"{self.path} has no signature {name!r}: it has {', '.join(signatures)}"
        )

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.signatures]

    def __repr__(self) -> str:
        return f"<kina module {str(self.path)!r}: {', '.join(self.signatures)}>"


class Function:
    """One signature of a loaded program, called with NumPy arrays.

    A record is given as a mapping or an object with attributes. Results are new arrays, except that
    a result in the buffer of a donated parameter is the array that was donated. One result comes as
    an array, several as a tuple.
    """

    def __init__(self, module: Module, signature: Signature, function: Callable[..., None]) -> None:
        self._module = module
        self._function = function
        self.signature = signature
        self.__name__ = self.__qualname__ = signature.name
        self._slots = [Slot(signature.name, p) for p in signature.parameters]
        self._donated = [i for i, p in enumerate(signature.parameters) if p.donated]
        self._arguments = arrange(signature.parameters)
        by_name = {p.name: i for i, p in enumerate(signature.parameters)}
        # For each result the parameter whose buffer it is, or the dtype and shape of a new one.
        self._results: list[int | tuple[np.dtype[Any], tuple[Size, ...]]] = [
            (numpy_dtype(r.dtype), r.shape) if r.alias is None else by_name[r.alias]
            for r in signature.results
        ]
        self._count = len(self._slots) + sum(r.alias is None for r in signature.results)
        self._descriptors: DescriptorBlock | None = None
        self.__doc__ = _documentation(signature)
        self.__signature__ = _python_signature(signature, self._arguments)

    def __call__(self, /, *args: Any, **keywords: Any) -> Array | tuple[Array, ...]:
        """Call the compiled function.

        Raises:
            CallError: the arguments are not what the signature takes. Nothing was computed.
        """
        arguments, sizes = self._bind(args, keywords)
        buffers = list(arguments)
        results = []
        for result in self._results:
            if isinstance(result, int):
                results.append(arguments[result])
            else:
                dtype, shape = result
                buffers.append(self._new(dtype, tuple(value(size, sizes) for size in shape)))
                results.append(buffers[-1])
        addresses = [buffer.ctypes.data for buffer in buffers]
        if self._donated:
            self._check_overlap(buffers, addresses)
        block, pointers = self._describe(buffers).fill(addresses)
        self._module._prepare_thread()
        self._function(*pointers)
        del block  # the descriptors live until here
        return results[0] if len(results) == 1 else tuple(results)

    def _bind(
        self, args: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[list[Array], dict[str, int]]:
        name, count = self.signature.name, len(self._slots)
        if self._count > MAX_TENSORS:
            raise CallError(
                f"{name}: takes and returns {self._count} tensors, "
                f"and a call from Python passes at most {MAX_TENSORS}"
            )
        values = bind(name, self._arguments, args, keywords, count)
        return read_all(self._slots, self.signature.open, values)

    def _describe(self, buffers: Sequence[Array]) -> DescriptorBlock:
        """The descriptors of these buffers; those of a signature without open sizes are made once."""
        if self._descriptors is not None:
            return self._descriptors
        strides: list[list[int] | None] = [None] * len(buffers)
        for i in self._donated:
            strides[i] = [step // buffers[i].itemsize for step in buffers[i].strides]
        described = DescriptorBlock([buffer.shape for buffer in buffers], strides)
        if not self.signature.open:
            self._descriptors = described
        return described

    def _new(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
        try:
            return np.empty(shape, dtype)
        except (MemoryError, ValueError) as problem:
            raise CallError(f"{self.signature.name}: no memory for a result: {problem}") from None

    def _check_overlap(self, buffers: list[Array], addresses: list[int]) -> None:
        """A donated buffer is written while the others are read: none may share memory with it."""
        ends = [a + _reach(b) for a, b in zip(addresses, buffers, strict=True)]
        for i in self._donated:
            for j in range(len(self._slots)):
                shared = min(ends[i], ends[j]) - max(addresses[i], addresses[j])
                if i != j and shared > 0:
                    names = self.signature.parameters[i].name, self.signature.parameters[j].name
                    raise CallError(
                        f"{self.signature.name}: parameter {names[0]}: expected a buffer of its "
                        f"own, as it is donated, found one that overlaps {names[1]}"
                    )

    def __repr__(self) -> str:
        return f"<kina signature {_one_line(self.signature)}>"


def _reach(array: Array) -> int:
    """Bytes from the first to behind the last element of an array."""
    if array.flags.c_contiguous or not array.size:
        return array.nbytes
    steps = zip(array.shape, array.strides)
    return array.itemsize + int(sum((size - 1) * stride for size, stride in steps))


def _result_type(signature: Signature) -> str:
    types = [describe(r.dtype, r.shape) for r in signature.results]
    return types[0] if len(types) == 1 else f"({', '.join(types)})"


def _one_line(signature: Signature) -> str:
    parameters = ", ".join(f"{p.name}: {describe_parameter(p)}" for p in signature.parameters)
    return f"{signature.name}({parameters}) -> {_result_type(signature)}"


def _documentation(signature: Signature) -> str:
    lines = [f"{signature.name}: a compiled Kina signature.", ""]
    lines += [f"{describe_symbol(s)}, as the arguments tell." for s in signature.open]
    lines += ["Parameters:"]
    lines += [f"  {p.name}: {describe_parameter(p)}" for p in signature.parameters] or ["  none"]
    lines += ["", "Returns:"]
    lines += [f"  {describe_result(r)}" for r in signature.results]
    return "\n".join(lines) + "\n"


def _python_signature(signature: Signature, arguments: Record) -> inspect.Signature | None:
    """What `inspect.signature` shows; None where a name of Kina is none of Python."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    if any(keyword.iskeyword(n) or not n.isidentifier() for n in arguments.fields):
        return None
    return inspect.Signature(
        [
            inspect.Parameter(name, kind, annotation=_annotation(signature, field))
            for name, field in arguments.fields.items()
        ],
        return_annotation=_result_type(signature),
    )


def _annotation(signature: Signature, field: Leaf | Record) -> str:
    if isinstance(field, Leaf):
        return describe_parameter(signature.parameters[field.position])
    return f"record of {', '.join(field.fields)}"
