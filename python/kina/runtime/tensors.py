"""From one value to an array that compiled code can read: the right dtype, shape and layout."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kina.abi import Parameter
from kina.runtime.dtypes import describe, describe_array, numpy_dtype
from kina.runtime.errors import CallError

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
    def shape(self) -> tuple[int, ...]:
        return self.parameter.shape

    def refuse(self, found: str) -> CallError:
        """The error that says what this parameter takes and what was found."""
        p = self.parameter
        return CallError(
            f"{self.signature}: parameter {p.name}: "
            f"expected {describe(p.dtype, p.shape)}, found {found}"
        )


def read(slot: Slot, value: Any) -> Array:
    """The array of a value, of the dtype and shape of the parameter, contiguous and aligned.

    An array that is already so is taken as it is. Other layouts and byte orders are copied, except
    for a donated parameter, whose buffer the call writes. Objects with `__dlpack__` are taken
    without a copy. A number of Python stands for a tensor of rank 0.

    Raises:
        CallError: another dtype, rank, size or kind of value; a value outside the index bound; a
            donated buffer that cannot be written in place.
    """
    array = value if type(value) is np.ndarray else _array(slot, value)
    if array.dtype != slot.dtype and array.dtype.newbyteorder("=") != slot.dtype:
        raise slot.refuse(describe_array(array))
    if array.shape != slot.shape:
        raise slot.refuse(describe_array(array))
    flags = array.flags
    in_place = flags.c_contiguous and flags.aligned and array.dtype.isnative
    if slot.parameter.donated:
        _check_donated(slot, array, in_place)
    elif not in_place:
        array = np.array(array, dtype=slot.dtype, order="C", copy=True)
    if slot.parameter.index_bound is not None:
        _check_indices(slot, array, slot.parameter.index_bound)
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
        and slot.shape == ()
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


def _check_donated(slot: Slot, array: Array, in_place: bool) -> None:
    if not array.flags.writeable:
        raise slot.refuse("a read-only array: the call writes this buffer, which is donated")
    if not in_place:
        layout = (
            "in the other byte order"
            if not array.dtype.isnative
            else "that is not aligned"
            if not array.flags.aligned
            else "that is not C-contiguous"
        )
        raise slot.refuse(f"an array {layout}: the call writes this buffer, which is donated")


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
