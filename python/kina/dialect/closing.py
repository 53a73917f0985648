"""A module for one set of open sizes, as if the export had given them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import FunctionType, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from kina.dialect import ops
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import Tensor, tensor, type_shape
from kina.sizes import Size, Symbol, linear, value


def told(declared: Sequence[Size], found: Sequence[int]) -> dict[Symbol, int]:
    """What the sizes of an argument tell of the symbols of its declared sizes."""
    values: dict[Symbol, int] = {}
    for size, number in zip(declared, found):
        if (form := linear(size)) is not None:
            s, factor, rest = form
            values[s] = (number - rest) // factor
    return values


def closed(module: ModuleOp, sizes: Mapping[str, int]) -> ModuleOp:
    """A copy of a module in which every open size is the number that these symbols make it."""
    module = module.clone()
    for op in list(module.walk()):
        arguments = [argument for region in op.regions for argument in region.block.args]
        for result in [*op.results, *arguments]:
            _close(result, sizes)
        if isinstance(op, FuncOp):
            outputs = [_closed_type(t, sizes) for t in op.function_type.outputs]  # type: ignore[arg-type]
            op.function_type = FunctionType.from_lists([a.type for a in op.args], outputs)
        elif isinstance(op, ops.SizeOp):
            number = value(op.open_size, sizes)
            Rewriter.replace_op(op, ops.ConstantOp(number, tensor(i64, [])))
    return module


def _close(result: SSAValue, sizes: Mapping[str, int]) -> None:
    type_ = _closed_type(tensor_of(result), sizes)
    if type_ != result.type:
        Rewriter.replace_value_with_new_type(result, type_)


def _closed_type(type_: Tensor, sizes: Mapping[str, int]) -> Tensor:
    return tensor(type_.element_type, [value(size, sizes) for size in type_shape(type_)])
