"""Operations that move elements: the cotangents move back."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import i64
from xdsl.ir import Block, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import tensor
from kina.passes.derivatives.backward import Backward, Rules, shape
from kina.sizes import Size, least


def _reshape(back: Backward, op: kina.ReshapeOp, g: SSAValue) -> None:
    back.give(op.operand, back.reshaped(g, shape(op.operand)))


def _transpose(back: Backward, op: kina.TransposeOp, g: SSAValue) -> None:
    inverse = [op.permutation.index(axis) for axis in range(len(op.permutation))]
    back.give(op.operand, back.emit(kina.TransposeOp(g, inverse)))


def _broadcast(back: Backward, op: kina.BroadcastOp, g: SSAValue) -> None:
    """The sum over the places that an element went to."""
    source, target = shape(op.operand), shape(op.result)
    pad = len(target) - len(source)
    aligned = [None] * pad + list(source)
    axes = [i for i, (m, n) in enumerate(zip(aligned, target)) if m != n]
    total = back.emit(kina.SumOp(g, axes)) if axes else g
    back.give(op.operand, back.reshaped(total, source))


def _concat(back: Backward, op: kina.ConcatOp, g: SSAValue) -> None:
    at = back.origin(len(shape(g)))
    offset: Size = 0
    for part in op.parts:
        at[op.axis_number] = back.index(offset)
        back.give(part, back.emit(kina.SliceOp(g, at, shape(part))))
        offset = offset + shape(part)[op.axis_number]


def _slice(back: Backward, op: kina.SliceOp, g: SSAValue) -> None:
    back.give_block(op.operand, g, op.at)


def _update(back: Backward, op: kina.UpdateOp, g: SSAValue) -> None:
    """To the block what came of it, and to the operand the rest."""
    back.give(op.block, back.emit(kina.SliceOp(g, op.at, shape(op.block))))
    back.give(op.operand, back.emit(kina.UpdateOp(g, back.zeros(op.block), op.at)))


def _pad(back: Backward, op: kina.PadOp, g: SSAValue) -> None:
    at = [back.index(count) for count in op.low_list]
    back.give(op.operand, back.emit(kina.SliceOp(g, at, shape(op.operand))))
    rest = back.emit(kina.UpdateOp(g, back.zeros(op.operand), at))
    back.give(op.value, back.total(rest))


def _gather(back: Backward, op: kina.GatherOp, g: SSAValue) -> None:
    """Row after row is added to where it came from, as an id may come again."""
    count, rest = prod(shape(op.ids)), shape(op.table)[1:]
    ids = _with_one(back, back.reshaped(op.ids, [count]))
    rows = _with_one(back, back.reshaped(g, [count, *rest]))
    body = Block(arg_types=[tensor(i64, []), op.table.type])
    inner = back.inside(body)
    number, inner.cotangents[op.table] = body.args
    origin = inner.origin(len(rest))
    which = inner.reshaped(inner.emit(kina.SliceOp(ids, [number], [1])), [])
    row = inner.emit(kina.SliceOp(rows, [number, *origin], [1, *rest]))
    inner.give_block(op.table, row, [inner.emit(kina.CastOp(which, i64)), *origin])
    body.add_op(kina.YieldOp([inner.taken(op.table)]))
    first = back.taken(op.table)
    loop = kina.ForOp(back.index(0), back.index(count), [first], body)
    back.cotangents[op.table] = back.emit(loop)


def _with_one(back: Backward, value: SSAValue) -> SSAValue:
    """With a row more where there may be none: a block of one row must fit whatever the size is."""
    rows, *rest = shape(value)
    if least(rows) > 0:
        return value
    zero = back.emit(kina.ConstantOp(0, tensor(tensor_of(value).element_type, [])))
    none = [0] * len(rest)
    return back.emit(kina.PadOp(value, zero, [0, *none], [1, *none]))


RULES: Rules = {
    kina.ReshapeOp: _reshape,
    kina.TransposeOp: _transpose,
    kina.BroadcastOp: _broadcast,
    kina.ConcatOp: _concat,
    kina.SliceOp: _slice,
    kina.UpdateOp: _update,
    kina.PadOp: _pad,
    kina.GatherOp: _gather,
}
