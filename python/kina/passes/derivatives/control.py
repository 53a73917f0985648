"""Loops, run backwards: a first pass keeps the carry of each iteration, a second takes them in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import tensor
from kina.passes.derivatives.backward import Backward, NoDerivativeError, Rules, shape
from kina.sizes import Size, least

_INDEX = tensor(i64, [])


def _for(back: Backward, op: kina.ForOp, *gs: SSAValue | None) -> None:
    """The sum over the iterations for what the body takes from outside; for the carry, one after
    the other."""
    lower, upper = _number(op, op.lower), _number(op, op.upper)
    count = upper - lower
    operations = list(op.body.block.ops)[:-1]
    outside = _outside(op, back.active)
    carried = [i for i, value in enumerate(op.carry) if value in back.active]
    kept, loop = _keep(back, op, lower, count)

    # Its carry: cotangents of what the loop carries, then of what its body takes from outside.
    last = [gs[i] for i in carried]
    initial = [back.zeros(loop.carry[i]) if g is None else g for i, g in zip(carried, last)]
    initial += [back.taken(value) for value in outside]
    body = Block(arg_types=[_INDEX, *(value.type for value in initial)])
    inner = back.inside(body)
    number, *cotangents = body.args
    inner.cotangents.update(zip(outside, cotangents[len(carried) :]))

    # One iteration: its values again, then from what it handed on back to what it was given.
    values = _restored(inner, loop, kept, number, lower, upper)
    copies = [_copy(inner, one, values) for one in operations]
    inner.active |= {new for old, new in values.items() if old in inner.active}
    for i, cotangent in zip(carried, cotangents):
        yielded = loop.yielded[i]
        inner.give(values.get(yielded, yielded), cotangent)
    inner.through(copies)
    following = [inner.taken(values[loop.carry[i]]) for i in carried]
    following += [inner.taken(value) for value in outside]
    body.add_op(kina.YieldOp(following))

    reverse = kina.ForOp(back.index(0), back.index(count), initial, body)
    back.emit(reverse)
    back.cotangents.update(zip(outside, reverse.results_[len(carried) :]))
    for i, result in zip(carried, reverse.results_):
        back.give(loop.initial[i], result)


def _number(op: kina.ForOp, bound: SSAValue) -> Size:
    """A bound of a loop, as far as it is known when the program is compiled."""
    match bound.owner:
        case kina.ConstantOp() as constant:
            return int(constant.number)
        case kina.SizeOp() as size:
            return size.open_size
    _refuse(
        op,
        "a for has no gradient where its bounds are only known at run time, as each iteration's"
        " carry is kept until it is run backwards; loop up to a size, and select what an iteration"
        " changes",
    )


def _outside(op: kina.ForOp, active: set[SSAValue]) -> list[SSAValue]:
    """The active values that the body takes from outside, in the order of their first use."""
    inside: set[SSAValue] = {*op.body.block.args}
    found: dict[SSAValue, None] = {}
    for one in op.body.block.walk():
        inside |= {*one.results, *(a for region in one.regions for a in region.block.args)}
        found |= dict.fromkeys(value for value in one.operands if value in active)
    return [value for value in found if value not in inside]


def _keep(
    back: Backward, op: kina.ForOp, lower: Size, count: Size
) -> tuple[Sequence[SSAValue], kina.ForOp]:
    """A loop in the place of another that also returns, for each carried value, that of every
    iteration: `[count, ..]`, with room for one where there may be none."""
    room = count + max(1 - least(count), 0)
    here = back.inside(Block())
    buffers = [
        here.emit(kina.ConstantOp(0, tensor(tensor_of(value).element_type, [room, *shape(value)])))
        for value in op.carry
    ]
    block = op.body.block
    save = back.inside(Block())
    at = save.emit(kina.SubOp(op.index, save.index(lower)))
    saved = []
    for value, buffer in zip(op.carry, buffers):
        inside = block.insert_arg(buffer.type, len(block.args))
        row = save.reshaped(value, [1, *shape(value)])
        indices = [at, *save.origin(len(shape(value)))]
        saved.append(save.emit(kina.UpdateOp(inside, row, indices)))
    rewriter = Rewriter()
    rewriter.inline_block(save.block, InsertPoint.at_start(block))
    rewriter.inline_block(here.block, InsertPoint.before(op))
    assert block.last_op is not None
    rewriter.replace_op(block.last_op, kina.YieldOp([*_yielded(block), *saved]))
    initial = [*op.initial, *buffers]
    loop = kina.ForOp(op.lower, op.upper, initial, op.detach_region(op.body))
    size = len(saved)
    rewriter.replace_op(op, loop, loop.results_[:size])
    return loop.results_[size:], loop


def _yielded(block: Block) -> Sequence[SSAValue]:
    assert isinstance(block.last_op, kina.YieldOp)
    return block.last_op.values


def _restored(
    inner: Backward,
    loop: kina.ForOp,
    kept: Sequence[SSAValue],
    number: SSAValue,
    lower: Size,
    upper: Size,
) -> dict[SSAValue, SSAValue]:
    """The index and the carry of the iteration that is `number` before the last."""
    at = inner.emit(kina.SubOp(inner.index(upper - lower - 1), number))
    values = {loop.index: inner.emit(kina.AddOp(inner.index(lower), at))}
    for value, buffer in zip(loop.carry, kept):
        indices = [at, *inner.origin(len(shape(value)))]
        row = inner.emit(kina.SliceOp(buffer, indices, [1, *shape(value)]))
        values[value] = inner.reshaped(row, shape(value))
    return values


def _copy(inner: Backward, op: Operation, values: dict[SSAValue, SSAValue]) -> Operation:
    """An operation of the body again, on the values of one iteration."""
    copy = op.clone(values)
    for old, new in zip(op.walk(), copy.walk(), strict=True):
        inner.origins[new] = inner.origins.get(old, old)
    inner.block.add_op(copy)
    return copy


def _while(back: Backward, op: kina.WhileOp, *gs: SSAValue | None) -> None:
    _refuse(
        op,
        "a while has no gradient, as how often it runs is only known at run time; write a for up"
        " to the most iterations, and select what one changes",
    )


def _refuse(op: Operation, message: str) -> NoReturn:
    raise NoDerivativeError(message, op)


RULES: Rules = {kina.ForOp: _for, kina.WhileOp: _while}
