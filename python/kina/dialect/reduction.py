"""Operations along axes: reductions, softmax, argmax, top_k."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    TensorType,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from kina.dialect.checks import axis_in_range, expect, expect_result, tensor_of
from kina.dialect.dtypes import Tensor, is_float, tensor, type_shape
from kina.dialect.elementwise import is_number
from kina.sizes import fits, least


def infer_reduction(type_: Tensor, axes: Sequence[int], keepdims: bool) -> Tensor:
    """The reduced axes leave the shape, or stay as 1 with `keepdims`."""
    shape = type_shape(type_)
    expect(is_number(type_.element_type), f"a reduction does not take {type_}")
    expect(len(axes) > 0 and len(set(axes)) == len(axes), "axes must be distinct, at least one")
    for axis in axes:
        axis_in_range(axis, len(shape))
    sizes = enumerate(shape)
    if keepdims:
        return tensor(type_.element_type, [1 if i in axes else size for i, size in sizes])
    return tensor(type_.element_type, [size for i, size in sizes if i not in axes])


class ReductionOp(IRDLOperation):
    """One number for all elements along `axes`."""

    operand = operand_def(TensorType)
    axes = prop_def(DenseArrayBase[IntegerType])
    keepdims = prop_def(BoolAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, axes: Sequence[int], keepdims: bool = False):
        result = infer_reduction(tensor_of(operand), axes, keepdims)
        super().__init__(
            operands=[operand],
            properties={
                "axes": DenseArrayBase.from_list(i64, sorted(axes)),
                "keepdims": BoolAttr.from_bool(keepdims),
            },
            result_types=[result],
        )

    @property
    def axis_list(self) -> tuple[int, ...]:
        """The reduced axes, ascending."""
        return tuple(self.axes.get_values())

    def verify_(self) -> None:
        keepdims = bool(self.keepdims)
        expect_result(
            self.result, infer_reduction(tensor_of(self.operand), self.axis_list, keepdims)
        )


@irdl_op_definition
class SumOp(ReductionOp):
    """The sum; F16 and BF16 accumulate in F32, integers wrap; 0 over nothing."""

    name = "kina.sum"


@irdl_op_definition
class MeanOp(ReductionOp):
    """The sum divided by the count; floats only; F16 and BF16 accumulate in F32."""

    name = "kina.mean"

    def verify_(self) -> None:
        expect(is_float(tensor_of(self.operand).element_type), f"{self.name} takes floats")
        super().verify_()


@irdl_op_definition
class ReduceMaxOp(ReductionOp):
    """The largest; NaN where any is NaN; the lowest value of the dtype over nothing."""

    name = "kina.reduce_max"


@irdl_op_definition
class ReduceMinOp(ReductionOp):
    """The smallest; NaN where any is NaN; the highest value of the dtype over nothing."""

    name = "kina.reduce_min"


class AxisOp(IRDLOperation):
    """An operation along one axis."""

    operand = operand_def(TensorType)
    axis = prop_def(IntegerAttr[I64])
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    @property
    def axis_number(self) -> int:
        return self.axis.value.data


@irdl_op_definition
class SoftmaxOp(AxisOp):
    """`exp(x - max) / sum(exp(x - max))` along `axis`.

    A row that is all -inf gives zeros; a NaN makes its row NaN. F16 and BF16 compute in F32.
    """

    name = "kina.softmax"

    def __init__(self, operand: SSAValue, axis: int):
        super().__init__(
            operands=[operand],
            properties={"axis": IntegerAttr(axis, i64)},
            result_types=[operand.type],
        )

    def verify_(self) -> None:
        type_ = tensor_of(self.operand)
        axis_in_range(self.axis_number, len(type_shape(type_)))
        expect(is_float(type_.element_type), f"{self.name} takes floats, not {type_}")
        expect_result(self.result, type_)


@irdl_op_definition
class ArgmaxOp(AxisOp):
    """The I64 index of the largest element along `axis`, which leaves the shape.

    The first NaN wins; otherwise the lowest index of the maximum.
    """

    name = "kina.argmax"

    def __init__(self, operand: SSAValue, axis: int):
        super().__init__(
            operands=[operand],
            properties={"axis": IntegerAttr(axis, i64)},
            result_types=[infer_argmax(tensor_of(operand), axis)],
        )

    def verify_(self) -> None:
        expect_result(self.result, infer_argmax(tensor_of(self.operand), self.axis_number))


def infer_argmax(type_: Tensor, axis: int) -> Tensor:
    """I64 of the shape without `axis`, which must not be empty."""
    shape = type_shape(infer_reduction(type_, [axis], keepdims=False))
    expect(least(type_shape(type_)[axis]) > 0, "argmax over nothing has no answer")
    return tensor(i64, shape)


@irdl_op_definition
class TopKOp(IRDLOperation):
    """The `k` largest elements along `axis`, falling, and their I64 indices.

    Of equal ones, 0.0 and -0.0 among them, the lower index comes first. A NaN is larger than any
    number, and as large as any other NaN.
    """

    name = "kina.top_k"
    operand = operand_def(TensorType)
    k = prop_def(IntegerAttr[I64])
    axis = prop_def(IntegerAttr[I64])
    values = result_def(TensorType)
    indices = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($values) `,` type($indices)"

    def __init__(self, operand: SSAValue, k: int, axis: int):
        super().__init__(
            operands=[operand],
            properties={"k": IntegerAttr(k, i64), "axis": IntegerAttr(axis, i64)},
            result_types=list(infer_top_k(tensor_of(operand), k, axis)),
        )

    @property
    def axis_number(self) -> int:
        return self.axis.value.data

    def verify_(self) -> None:
        values, indices = infer_top_k(tensor_of(self.operand), self.k.value.data, self.axis_number)
        expect_result(self.values, values)
        expect_result(self.indices, indices)


def infer_top_k(type_: Tensor, k: int, axis: int) -> tuple[Tensor, Tensor]:
    """The type with `k` along `axis`, and I64 of the same shape; `k` is at most what is there."""
    shape = list(type_shape(type_))
    expect(is_number(type_.element_type), f"top_k does not take {type_}")
    axis_in_range(axis, len(shape))
    expect(k >= 0 and fits(k, shape[axis]), f"k = {k} is out of range 0..{shape[axis]}")
    shape[axis] = k
    return tensor(type_.element_type, shape), tensor(i64, shape)
