"""Rules of the operations that make tensors from nothing."""

from __future__ import annotations

from dataclasses import replace

from kina.dialect import ops
from kina.dialect.dtypes import ELEMENT_TYPES
from kina.elaborate.bodies.operations.arguments import Arguments, Rule
from kina.elaborate.bodies.operations.broadcasting import stretch
from kina.elaborate.types.constants import Constant
from kina.elaborate.types.values import TensorValue, Value, describe
from kina.elaborate.types.wording import quoted
from kina.syntax.source import error


def scalar(arguments: Arguments, key: int | str, dtype: str) -> TensorValue:
    """An argument that is one number of this dtype: a constant, or a scalar tensor."""
    operand = arguments.operand(key)
    match operand.value:
        case Constant() as constant:
            return arguments.context.splat(constant, dtype, (), operand.span)
        case TensorValue() as tensor if tensor.shape == () and tensor.dtype == dtype:
            return tensor
    raise arguments.mismatch(f"{dtype}[]", operand)


def zero(dtype: str) -> Constant:
    """The zero of a dtype."""
    return Constant(0, dtype)


def _iota(arguments: Arguments) -> Value:
    """`iota([..], axis=, dtype=I64)`: each element is its index along the axis."""
    shape = arguments.shape(0)
    axis = arguments.axis("axis", len(shape))
    dtype = arguments.dtype("dtype") if arguments.has("dtype") else "I64"
    if dtype == "Bool":
        raise error("iota makes numbers, found Bool", arguments.expression("dtype").span)
    op = ops.IotaOp(ELEMENT_TYPES[dtype], shape, axis)
    return arguments.context.emit(op, arguments.span, arguments.names(0))


def _full(arguments: Arguments) -> Value:
    """`full([..], value, dtype=)`: every element is the value, a constant or a scalar."""
    shape = arguments.shape(0)
    operand = arguments.operand(1)
    dtype = arguments.dtype("dtype") if arguments.has("dtype") else None
    match operand.value:
        case Constant() as constant:
            filled = arguments.context.splat(constant, dtype or constant.dtype, shape, operand.span)
            return replace(filled, names=arguments.names(0))
        case TensorValue() as tensor if tensor.shape == ():
            if dtype not in (None, tensor.dtype):
                hint = f"write cast({quoted(operand.span)}, {dtype})"
                found = f"found {describe(tensor)}; {hint}"
                raise error(f"full expected {dtype}[], {found}", operand.span)
            names = arguments.names(0)
            return stretch(arguments.context, tensor, shape, arguments.span, names)
    raise arguments.mismatch("a scalar", operand)


RULES = (
    Rule("iota", "iota([4], axis=0, dtype=I64)", _iota, 1, 1, ("axis", "dtype"), ("axis",)),
    Rule("full", "full([2, 3], 0.0, dtype=F32)", _full, 2, 2, ("dtype",)),
)
