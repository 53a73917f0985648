"""Values that must end in a certain buffer: a loop's carry, a donated parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import OpResult, SSAValue

from kina.dialect import ops as kina
from kina.lowering.aliases import Source, chain_of, is_rewritten, keeps_buffer, may_share
from kina.lowering.context import Lowering, element_of, shape_of
from kina.lowering.materialize import (
    allocate,
    as_tensor,
    carried,
    copy,
    fill_buffer_of,
    in_buffer_of,
)
from kina.lowering.views import Number, View


def yielded(low: Lowering, values: Sequence[SSAValue], carry: Sequence[SSAValue]) -> list[SSAValue]:
    """What a loop's body yields: each part of the next carry in the buffer of this one's.

    Such a loop allocates nothing. The buffers of the carry are free for their next contents, but
    for views among the values of what they held before: those are copied first.
    """
    results = _apart(low, values, carry)
    for i, (value, target) in enumerate(zip(values, carry)):
        if shape_of(value) and not is_rewritten(value, target):
            results[i] = _placed(low, value, results[i], target)
    return results


def initial(low: Lowering, loop: kina.Loop) -> list[SSAValue]:
    """The first carry of a loop, in buffers into which the body may write what it yields."""
    results = [carried(low, value) for value in loop.initial]
    for i, value in enumerate(loop.initial):
        if shape_of(value) and not keeps_buffer(loop, i):
            results[i] = _owned(low, value, results[i])
    return results


def _owned(low: Lowering, value: SSAValue, result: SSAValue) -> SSAValue:
    """The value in a buffer that no other value has, or may come to have by folding."""
    scalar = _one_scalar(low, value)
    if scalar is not None:
        return fill_buffer_of(low, scalar, allocate(low, result.type))
    if may_share(value) == {value} and isinstance(value, OpResult) and value.has_one_use():
        return result
    return copy(low, result)


def returned(
    low: Lowering,
    values: Sequence[SSAValue],
    donated: Mapping[int, SSAValue],
    outs: Mapping[int, SSAValue],
) -> list[SSAValue]:
    """What a function returns, in the buffers of donated parameters and in those of `outs`.

    Both are by the number of the result that each is for; `outs` are tensors of the caller.
    """
    targets = [donated.get(i) for i in range(len(values))]
    results = _apart(low, values, targets)
    for i, (value, target) in enumerate(zip(values, targets)):
        if target is not None and shape_of(target):
            looped = any(isinstance(op, kina.Loop) for op, _ in chain_of(value, target))
            if not (looped and is_rewritten(value, target)):
                results[i] = _placed(low, value, results[i], target)
    for i, out in outs.items():
        results[i] = _written(low, values[i], results[i], out)
    return results


def _written(low: Lowering, value: SSAValue, result: SSAValue, buffer: SSAValue) -> SSAValue:
    """The result, which is what the value lowers to, in a buffer."""
    scalar = _one_scalar(low, value)
    if scalar is not None:
        return fill_buffer_of(low, scalar, buffer)
    return in_buffer_of(low, result, buffer)


def _one_scalar(low: Lowering, value: SSAValue) -> SSAValue | None:
    """The scalar that all elements are, where that is known."""
    match low.readings[value]:
        case Number(number):
            return low.number(number, element_of(value)).value
        case View(source, ()):
            return source
        case _:
            return None


def _apart(
    low: Lowering, values: Sequence[SSAValue], targets: Sequence[SSAValue | None]
) -> list[SSAValue]:
    """What the values lower to, such that each may be written to its place in turn.

    A copy where a value lies in another's target, or in one place with another value.
    """
    results = [carried(low, value) for value in values]
    overwritten = {target for target in targets if target is not None}
    taken: set[Source] = set()
    for i, (value, target) in enumerate(zip(values, targets)):
        if shape_of(value):
            sources = may_share(value)
            elsewhere = taken | (overwritten - {target})
            rewritten = target is not None and is_rewritten(value, target)
            filled = _one_scalar(low, value) is not None
            if not (rewritten or filled or sources.isdisjoint(elsewhere)):
                results[i] = copy(low, results[i])
            taken |= sources - {target}
    return results


def _placed(low: Lowering, value: SSAValue, result: SSAValue, target: SSAValue) -> SSAValue:
    """The result in the target's buffer.

    A view of the target, or what a loop made of it, is copied first: bufferization does not see
    ahead that it is the whole target, and takes it for an error to write it there.
    """
    chain = chain_of(value, target)
    updates = bool(chain) and all(isinstance(op, kina.UpdateOp) for op, _ in chain)
    if target in may_share(value) and value is not target and not updates:
        result = copy(low, result)
    return _written(low, value, result, as_tensor(low, target))
