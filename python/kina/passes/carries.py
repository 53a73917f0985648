"""What a loop carries for nothing: a value that no iteration needs but to make the next of its own."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from kina.dialect import ops as kina


class DropUnusedCarries(RewritePattern):
    """A `for` whose result is not used, nor what it came of by anything else in the loop."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: kina.ForOp, rewriter: PatternRewriter) -> None:
        needed = _needed(op)
        if len(needed) == len(op.carry):
            return
        block = op.body.block
        yielded = [op.yielded[i] for i in needed]
        initial = [op.initial[i] for i in needed]
        assert block.last_op is not None
        rewriter.replace(block.last_op, kina.YieldOp(yielded), [])
        _erase_all_but(block, [op.index, *(op.carry[i] for i in needed)], rewriter)
        loop = kina.ForOp(op.lower, op.upper, initial, op.detach_region(op.body))
        results: list[SSAValue | None] = [None] * len(op.results_)
        for i, result in zip(needed, loop.results_):
            results[i] = result
        rewriter.replace(op, loop, results)


def _needed(op: kina.ForOp) -> list[int]:
    """The carried values that a result needs, by their numbers."""
    block = op.body.block
    needed = {i for i, result in enumerate(op.results_) if result.first_use is not None}
    seen: set[SSAValue] = set()
    waiting = [op.yielded[i] for i in needed]
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        if value in op.carry:
            i = op.carry.index(value)
            needed.add(i)
            waiting.append(op.yielded[i])
        elif not isinstance(value.owner, Block) and value.owner.parent is block:
            waiting += [operand for inner in value.owner.walk() for operand in inner.operands]
    return sorted(needed)


def _erase_all_but(block: Block, kept: Sequence[SSAValue], rewriter: PatternRewriter) -> None:
    """Drop arguments of a block, and the operations that use them, whose results nobody needs."""
    for argument in [one for one in block.args if one not in kept]:
        _erase_uses(argument, block, rewriter)
        block.erase_arg(argument)


def _erase_uses(value: SSAValue, block: Block, rewriter: PatternRewriter) -> None:
    while (use := value.first_use) is not None:
        op = block.find_ancestor_op_in_block(use.operation)
        assert op is not None
        for result in op.results:
            _erase_uses(result, block, rewriter)
        rewriter.erase(op)
