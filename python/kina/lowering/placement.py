"""Values that must end in a certain buffer: a loop's carry, a donated parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, OpResult, SSAValue

from kina.dialect import ops as kina
from kina.elaborate.flow import updated
from kina.lowering.aliases import is_read_after, may_share
from kina.lowering.context import Lowering, shape_of
from kina.lowering.materialize import as_tensor, carried, copy, fill_buffer_of, in_buffer_of


def placed(
    low: Lowering, values: Sequence[SSAValue], targets: Sequence[SSAValue | None]
) -> list[SSAValue]:
    """What the values lower to, each in the buffer of its target where it has one.

    The buffers of all targets are free for their new contents, but for views among the values of
    what they held before: those are copied first.
    """
    overwritten = {target for target in targets if target is not None and shape_of(target)}
    results = [carried(low, value) for value in values]
    for i, (value, target) in enumerate(zip(values, targets)):
        if shape_of(value) and not may_share(value).isdisjoint(overwritten - {target}):
            results[i] = copy(low, results[i])
    return [
        result if target is None or not shape_of(target) else _place(low, value, result, target)
        for value, result, target in zip(values, results, targets)
    ]


def returned(
    low: Lowering,
    values: Sequence[SSAValue],
    donated: Sequence[SSAValue],
    outs: Mapping[int, SSAValue],
) -> list[SSAValue]:
    """What a function returns: updates of donated parameters in their buffers, all else in `outs`.

    `outs` are tensors of the caller, by the number of the result that each is for.
    """
    targets = [donor(value, donated) for value in values]
    results = placed(low, values, targets)
    taken: set[SSAValue] = set()
    for i in outs:
        sources = may_share(values[i]) if shape_of(values[i]) else set()
        # What will lie in one result's buffer is copied for another, before either is written.
        if not sources.isdisjoint(taken):
            results[i] = copy(low, results[i])
        taken |= sources
    for i, out in outs.items():
        write = in_buffer_of if shape_of(values[i]) else fill_buffer_of
        results[i] = write(low, results[i], out)
    return results


def donor(value: SSAValue, donated: Sequence[SSAValue]) -> SSAValue | None:
    """The donated parameter that `value` is an update of, if any."""
    origin = updated(value)
    return origin if origin in donated else None


def _place(low: Lowering, value: SSAValue, result: SSAValue, target: SSAValue) -> SSAValue:
    """The result in the target's buffer.

    What loops have written into the target lies there already, and bufferization, which cannot see
    that ahead, takes it for an error to ask again. Only where the old contents are read later does
    the loop have to write elsewhere, and the result is copied back.
    """
    chain = _chain(value, target)
    if value is target:
        return result
    if any(isinstance(op, kina.ForOp) for op, _ in chain):
        if not any(is_read_after(source, op) for op, source in chain):
            return result
        result = copy(low, result)
    elif not chain and target in may_share(value):
        result = copy(low, result)
    return in_buffer_of(low, result, as_tensor(low, target))


def _chain(value: SSAValue, target: SSAValue) -> list[tuple[Operation, SSAValue]]:
    """The updates and loops that made `value` out of `target`, each with what it began with.

    Empty where it was made in any other way.
    """
    chain: list[tuple[Operation, SSAValue]] = []
    while value is not target:
        match value:
            case OpResult(op=kina.UpdateOp() as update):
                chain.append((update, update.operand))
            case OpResult(op=kina.ForOp() as loop, index=index):
                chain.append((loop, loop.initial[index]))
            case _:
                return []
        value = chain[-1][1]
    return chain
