"""From a dialect module to the golden level: linalg on tensors, scalars in `arith`.

The result holds the public function of the signature and the private functions that it calls for
elementary functions and the like; code generation begins by inlining those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region
from xdsl.rewriter import InsertPoint

from kina.dialect.ops import YieldOp
from kina.lowering import contraction, control, elementwise, gather, reduction, shape, top_k
from kina.lowering.context import Lowering, shape_of, type_to_store
from kina.lowering.materialize import extract
from kina.lowering.open_sizes import forget_open_sizes, layouts, symbol_values
from kina.lowering.placement import returned
from kina.lowering.scalar import Code, Library

LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {
    **contraction.LOWERINGS,
    **control.LOWERINGS,
    **elementwise.LOWERINGS,
    **gather.LOWERINGS,
    **reduction.LOWERINGS,
    **shape.LOWERINGS,
    **top_k.LOWERINGS,
}


def lower(module: ModuleOp) -> ModuleOp:
    """A new module in upstream dialects with the meaning of this dialect module.

    Results are written where the caller says: each has a tensor to be written into among the
    arguments, behind the parameters, or is put in the place of a donated parameter.

    Nothing verifies the module here: mlir-opt does so where it reads it.
    """
    library = Library()
    functions = [_function(op, library) for op in module.ops if isinstance(op, func.FuncOp)]
    result = ModuleOp([*functions, *library.sorted()])
    forget_open_sizes(result)
    return result


def _function(source: func.FuncOp, library: Library) -> func.FuncOp:
    entry = source.body.block
    block = Block(arg_types=[type_to_store(argument) for argument in entry.args])
    prologue = Block()
    ahead = Builder(InsertPoint.at_end(prologue))
    low = Lowering(Code(Builder(InsertPoint.at_end(block)), library, hoisted=ahead), walk)
    low.open_sizes.update(symbol_values(low.code.ahead(), block))
    for argument, lowered in zip(entry.args, block.args):
        low.bind(argument, lowered if shape_of(argument) else extract(low, lowered))
        if argument.name_hint is not None:
            lowered.name_hint = argument.name_hint
    walk(low, entry)
    last = entry.last_op
    assert isinstance(last, func.ReturnOp)
    donated = donated_arguments(source)
    # A scalar was read from its buffer; the tensor is what takes the result.
    outs = {i: block.args[a.index] for i, a in donated.items() if not shape_of(a)}
    for i, value in enumerate(last.arguments):
        if i not in donated:
            outs[i] = block.insert_arg(type_to_store(value), len(block.args))
    results = returned(low, last.arguments, donated, outs)
    low.builder.insert(func.ReturnOp(*results))
    first = block.first_op
    assert first is not None
    for op in list(prologue.ops):
        prologue.detach_op(op)
        block.insert_op_before(op, first)
    _erase_unused(block)
    types = ([a.type for a in block.args], [r.type for r in results])
    overwritten = {block.args[argument.index] for argument in donated.values()}
    writable = [a in overwritten or a.index >= len(entry.args) for a in block.args]
    arguments: list[dict[str, Attribute]] = [
        {"bufferization.writable": BoolAttr.from_bool(may)} for may in writable
    ]
    for held, layout in zip(arguments, layouts(block, overwritten)):
        if layout is not None:
            held["bufferization.buffer_layout"] = layout
    function = func.FuncOp(
        source.sym_name.data,
        types,
        Region(block),
        arg_attrs=ArrayAttr(map(DictionaryAttr, arguments)),
    )
    function.attributes["llvm.emit_c_interface"] = UnitAttr()
    return function


def walk(low: Lowering, block: Block) -> None:
    """Lowers the operations of a block, its terminator aside."""
    for op in block.ops:
        if not isinstance(op, func.ReturnOp | YieldOp):
            LOWERINGS[type(op)](low, op)


def donated_arguments(function: func.FuncOp) -> dict[int, BlockArgument]:
    """The arguments whose buffers a call overwrites, by the number of the result that each becomes."""
    donated: dict[int, BlockArgument] = {}
    for argument, held in zip(function.body.block.args, function.arg_attrs or ()):
        result = held.data.get("kina.donated")
        if isinstance(result, IntegerAttr):
            donated[result.value.data] = argument
    return donated


def _erase_unused(block: Block) -> None:
    """Erases operations whose results nothing reads, last to first: none of them has an effect."""
    for op in reversed(list(block.ops)):
        for region in op.regions:
            for inner in region.blocks:
                _erase_unused(inner)
        if op.results and all(result.first_use is None for result in op.results):
            block.erase_op(op)
