"""The arguments of one call as text: a number, or the name of a `.npy` file.

The format is NumPy's (numpy.lib.format). It knows no bfloat16: such an array is one of 2-byte items
without a type, `V2`, which is what NumPy writes for it.
"""

from __future__ import annotations

import math
import os
import stat
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from kina.abi import Parameter, Signature
from kina.runtime.dtypes import describe_parameter, numpy_dtype
from kina.runtime.errors import CallError
from kina.runtime.tensors import Array, Slot, read_all

_UNTYPED = np.dtype("V2")


def read_arguments(signature: Signature, given: Sequence[str]) -> list[Array]:
    """The arrays of `NAME=VALUE` arguments, in the order of the signature and checked against it.

    A name is that of a parameter, dotted for the field of a record. A value is a `.npy` file; for a
    parameter of rank 0 also a number, `true` or `false`.

    Raises:
        CallError: an argument is missing, unknown, given twice, cannot be read or does not fit.
    """
    texts = _by_name(signature, given)
    slots = [Slot(signature.name, p) for p in signature.parameters]
    values = [_value(signature.name, p, texts[p.name]) for p in signature.parameters]
    arrays, _ = read_all(slots, signature.open, values)
    return arrays


def nested(signature: Signature, arrays: Sequence[Array]) -> dict[str, Any]:
    """One array for each parameter as the keyword arguments of a call, fields of records together."""
    keywords: dict[str, Any] = {}
    for parameter, array in zip(signature.parameters, arrays, strict=True):
        name, _, field = parameter.name.partition(".")
        if field:
            keywords.setdefault(name, {})[field] = array
        else:
            keywords[name] = array
    return keywords


def _by_name(signature: Signature, given: Sequence[str]) -> Mapping[str, str]:
    values: dict[str, str] = {}
    names = [p.name for p in signature.parameters]
    takes = f"{signature.name} takes {_list(names)}"
    for argument in given:
        name, separator, value = argument.partition("=")
        if not separator or not value:
            raise CallError(f"expected an argument as NAME=FILE, found {argument!r}")
        if name not in names:
            raise CallError(f"unknown argument {name!r}: {takes}")
        if name in values:
            raise CallError(f"the argument {name} is given twice")
        values[name] = value
    missing = [name for name in names if name not in values]
    if missing:
        raise CallError(f"{takes}; missing {_list(missing)}")
    return values


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "no arguments"


def _value(signature: str, parameter: Parameter, text: str) -> Any:
    number = _number(text) if len(parameter.shape) == 0 else None
    if number is not None:
        if math.isinf(number) and "inf" not in text.lower():
            raise CallError(
                f"{signature}: parameter {parameter.name}: expected "
                f"{describe_parameter(parameter)}, found a number that is out of its range"
            )
        return number
    try:
        array = _read_file(Path(text))
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else None
        said = " ".join((reason or str(problem)).split())
        raise CallError(
            f"{signature}: parameter {parameter.name}: cannot read {text}: {said}"
        ) from None
    if parameter.dtype == "BF16" and array.dtype == _UNTYPED:
        return array.view(numpy_dtype("BF16"))
    return array


def _number(text: str) -> bool | int | float | None:
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None


def _read_file(path: Path) -> Array:
    """The array of a file, in this machine's byte order, row-major and writeable.

    Raises OSError, and ValueError for what is no such file.
    """
    # Opening a pipe waits for its writer, and a device may have no end.
    kind = path.stat().st_mode
    if not stat.S_ISREG(kind):
        raise ValueError("it is a folder" if stat.S_ISDIR(kind) else "it is no regular file")
    with path.open("rb") as file:
        shape, fortran_order, dtype = _read_header(file)
        promised = math.prod(shape) * dtype.itemsize
        found = os.fstat(file.fileno()).st_size - file.tell()
        if promised != found:
            raise ValueError(f"it is damaged: its header does not fit the {found} bytes behind it")
        flat = np.fromfile(file, dtype)
    array = flat.reshape(shape, order="F" if fortran_order else "C")
    return np.asarray(array, dtype=dtype.newbyteorder("="), order="C")


def _read_header(file: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """The shape, whether the first axis is the fastest, and the dtype; the elements follow."""
    if file.read(len(np.lib.format.MAGIC_PREFIX)) != np.lib.format.MAGIC_PREFIX:
        raise ValueError("it is no .npy file")
    file.seek(0)
    version = np.lib.format.read_magic(file)
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    if version not in readers:
        raise ValueError(f"it is a .npy file of version {version[0]}.{version[1]}")
    try:
        with warnings.catch_warnings(action="ignore"):
            shape, fortran_order, dtype = readers[version](file)
    except Exception:  # NumPy evaluates the header as Python, and passes on what comes of it
        raise ValueError("it is damaged: its header is none of NumPy's") from None
    if any(type(size) is not int or not 0 <= size < 1 << 63 for size in shape):
        raise ValueError("it is damaged: its header has sizes that are none")
    if dtype.hasobject or dtype.names or dtype.subdtype or not dtype.itemsize:
        raise ValueError(f"it holds items of the dtype {dtype}")
    return shape, fortran_order, dtype
