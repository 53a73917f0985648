"""Operations that move elements and compute nothing, and those that count them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    IntAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from kina.dialect.checks import (
    axis_in_range,
    expect,
    expect_result,
    expect_scalar_index,
    tensor_of,
)
from kina.dialect.dtypes import Tensor, is_float, is_integer, tensor, type_shape
from kina.dialect.elementwise import ConstantOp
from kina.sizes import Open, Size, fits, least


def _ints(values: Sequence[int]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i64, list(values))


def _list(attribute: DenseArrayBase[IntegerType]) -> tuple[int, ...]:
    return tuple(attribute.get_values())


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The same elements in row-major order under another shape of as many elements."""

    name = "kina.reshape"
    operand = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, shape: Sequence[Size]):
        result = tensor(tensor_of(operand).element_type, shape)
        super().__init__(operands=[operand], result_types=[result])

    def verify_(self) -> None:
        source, target = tensor_of(self.operand), tensor_of(self.result)
        expect(source.element_type == target.element_type, f"{self.name} keeps the dtype")
        expect(
            prod(type_shape(source)) == prod(type_shape(target)),
            f"{self.name} keeps the number of elements: {source} to {target}",
        )


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """`result` axis `i` is `operand` axis `perm[i]`."""

    name = "kina.transpose"
    operand = operand_def(TensorType)
    perm = prop_def(DenseArrayBase[IntegerType])
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, perm: Sequence[int]):
        super().__init__(
            operands=[operand],
            properties={"perm": _ints(perm)},
            result_types=[infer_transpose(tensor_of(operand), perm)],
        )

    @property
    def permutation(self) -> tuple[int, ...]:
        return _list(self.perm)

    def verify_(self) -> None:
        expect_result(self.result, infer_transpose(tensor_of(self.operand), self.permutation))


def infer_transpose(type_: Tensor, perm: Sequence[int]) -> Tensor:
    """`perm` must name each axis once."""
    shape = type_shape(type_)
    expect(
        sorted(perm) == list(range(len(shape))), f"{list(perm)} is no permutation of {len(shape)}"
    )
    return tensor(type_.element_type, [shape[axis] for axis in perm])


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """Pads unit axes on the left, then stretches unit axes to the result's shape."""

    name = "kina.broadcast"
    operand = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, shape: Sequence[Size]):
        result = tensor(tensor_of(operand).element_type, shape)
        super().__init__(operands=[operand], result_types=[result])

    def verify_(self) -> None:
        source, target = tensor_of(self.operand), tensor_of(self.result)
        expect(source.element_type == target.element_type, f"{self.name} keeps the dtype")
        pad = len(type_shape(target)) - len(type_shape(source))
        stretches = pad >= 0 and all(
            m in (1, n) for m, n in zip(type_shape(source), type_shape(target)[pad:])
        )
        expect(stretches, f"{source} does not broadcast to {target}")


@irdl_op_definition
class ConcatOp(IRDLOperation):
    """The operands one after the other along `axis`; their other sizes agree."""

    name = "kina.concat"
    parts = var_operand_def(TensorType)
    axis = prop_def(IntegerAttr[I64])
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$parts attr-dict `:` type($parts) `->` type($result)"

    def __init__(self, parts: Sequence[SSAValue], axis: int):
        super().__init__(
            operands=[list(parts)],
            properties={"axis": IntegerAttr(axis, i64)},
            result_types=[infer_concat([tensor_of(part) for part in parts], axis)],
        )

    @property
    def axis_number(self) -> int:
        return self.axis.value.data

    def verify_(self) -> None:
        types = [tensor_of(part) for part in self.parts]
        expect_result(self.result, infer_concat(types, self.axis_number))


def infer_concat(types: Sequence[Tensor], axis: int) -> Tensor:
    """The sizes along `axis` add up."""
    expect(len(types) > 0, "concat of nothing")
    first = type_shape(types[0])
    axis_in_range(axis, len(first))
    for type_ in types:
        shape = type_shape(type_)
        alike = len(shape) == len(first) and all(
            i == axis or m == n for i, (m, n) in enumerate(zip(shape, first))
        )
        expect(
            alike and type_.element_type == types[0].element_type,
            f"concat of {types[0]} and {type_} along axis {axis}",
        )
    total = sum(type_shape(type_)[axis] for type_ in types)
    sizes = [total if i == axis else size for i, size in enumerate(first)]
    return tensor(types[0].element_type, sizes)


@irdl_op_definition
class SliceOp(IRDLOperation):
    """The block of shape `sizes` that begins at `at`: I64 scalars, one per axis.

    Each index is clamped to `0 .. size of the axis - size of the block`, so that the block fits.
    """

    name = "kina.slice"
    operand = operand_def(TensorType)
    at = var_operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = (
        "$operand `,` $at attr-dict `:` type($operand) `,` type($at) `->` type($result)"
    )

    def __init__(self, operand: SSAValue, at: Sequence[SSAValue], sizes: Sequence[Size]):
        result = tensor(tensor_of(operand).element_type, sizes)
        super().__init__(operands=[operand, list(at)], result_types=[result])

    def verify_(self) -> None:
        source, block = tensor_of(self.operand), tensor_of(self.result)
        _expect_block(self.name, source, block, self.at)


@irdl_op_definition
class UpdateOp(IRDLOperation):
    """`operand` with `block` written at `at`: I64 scalars, one per axis, clamped as in slice."""

    name = "kina.update"
    operand = operand_def(TensorType)
    block = operand_def(TensorType)
    at = var_operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = (
        "$operand `,` $block `,` $at attr-dict `:` "
        "type($operand) `,` type($block) `,` type($at) `->` type($result)"
    )

    def __init__(self, operand: SSAValue, block: SSAValue, at: Sequence[SSAValue]):
        super().__init__(operands=[operand, block, list(at)], result_types=[operand.type])

    def verify_(self) -> None:
        target = tensor_of(self.operand)
        _expect_block(self.name, target, tensor_of(self.block), self.at)
        expect_result(self.result, target)


def _expect_block(name: str, whole: Tensor, block: Tensor, at: Sequence[SSAValue]) -> None:
    outer, inner = type_shape(whole), type_shape(block)
    expect(whole.element_type == block.element_type, f"{name} keeps the dtype")
    inside = len(outer) == len(inner) == len(at) and all(map(fits, inner, outer))
    expect(inside, f"{name}: {block} with {len(at)} indices is no block of {whole}")
    for index in at:
        expect_scalar_index(index)


@irdl_op_definition
class PadOp(IRDLOperation):
    """`low[i]` copies of the scalar `value` before axis `i`, and after it as many as the result has."""

    name = "kina.pad"
    operand = operand_def(TensorType)
    value = operand_def(TensorType)
    low = prop_def(DenseArrayBase[IntegerType])
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$operand `,` $value attr-dict `:` type($operand) `,` type($value) `->` type($result)"
    )

    def __init__(
        self, operand: SSAValue, value: SSAValue, low: Sequence[int], high: Sequence[Size]
    ):
        super().__init__(
            operands=[operand, value],
            properties={"low": _ints(low)},
            result_types=[infer_pad(tensor_of(operand), low, high)],
        )

    @property
    def low_list(self) -> tuple[int, ...]:
        return _list(self.low)

    @property
    def high_list(self) -> tuple[Size, ...]:
        """How many copies follow each axis."""
        source, target = type_shape(tensor_of(self.operand)), type_shape(tensor_of(self.result))
        return tuple(n - m - low for n, m, low in zip(target, source, self.low_list))

    def verify_(self) -> None:
        source = tensor_of(self.operand)
        expect(
            tensor_of(self.value) == tensor(source.element_type, []),
            f"{self.name} fills with a scalar of the operand's dtype",
        )
        rank = len(type_shape(source))
        expect(rank == len(type_shape(tensor_of(self.result))), f"{self.name} keeps the rank")
        expect_result(self.result, infer_pad(source, self.low_list, self.high_list))


def infer_pad(type_: Tensor, low: Sequence[int], high: Sequence[Size]) -> Tensor:
    """Neither side is negative."""
    shape = type_shape(type_)
    adds = len(low) == len(high) == len(shape) and min([0, *low, *map(least, high)]) >= 0
    expect(adds, f"pad of {type_} by {list(low)} and {[str(count) for count in high]}")
    return tensor(type_.element_type, [a + n + b for a, n, b in zip(low, shape, high)])


@irdl_op_definition
class GatherOp(IRDLOperation):
    """`result[i.., :] = table[ids[i..], :]`; ids are clamped to the table."""

    name = "kina.gather"
    table = operand_def(TensorType)
    ids = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$table `,` $ids attr-dict `:` type($table) `,` type($ids) `->` type($result)"

    def __init__(self, table: SSAValue, ids: SSAValue):
        super().__init__(
            operands=[table, ids], result_types=[infer_gather(tensor_of(table), tensor_of(ids))]
        )

    def verify_(self) -> None:
        expect_result(self.result, infer_gather(tensor_of(self.table), tensor_of(self.ids)))


def infer_gather(table: Tensor, ids: Tensor) -> Tensor:
    """`[V, rest..]` by `[ids..]` gives `[ids.., rest..]`."""
    expect(ids.element_type in (i32, i64), f"gather takes I32 or I64 ids, not {ids}")
    shape = type_shape(table)
    expect(
        len(shape) >= 1 and least(shape[0]) > 0,
        f"gather takes a table of at least one row: {table}",
    )
    return tensor(table.element_type, [*type_shape(ids), *shape[1:]])


@irdl_op_definition
class IotaOp(IRDLOperation):
    """`result[..] = the index along axis`."""

    name = "kina.iota"
    axis = prop_def(IntegerAttr[I64])
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, element: Attribute, shape: Sequence[Size], axis: int):
        super().__init__(
            properties={"axis": IntegerAttr(axis, i64)}, result_types=[tensor(element, shape)]
        )

    @property
    def axis_number(self) -> int:
        return self.axis.value.data

    def verify_(self) -> None:
        type_ = tensor_of(self.result)
        axis_in_range(self.axis_number, len(type_shape(type_)))
        numeric = is_float(type_.element_type) or is_integer(type_.element_type)
        expect(numeric, f"{self.name} makes numbers, not {type_}")


@irdl_op_definition
class SizeOp(IRDLOperation):
    """An open size as a number: an I64 scalar."""

    name = "kina.size"
    size = prop_def(IntAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, size: Open):
        super().__init__(
            properties={"size": IntAttr(cast(int, size))}, result_types=[tensor(i64, [])]
        )

    @property
    def open_size(self) -> Open:
        return cast(Open, self.size.data)

    def verify_(self) -> None:
        expect_result(self.result, tensor(i64, []))


def index_op(number: Size) -> SizeOp | ConstantOp:
    """A whole number as an I64 scalar."""
    if isinstance(number, Open):
        return SizeOp(number)
    return ConstantOp(number, tensor(i64, []))
