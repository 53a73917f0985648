"""Kina's dtypes in NumPy, and how messages write tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kina.abi import Parameter, Result
from kina.sizes import Size, Symbol

_NUMPY: dict[str, np.dtype[Any]] = {
    "F64": np.dtype(np.float64),
    "F32": np.dtype(np.float32),
    "F16": np.dtype(np.float16),
    "I64": np.dtype(np.int64),
    "I32": np.dtype(np.int32),
    "I8": np.dtype(np.int8),
    "Bool": np.dtype(np.bool_),
}
_KINA = {dtype: name for name, dtype in _NUMPY.items()}


def numpy_dtype(name: str) -> np.dtype[Any]:
    """The NumPy dtype of a Kina dtype; `BF16` is that of the `ml_dtypes` package."""
    if name == "BF16":
        import ml_dtypes

        bfloat16: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return bfloat16
    return _NUMPY[name]


def describe(dtype: str, shape: Sequence[Size]) -> str:
    """A tensor as Kina writes its type: `F32[2, 3]`."""
    return f"{dtype}[{', '.join(map(str, shape))}]"


def describe_symbol(symbol: Symbol) -> str:
    """What an open dimension can be: `S in 1 .. 31`."""
    return f"{symbol.name} in {symbol.least} .. {symbol.most}"


def describe_parameter(parameter: Parameter) -> str:
    """What a parameter takes: `I64[1] in 0 .. 7`, `F32[2, 3], donated`."""
    text = describe(parameter.dtype, parameter.shape)
    if parameter.index_bound is not None:
        text += f" in 0 .. {parameter.index_bound - 1}"
    return text + (", donated" if parameter.donated else "")


def describe_result(result: Result) -> str:
    """What a result is: `F32[2, 3]`, and whose buffer where it has none of its own."""
    text = describe(result.dtype, result.shape)
    return text if result.alias is None else f"{text}, in the buffer of {result.alias}"


def describe_array(array: np.ndarray[Any, Any]) -> str:
    """An array as Kina would write it, where Kina has its dtype, else with NumPy's name."""
    name = "BF16" if array.dtype.name == "bfloat16" else _KINA.get(array.dtype, str(array.dtype))
    return describe(name, array.shape)
