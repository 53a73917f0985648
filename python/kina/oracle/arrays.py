"""How a dialect's tensor is held in NumPy, and the precision that each dtype computes in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import bf16, f16, f32, f64, i1, i8, i32, i64
from xdsl.ir import Attribute

Array: TypeAlias = NDArray[Any]
DType: TypeAlias = np.dtype[Any]

BFLOAT16: DType = np.dtype(ml_dtypes.bfloat16)

_DTYPES: Mapping[Attribute, DType] = {
    f64: np.dtype(np.float64),
    f32: np.dtype(np.float32),
    f16: np.dtype(np.float16),
    bf16: BFLOAT16,
    i64: np.dtype(np.int64),
    i32: np.dtype(np.int32),
    i8: np.dtype(np.int8),
    i1: np.dtype(np.bool_),
}

_NAMES: Mapping[DType, str] = {
    np.dtype(np.float64): "F64",
    np.dtype(np.float32): "F32",
    np.dtype(np.float16): "F16",
    BFLOAT16: "BF16",
    np.dtype(np.int64): "I64",
    np.dtype(np.int32): "I32",
    np.dtype(np.int8): "I8",
    np.dtype(np.bool_): "Bool",
}


def numpy_dtype(element: Attribute) -> DType:
    """The NumPy dtype of an element type; BF16 is `ml_dtypes.bfloat16`, Bool is one byte."""
    return _DTYPES[element]


def show_array(array: Array) -> str:
    """An array's type as Kina writes it: `F32[1, 4]`; NumPy's name where Kina has no such dtype."""
    sizes = ", ".join(str(size) for size in array.shape)
    return f"{_NAMES.get(array.dtype, array.dtype)}[{sizes}]"


def is_float(dtype: DType) -> bool:
    """True for F64, F32, F16 and BF16."""
    return dtype == BFLOAT16 or bool(np.issubdtype(dtype, np.floating))


def is_half(dtype: DType) -> bool:
    """True for F16 and BF16, whose sums and functions are computed in F32."""
    return dtype == BFLOAT16 or dtype == np.float16


def computing_dtype(dtype: DType) -> DType:
    """F32 for F16 and BF16; any other dtype computes in itself."""
    return np.dtype(np.float32) if is_half(dtype) else dtype


def widen(x: Array) -> Array:
    """F16 and BF16 as F32, which holds each of their values; any other dtype as it is."""
    return x.astype(computing_dtype(x.dtype), copy=False)
