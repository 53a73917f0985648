"""How elements lie in tensors.

A Bool is an `i8`, 0 or 1: memory has no smaller unit. A BF16 is an `i16`, its bits: nothing is
left for LLVM to do with `bfloat`, for which most processors would need a library, be it to copy
one to many places.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, bf16, i1, i8, i16
from xdsl.ir import Attribute, SSAValue

from kina.dialect.dtypes import Tensor
from kina.lowering.scalar import Scalar


def stored_type(value: SSAValue) -> Tensor:
    """The type of a lowered tensor."""
    assert isinstance(value.type, TensorType)
    return value.type


def stored(element: Attribute) -> Attribute:
    """The type that an element of this type has in a tensor."""
    if element == i1:
        return i8
    return i16 if element == bf16 else element


def to_stored(x: Scalar) -> Scalar:
    """A scalar as it lies in a tensor."""
    if x.type == i1:
        return x.extend_unsigned(i8)
    return x.bits(i16) if x.type == bf16 else x


def from_stored(x: Scalar, element: Attribute) -> Scalar:
    """An element of a tensor as a scalar of its own type."""
    if x.type == element:
        return x
    return x.compare("ne", 0) if element == i1 else x.bits(element)
