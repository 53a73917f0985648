"""Clean up before lowering: nothing twice, nothing unused, no operation that moves nothing.

Every rewrite keeps each result's bits. Floats are therefore not folded (`x + 0` is not `x` for
-0.0), and a cast goes only where it changes no dtype.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl.transforms.common_subexpression_elimination import cse
from xdsl.transforms.dead_code_elimination import region_dce

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import is_integer, signed_range, type_shape
from kina.passes.carries import DropUnusedCarries
from kina.sizes import Size

_View: TypeAlias = kina.ReshapeOp | kina.TransposeOp | kina.BroadcastOp


def simplify(module: ModuleOp) -> None:
    """Simplifies in place: the same module gives the same text, and a second time changes nothing."""
    patterns: list[RewritePattern] = [
        DropIdentity(),
        MergeReshapes(),
        MergeTransposes(),
        MergeBroadcasts(),
        ViewOfConstant(),
        FoldIntegers(),
        RunOnce(),
    ]
    PatternRewriteWalker(GreedyRewritePatternApplier(patterns)).rewrite_module(module)
    cse(module)
    region_dce(module.body)
    while PatternRewriteWalker(DropUnusedCarries()).rewrite_module(module):
        region_dce(module.body)


class DropIdentity(RewritePattern):
    """An operation whose result is one of its operands, element for element."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        source = _identity(op)
        if source is not None:
            rewriter.replace(op, [], [source])


def _identity(op: Operation) -> SSAValue | None:
    match op:
        case kina.ReshapeOp() | kina.BroadcastOp() | kina.CastOp() | kina.SliceOp() | kina.PadOp():
            # A slice of its operand's shape is clamped to begin at 0; a pad of it adds nothing.
            same = op.operand.type == op.result.type
        case kina.TransposeOp():
            same = op.permutation == tuple(range(len(op.permutation)))
        case kina.ConcatOp():
            return op.parts[0] if len(op.parts) == 1 else None
        case kina.UpdateOp():
            return op.block if op.block.type == op.result.type else None
        case _:
            return None
    return op.operand if same else None


class MergeReshapes(RewritePattern):
    """The order of the elements is row-major before and after: only the last shape counts."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: kina.ReshapeOp, rewriter: PatternRewriter) -> None:
        inner = op.operand.owner
        if isinstance(inner, kina.ReshapeOp):
            rewriter.replace(op, kina.ReshapeOp(inner.operand, _shape(op.result)))


class MergeTransposes(RewritePattern):
    """Axis i of the outer result is axis outer[i] of the inner, axis inner[outer[i]] of its operand."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: kina.TransposeOp, rewriter: PatternRewriter) -> None:
        inner = op.operand.owner
        if isinstance(inner, kina.TransposeOp):
            perm = [inner.permutation[axis] for axis in op.permutation]
            rewriter.replace(op, kina.TransposeOp(inner.operand, perm))


class MergeBroadcasts(RewritePattern):
    """Both pad on the left and stretch units, so the outer does what both do."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: kina.BroadcastOp, rewriter: PatternRewriter) -> None:
        inner = op.operand.owner
        if isinstance(inner, kina.BroadcastOp):
            rewriter.replace(op, kina.BroadcastOp(inner.operand, _shape(op.result)))


class ViewOfConstant(RewritePattern):
    """A constant holds one number, whatever its shape."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, _View):
            number = _constant(op.operand)
            if number is not None:
                rewriter.replace(op, kina.ConstantOp(number, tensor_of(op.result)))


def _divide(a: int, b: int) -> int:
    quotient = abs(a) // abs(b) if b else 0
    return -quotient if (a < 0) != (b < 0) else quotient


def _remainder(a: int, b: int) -> int:
    return a - b * _divide(a, b) if b else 0


_UNARY: Mapping[type[Operation], Callable[[int], int]] = {
    kina.NegOp: operator.neg,
    kina.AbsOp: abs,
    kina.SignOp: lambda x: (x > 0) - (x < 0),
}
_BINARY: Mapping[type[Operation], Callable[[int, int], int]] = {
    kina.AddOp: operator.add,
    kina.SubOp: operator.sub,
    kina.MulOp: operator.mul,
    kina.DivOp: _divide,
    kina.RemOp: _remainder,
    kina.MaxOp: max,
    kina.MinOp: min,
}
_NEUTRAL_RIGHT: Mapping[type[Operation], int] = {
    kina.AddOp: 0,
    kina.SubOp: 0,
    kina.MulOp: 1,
    kina.DivOp: 1,
}
_NEUTRAL_LEFT: Mapping[type[Operation], int] = {kina.AddOp: 0, kina.MulOp: 1}


class FoldIntegers(RewritePattern):
    """Integer arithmetic of constants, as indices are made of, wrapped as at run time."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, kina.UnaryOp | kina.BinaryOp) and is_integer(_element(op.result)):
            neutral = _without_neutral(op)
            folded = _folded(op)
            if neutral is not None:
                rewriter.replace(op, [], [neutral])
            elif folded is not None:
                wrapped = _wrap(folded, cast(IntegerType, _element(op.result)))
                rewriter.replace(op, kina.ConstantOp(wrapped, tensor_of(op.result)))


def _folded(op: kina.UnaryOp | kina.BinaryOp) -> int | None:
    numbers = [_constant(operand) for operand in op.operands]
    known = [int(number) for number in numbers if number is not None]
    if len(known) < len(numbers):
        return None
    if type(op) in _UNARY:
        return _UNARY[type(op)](known[0])
    return _BINARY[type(op)](known[0], known[1]) if type(op) in _BINARY else None


def _without_neutral(op: kina.UnaryOp | kina.BinaryOp) -> SSAValue | None:
    if isinstance(op, kina.BinaryOp):
        if _constant(op.rhs) is not None and _constant(op.rhs) == _NEUTRAL_RIGHT.get(type(op)):
            return op.lhs
        if _constant(op.lhs) is not None and _constant(op.lhs) == _NEUTRAL_LEFT.get(type(op)):
            return op.rhs
    return None


def _wrap(value: int, element: IntegerType) -> int:
    least, most = signed_range(element)
    return (value - least) % (most - least + 1) + least


class RunOnce(RewritePattern):
    """A loop of one iteration is its body, and one of none is what it begins with.

    MLIR would unroll it as well, but behind the choice of the buffers for its carry.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: kina.ForOp, rewriter: PatternRewriter) -> None:
        lower, upper = _constant(op.lower), _constant(op.upper)
        if lower is None or upper is None or upper - lower > 1:
            return
        results = list(op.initial)
        if lower < upper:
            body = op.body.block
            last = body.last_op
            assert isinstance(last, kina.YieldOp)
            rewriter.inline_block(body, InsertPoint.before(op), [op.lower, *op.initial])
            results = list(last.values)
            rewriter.erase(last)
        rewriter.replace(op, [], results)


def _constant(value: SSAValue) -> int | float | None:
    """The number of every element, where it is known."""
    return value.owner.number if isinstance(value.owner, kina.ConstantOp) else None


def _shape(value: SSAValue) -> tuple[Size, ...]:
    return type_shape(tensor_of(value))


def _element(value: SSAValue) -> Attribute:
    return tensor_of(value).element_type
