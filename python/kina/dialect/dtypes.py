"""The element types of Kina: their names, and the MLIR types that carry them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntAttr,
    IntegerType,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute

from kina.sizes import Size

FloatType: TypeAlias = Float64Type | Float32Type | Float16Type | BFloat16Type
ElementType: TypeAlias = FloatType | IntegerType
Tensor: TypeAlias = TensorType[Attribute]

ELEMENT_TYPES: Mapping[str, ElementType] = {
    "F64": f64,
    "F32": f32,
    "F16": f16,
    "BF16": bf16,
    "I64": i64,
    "I32": i32,
    "I8": i8,
    "Bool": i1,
}

_NAMES: Mapping[Attribute, str] = {element: name for name, element in ELEMENT_TYPES.items()}


def dtype_name(element: Attribute) -> str:
    """Kina's name of an element type: `f32` is `F32`, `i1` is `Bool`."""
    return _NAMES[element]


def tensor(element: Attribute, shape: Sequence[Size]) -> Tensor:
    """The tensor type of this element type and shape."""
    return TensorType(element, [IntAttr(cast(int, size)) for size in shape])


def type_shape(type_: Tensor) -> tuple[Size, ...]:
    """The shape of a tensor type. xDSL keeps whatever stands for a size, so an open one too."""
    return type_.get_shape()


def is_float(element: Attribute) -> bool:
    return isinstance(element, Float64Type | Float32Type | Float16Type | BFloat16Type)


def is_integer(element: Attribute) -> bool:
    """True for I8, I32 and I64; a Bool is not a number."""
    return isinstance(element, IntegerType) and element != i1


def is_bool(element: Attribute) -> bool:
    return element == i1


def signed_range(element: IntegerType) -> tuple[int, int]:
    """The least and the most value of an integer type, which is signed in Kina."""
    half = 1 << (element.bitwidth - 1)
    return -half, half - 1


def show_type(type_: Tensor) -> str:
    """A type as it is written in Kina: `F32[1, 4]`."""
    shape = ", ".join(str(size) for size in type_shape(type_))
    return f"{dtype_name(type_.element_type)}[{shape}]"
