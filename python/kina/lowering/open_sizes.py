"""Open sizes at run time: what their symbols are, and types that no longer name them.

Lowering keeps open sizes in the types of tensors, as the dialect does, to tell which sizes are equal.
Upstream types only know that a size is not known: `?`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import cast

from xdsl.dialects import tensor as upstream
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    FunctionType,
    ModuleOp,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from kina.dialect.dtypes import Tensor, type_shape
from kina.lowering.scalar import INDEX, Code
from kina.sizes import Open, Size, linear, symbol


def symbol_values(code: Code, block: Block) -> Mapping[Size, SSAValue]:
    """Each symbol in the types of a function's arguments as an `index`, read off the first that tells it."""
    values: dict[Size, SSAValue] = {}
    for argument, axis, size in _open_axes(block):
        found = linear(size)
        if found is None:
            continue
        s, factor, rest = found
        name = symbol(s.name, s.least, s.most)
        if name not in values:
            dim = upstream.DimOp(argument, code.constant(axis, INDEX).value)
            value = code.insert(dim)
            value = value - rest if rest else value
            values[name] = (value / factor if factor != 1 else value).value
    return values


def _open_axes(block: Block) -> Iterator[tuple[BlockArgument, int, Open]]:
    for argument in block.args:
        assert isinstance(argument.type, TensorType)
        for axis, size in enumerate(type_shape(argument.type)):
            if isinstance(size, Open):
                yield argument, axis, size


def layouts(block: Block, overwritten: Collection[SSAValue]) -> list[Attribute | None]:
    """How the arguments of a function lie, where any is not C-contiguous; else None for each.

    What is overwritten and open is a view of a buffer with more room: only its last axis is dense.
    """
    views = {argument for argument, _, _ in _open_axes(block) if argument in overwritten}
    if not views:
        return [None] * len(block.args)
    ranks = [len(type_shape(cast(Tensor, argument.type))) for argument in block.args]
    return [
        StridedLayoutAttr([*[None] * (rank - 1), 1])
        if argument in views
        else AffineMapAttr(AffineMap.identity(rank))
        for argument, rank in zip(block.args, ranks)
    ]


def forget_open_sizes(module: ModuleOp) -> None:
    """Make every open size in the types of a module `?`."""
    for op in module.walk():
        blocks = (block for region in op.regions for block in region.blocks)
        for value in [*op.results, *chain.from_iterable(block.args for block in blocks)]:
            forgotten = _forgotten(value.type)
            if forgotten != value.type:
                Rewriter.replace_value_with_new_type(value, forgotten)
        if isinstance(op, FuncOp):
            types = [block_argument.type for block_argument in op.args]
            outputs = [_forgotten(type_) for type_ in op.function_type.outputs]
            op.function_type = FunctionType.from_lists(types, outputs)


def _forgotten(type_: Attribute) -> Attribute:
    if not isinstance(type_, TensorType):
        return type_
    sizes = [DYNAMIC_INDEX if isinstance(s, Open) else s for s in type_shape(type_)]
    return TensorType(type_.element_type, sizes)
