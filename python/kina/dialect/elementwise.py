"""Operations that act on each element by itself: operands and result have one shape."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import ClassVar, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, StringAttr, TensorType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from kina.dialect.checks import expect, expect_result, tensor_of
from kina.dialect.dtypes import (
    FloatType,
    Tensor,
    is_bool,
    is_float,
    is_integer,
    signed_range,
    tensor,
    type_shape,
)


def is_number(element: Attribute) -> bool:
    return is_float(element) or is_integer(element)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A tensor filled with one number, `value`, of the result's dtype."""

    name = "kina.constant"
    value = prop_def(base(FloatAttr) | base(IntegerAttr))
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, value: float, type_: Tensor):
        """Rounds to nearest even; VerifyException where the dtype has no such number."""
        super().__init__(
            properties={"value": _scalar(value, type_.element_type)}, result_types=[type_]
        )

    @property
    def number(self) -> int | float:
        """The value of every element; 0 or 1 for a Bool."""
        number = self.value.value.data
        return abs(number) if is_bool(self.value.type) else number

    def verify_(self) -> None:
        element = tensor_of(self.result).element_type
        expect(self.value.type == element, f"{self.name} holds {self.value}, not a {element}")


def _scalar(value: float, element: Attribute) -> FloatAttr | IntegerAttr:
    try:
        if isinstance(element, IntegerType):
            least, most = (0, 1) if is_bool(element) else signed_range(element)
            expect(value == int(value) and least <= value <= most, f"{element} has no {value}")
            return IntegerAttr(int(value), element)
        number = FloatAttr(float(value), cast(FloatType, element))
    except (OverflowError, ValueError):  # too large, or an integer that is NaN or infinite
        raise VerifyException(f"{element} has no {value}") from None
    expect(isfinite(number.value.data) == isfinite(value), f"{element} has no {value}")
    return number


class UnaryOp(IRDLOperation):
    """`result[i] = f(operand[i])`, of the operand's type."""

    ACCEPTS: ClassVar[Callable[[Attribute], bool]] = is_float
    operand = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue):
        super().__init__(operands=[operand], result_types=[self._made(tensor_of(operand))])

    def verify_(self) -> None:
        type_ = tensor_of(self.operand)
        expect(type(self).ACCEPTS(type_.element_type), f"{self.name} does not take {type_}")
        expect_result(self.result, self._made(type_))

    @staticmethod
    def _made(type_: Tensor) -> Tensor:
        """The type of the result, by that of the operand."""
        return type_


class TestOp(UnaryOp):
    """A `UnaryOp` that tells something of each element: the result is a Bool."""

    @staticmethod
    def _made(type_: Tensor) -> Tensor:
        return tensor(i1, type_shape(type_))


class BinaryOp(IRDLOperation):
    """`result[i] = f(lhs[i], rhs[i])`; operands and result have one type."""

    ACCEPTS: ClassVar[Callable[[Attribute], bool]] = is_number
    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])

    def verify_(self) -> None:
        lhs, rhs = tensor_of(self.lhs), tensor_of(self.rhs)
        expect(lhs == rhs, f"{self.name} takes operands of one type, not {lhs} and {rhs}")
        expect(type(self).ACCEPTS(lhs.element_type), f"{self.name} does not take {lhs}")
        expect_result(self.result, lhs)


@irdl_op_definition
class NegOp(UnaryOp):
    """`-x`; integers wrap."""

    name = "kina.neg"
    ACCEPTS = is_number


@irdl_op_definition
class AbsOp(UnaryOp):
    """`|x|`; the least integer stays itself."""

    name = "kina.abs"
    ACCEPTS = is_number


@irdl_op_definition
class NotOp(UnaryOp):
    """Logical negation of a Bool."""

    name = "kina.not"
    ACCEPTS = is_bool


@irdl_op_definition
class ExpOp(UnaryOp):
    """e to the power x."""

    name = "kina.exp"


@irdl_op_definition
class LogOp(UnaryOp):
    """The natural logarithm; -inf at 0, NaN below."""

    name = "kina.log"


@irdl_op_definition
class SqrtOp(UnaryOp):
    """The correctly rounded square root; NaN below 0."""

    name = "kina.sqrt"


@irdl_op_definition
class RsqrtOp(UnaryOp):
    """`1 / sqrt(x)`."""

    name = "kina.rsqrt"


@irdl_op_definition
class TanhOp(UnaryOp):
    """The hyperbolic tangent."""

    name = "kina.tanh"


@irdl_op_definition
class SigmoidOp(UnaryOp):
    """`1 / (1 + exp(-x))`."""

    name = "kina.sigmoid"


@irdl_op_definition
class SinOp(UnaryOp):
    """The sine of an angle in radians; NaN at infinities."""

    name = "kina.sin"


@irdl_op_definition
class CosOp(UnaryOp):
    """The cosine of an angle in radians; NaN at infinities."""

    name = "kina.cos"


@irdl_op_definition
class ErfOp(UnaryOp):
    """The error function."""

    name = "kina.erf"


@irdl_op_definition
class FloorOp(UnaryOp):
    """The greatest whole number that is not above x."""

    name = "kina.floor"


@irdl_op_definition
class CeilOp(UnaryOp):
    """The least whole number that is not below x."""

    name = "kina.ceil"


@irdl_op_definition
class RoundOp(UnaryOp):
    """The nearest whole number, of two the even one."""

    name = "kina.round"


@irdl_op_definition
class TruncOp(UnaryOp):
    """The whole number that is left without the fraction."""

    name = "kina.trunc"


@irdl_op_definition
class SignOp(UnaryOp):
    """-1, 0 or 1; a zero and a NaN stay themselves."""

    name = "kina.sign"
    ACCEPTS = is_number


@irdl_op_definition
class IsnanOp(TestOp):
    """Whether x is a NaN."""

    name = "kina.isnan"


@irdl_op_definition
class IsinfOp(TestOp):
    """Whether x is an infinity, of either sign."""

    name = "kina.isinf"


@irdl_op_definition
class AddOp(BinaryOp):
    """`a + b`; integers wrap."""

    name = "kina.add"


@irdl_op_definition
class SubOp(BinaryOp):
    """`a - b`; integers wrap."""

    name = "kina.sub"


@irdl_op_definition
class MulOp(BinaryOp):
    """`a * b`; integers wrap."""

    name = "kina.mul"


@irdl_op_definition
class DivOp(BinaryOp):
    """`a / b`; integers truncate toward zero, wrap, and give 0 for a divisor of 0."""

    name = "kina.div"


@irdl_op_definition
class RemOp(BinaryOp):
    """`a % b`, the sign of `a`; integers give 0 for a divisor of 0."""

    name = "kina.rem"


@irdl_op_definition
class MaxOp(BinaryOp):
    """The larger; NaN where either is NaN."""

    name = "kina.max"


@irdl_op_definition
class MinOp(BinaryOp):
    """The smaller; NaN where either is NaN."""

    name = "kina.min"


@irdl_op_definition
class PowOp(BinaryOp):
    """`a` to the power `b`, as IEEE 754's pow."""

    name = "kina.pow"
    ACCEPTS = is_float


@irdl_op_definition
class AndOp(BinaryOp):
    """Logical and of Bools."""

    name = "kina.and"
    ACCEPTS = is_bool


@irdl_op_definition
class OrOp(BinaryOp):
    """Logical or of Bools."""

    name = "kina.or"
    ACCEPTS = is_bool


PREDICATES = ("eq", "ne", "lt", "le", "gt", "ge")


@irdl_op_definition
class CompareOp(IRDLOperation):
    """`lhs[i] <predicate> rhs[i]` as a Bool; every predicate but `ne` is false at a NaN."""

    name = "kina.compare"
    predicate = prop_def(StringAttr)
    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"

    def __init__(self, predicate: str, lhs: SSAValue, rhs: SSAValue):
        super().__init__(
            operands=[lhs, rhs],
            properties={"predicate": StringAttr(predicate)},
            result_types=[tensor(i1, type_shape(tensor_of(lhs)))],
        )

    def verify_(self) -> None:
        lhs, rhs = tensor_of(self.lhs), tensor_of(self.rhs)
        expect(self.predicate.data in PREDICATES, f"{self.name} knows only {PREDICATES}")
        expect(lhs == rhs, f"{self.name} takes operands of one type, not {lhs} and {rhs}")
        expect_result(self.result, tensor(i1, type_shape(lhs)))


@irdl_op_definition
class SelectOp(IRDLOperation):
    """`condition[i] ? lhs[i] : rhs[i]`."""

    name = "kina.select"
    condition = operand_def(TensorType)
    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = (
        "$condition `,` $lhs `,` $rhs attr-dict `:` "
        "type($condition) `,` type($lhs) `,` type($rhs) `->` type($result)"
    )

    def __init__(self, condition: SSAValue, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[condition, lhs, rhs], result_types=[lhs.type])

    def verify_(self) -> None:
        condition, lhs = tensor_of(self.condition), tensor_of(self.lhs)
        expect(condition == tensor(i1, type_shape(lhs)), f"{self.name} takes a Bool condition")
        expect(lhs == tensor_of(self.rhs), f"{self.name} takes two operands of one type")
        expect_result(self.result, lhs)


@irdl_op_definition
class CastOp(IRDLOperation):
    """The nearest value of another dtype.

    Float to float rounds to nearest even; float to integer truncates toward zero, saturates, and
    gives 0 for NaN; integer to integer wraps; to Bool is `x != 0`; from Bool gives 0 or 1.
    """

    name = "kina.cast"
    operand = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, element: Attribute):
        shape = type_shape(tensor_of(operand))
        super().__init__(operands=[operand], result_types=[tensor(element, shape)])

    def verify_(self) -> None:
        if type_shape(tensor_of(self.operand)) != type_shape(tensor_of(self.result)):
            raise VerifyException(f"{self.name} keeps the shape")
