"""From one value to an array that compiled code can read: the right dtype, shape and layout."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kina.abi import Parameter
from kina.runtime.dtypes import describe, describe_array, describe_symbol, numpy_dtype
from kina.runtime.errors import CallError
from kina.sizes import Open, Symbol, linear, value

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Slot:
    """One parameter of a signature, with what a check of it needs at hand."""

    signature: str
    parameter: Parameter

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        return numpy_dtype(self.parameter.dtype)

    @cached_property
    def is_open(self) -> bool:
        """Whether the shape depends on the call."""
        return any(isinstance(size, Open) for size in self.parameter.shape)

    def shape(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The shape in a call with these open dimensions."""
        shape = self.parameter.shape
        return shape if not self.is_open else tuple(value(size, sizes) for size in shape)  # type: ignore[return-value]

    def refuse(self, found: str, known: str = "") -> CallError:
        """The error that says what this parameter takes and what was found."""
        p = self.parameter
        expected = describe(p.dtype, p.shape) + (f" with {known}" if known else "")
        return CallError(
            f"{self.signature}: parameter {p.name}: expected {expected}, found {found}"
        )


def read_all(
    slots: Sequence[Slot], open_: Sequence[Symbol], values: Sequence[Any]
) -> tuple[list[Array], dict[str, int]]:
    """One array for each parameter of a signature, and the sizes that the call leaves open.

    Raises:
        CallError: a value is not what its parameter takes, or no size is in its range.
    """
    arrays = [_typed(slot, given) for slot, given in zip(slots, values, strict=True)]
    sizes = {s.name: _open_size(s, slots, arrays) for s in open_}
    return [_fitting(slot, array, sizes) for slot, array in zip(slots, arrays)], sizes


def _open_size(s: Symbol, slots: Sequence[Slot], arrays: Sequence[Array]) -> int:
    """What the first size that tells it says of an open dimension."""
    for slot, array in zip(slots, arrays):
        for axis, size in enumerate(slot.parameter.shape):
            found = linear(size)
            if found is None or found[0] != s:
                continue
            _, factor, rest = found
            known = describe_symbol(s)
            if array.ndim != len(slot.parameter.shape):
                raise slot.refuse(describe_array(array), known)
            number, left = divmod(int(array.shape[axis]) - rest, factor)
            if left or not s.least <= number <= s.most:
                raise slot.refuse(describe_array(array), known)
            return number
    raise AssertionError(f"no parameter tells {s.name}")  # a library without one is not loaded


def _typed(slot: Slot, given: Any) -> Array:
    """The array of a value, which has the dtype of the parameter.

    Objects with `__dlpack__` are taken without a copy. A number of Python stands for a tensor of rank 0.
    """
    array = given if type(given) is np.ndarray else _array(slot, given)
    if array.dtype != slot.dtype and array.dtype.newbyteorder("=") != slot.dtype:
        raise slot.refuse(describe_array(array))
    return array


def _fitting(slot: Slot, array: Array, sizes: Mapping[str, int]) -> Array:
    """The array, of the shape of the parameter, in a layout that the call can read.

    An array that is already so is taken as it is. Other layouts and byte orders are copied, except
    for a donated parameter, whose buffer the call writes.
    """
    if array.shape != slot.shape(sizes):
        known = ", ".join(f"{name} = {size}" for name, size in sizes.items())
        raise slot.refuse(describe_array(array), known if slot.is_open else "")
    flags = array.flags
    in_place = flags.c_contiguous and flags.aligned and array.dtype.isnative
    if slot.parameter.donated:
        _check_donated(slot, array)
    elif not in_place:
        array = np.array(array, dtype=slot.dtype, order="C", copy=True)
    if slot.parameter.index_bound is not None:
        _check_indices(slot, array, value(slot.parameter.index_bound, sizes))
    if slot.parameter.dtype == "Bool":
        array = _canonical_bool(slot, array)
    return array


def _array(slot: Slot, value: Any) -> Array:
    if isinstance(value, np.ma.MaskedArray):
        raise slot.refuse("a masked array, whose mask would be lost")
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    if isinstance(value, (bool, int, float)):
        return _number(slot, value)
    if hasattr(type(value), "__dlpack__"):
        try:
            return np.from_dlpack(value)
        except Exception as problem:  # whatever the other library raises
            raise slot.refuse(
                f"{type(value).__name__}, which NumPy cannot take: {_first_line(problem)}"
            ) from None
    raise slot.refuse(f"{type(value).__name__}, which is no array")


def _number(slot: Slot, value: float) -> Array:
    """A number of Python as a tensor of rank 0, where no part of it is lost but precision."""
    dtype = slot.parameter.dtype
    floating = dtype in ("F64", "F32", "F16", "BF16")
    fits = (
        isinstance(value, bool) == (dtype == "Bool")
        and (floating or not isinstance(value, float))
        and slot.parameter.shape == ()
    )
    if not fits:
        raise slot.refuse(_describe_number(value))
    try:
        with np.errstate(over="ignore"):
            array = np.array(float(value) if floating else value, dtype=slot.dtype)
    except OverflowError:
        raise slot.refuse(f"{_describe_number(value)}, which is out of its range") from None
    if floating and np.isinf(array) and not math.isinf(value):
        raise slot.refuse(f"{_describe_number(value)}, which is out of its range")
    return array


def _check_donated(slot: Slot, array: Array) -> None:
    """A donated buffer must be one that the call can write in place."""
    if not array.flags.writeable:
        raise slot.refuse("a read-only array: the call writes this buffer, which is donated")
    if not array.dtype.isnative:
        layout = "in the other byte order"
    elif not array.flags.aligned:
        layout = "that is not aligned"
    elif slot.is_open and not _is_front(array):
        layout = "that is not the front of a C-contiguous one along some axes"
    elif not slot.is_open and not array.flags.c_contiguous:
        layout = "that is not C-contiguous"
    else:
        return
    raise slot.refuse(f"an array {layout}: the call writes this buffer, which is donated")


def _is_front(array: Array) -> bool:
    """Whether the array is a slice of a C-contiguous one, and its last axis is dense."""
    reach = array.itemsize
    for axis in range(array.ndim - 1, -1, -1):
        size, stride = array.shape[axis], array.strides[axis]
        if size > 1:
            dense = axis == array.ndim - 1
            if stride < reach or stride % array.itemsize or (dense and stride != array.itemsize):
                return False
            reach = stride * size
    return True


def _check_indices(slot: Slot, array: Array, bound: int) -> None:
    if array.size == 0:
        return
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= bound:
        raise CallError(
            f"{slot.signature}: parameter {slot.parameter.name}: expected values in "
            f"0 .. {bound - 1}, found {low if low < 0 else high}"
        )


def _canonical_bool(slot: Slot, array: Array) -> Array:
    """Bytes other than 0 and 1, which a view can bring, mean undefined behaviour to the code."""
    if array.size == 0 or int(array.view(np.uint8).max()) <= 1:
        return array
    if slot.parameter.donated:
        raise slot.refuse("bytes other than 0 and 1")
    canonical: Array = array.view(np.uint8) != np.uint8(0)
    return canonical


def _describe_number(value: float) -> str:
    kind = type(value).__name__
    try:
        text = str(value)
    except ValueError:  # Python writes no integer of thousands of digits
        return f"an {kind} of {int(value).bit_length()} bits"
    return f"the {kind} {text if len(text) <= 24 else text[:20] + '...'}"


def _first_line(problem: BaseException) -> str:
    text = str(problem).strip()
    return text.splitlines()[0] if text else type(problem).__name__
