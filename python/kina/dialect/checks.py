"""The small checks that verifiers share."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from kina.dialect.dtypes import ELEMENT_TYPES, Tensor, type_shape
from kina.sizes import least


def tensor_of(value: SSAValue) -> Tensor:
    """The tensor type of a value; VerifyException where it is no tensor of Kina's dtypes."""
    # Asked thousands of times for a module: a message is made only where it is raised.
    type_ = value.type
    if not isinstance(type_, TensorType):
        raise VerifyException(f"expected a tensor, found {type_}")
    if type_.element_type not in ELEMENT_TYPES.values():
        raise VerifyException(f"Kina has no dtype for {type_}")
    if min(map(least, type_shape(type_)), default=0) < 0:
        raise VerifyException(f"expected sizes of at least 0, found {type_}")
    return type_


def expect(holds: bool, message: str) -> None:
    """VerifyException with this message, unless it holds."""
    if not holds:
        raise VerifyException(message)


def expect_result(result: SSAValue, type_: Tensor) -> None:
    """The result must have exactly the type that the operation's rule gives."""
    if result.type != type_:
        raise VerifyException(f"the result must be {type_}, found {result.type}")


def expect_scalar_index(value: SSAValue) -> None:
    """Indices that are known only at run time are I64 scalars."""
    if tensor_of(value) != TensorType(i64, []):
        raise VerifyException(f"an index must be tensor<i64>, found {value.type}")


def axis_in_range(axis: int, rank: int) -> None:
    expect(0 <= axis < rank, f"axis {axis} is out of range for rank {rank}")
