"""Loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import TensorType, i1, i64
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import HasParent, IsTerminator, Pure, RecursiveMemoryEffect

from kina.dialect.checks import expect, expect_scalar_index
from kina.dialect.dtypes import tensor


@irdl_op_definition
class YieldOp(IRDLOperation):
    """What a region of a loop hands on: the carry of the next iteration, or a condition."""

    name = "kina.yield"
    values = var_operand_def(TensorType)
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ForOp, WhileOp), Pure()))
    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, values: Sequence[SSAValue]):
        super().__init__(operands=[list(values)])


@irdl_op_definition
class ForOp(IRDLOperation):
    """`for i in lower .. upper` over a carry whose types do not change.

    The body's block takes `i` as an I64 scalar, then the carry; it ends in a yield of the carry.
    The results are the last carry, or the first where `lower >= upper`.
    """

    name = "kina.for"
    lower = operand_def(TensorType)
    upper = operand_def(TensorType)
    initial = var_operand_def(TensorType)
    results_ = var_result_def(TensorType)
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())
    assembly_format = (
        "$lower `,` $upper `,` $initial attr-dict `:` "
        "type($lower) `,` type($upper) `,` type($initial) `->` type($results_) $body"
    )

    def __init__(
        self, lower: SSAValue, upper: SSAValue, initial: Sequence[SSAValue], body: Region | Block
    ):
        region = body if isinstance(body, Region) else Region(body)
        super().__init__(
            operands=[lower, upper, list(initial)],
            result_types=[[value.type for value in initial]],
            regions=[region],
        )

    @property
    def index(self) -> SSAValue:
        """The loop's counter inside the body."""
        return self.body.block.args[0]

    @property
    def carry(self) -> tuple[SSAValue, ...]:
        """The carried values inside the body."""
        return tuple(self.body.block.args[1:])

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """The values that the body hands to the next iteration."""
        return _yielded(self.body)

    def verify_(self) -> None:
        expect_scalar_index(self.lower)
        expect_scalar_index(self.upper)
        types = [value.type for value in self.initial]
        arguments = [argument.type for argument in self.body.block.args]
        expect(arguments == [tensor(i64, []), *types], f"{self.name}: the body takes i, then carry")
        _expect_carry(self, types)


@irdl_op_definition
class WhileOp(IRDLOperation):
    """A carry whose types do not change, handed through the body as long as a condition holds.

    Both regions' blocks take the carry. That of the condition, which comes before every iteration,
    yields a Bool scalar; that of the body yields the next carry. The results are the last carry.
    """

    name = "kina.while"
    initial = var_operand_def(TensorType)
    results_ = var_result_def(TensorType)
    condition = region_def("single_block")
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())
    assembly_format = (
        "$initial attr-dict `:` type($initial) `->` type($results_) $condition `do` $body"
    )

    def __init__(self, initial: Sequence[SSAValue], condition: Block, body: Block):
        super().__init__(
            operands=[list(initial)],
            result_types=[[value.type for value in initial]],
            regions=[Region(condition), Region(body)],
        )

    @property
    def tested(self) -> tuple[SSAValue, ...]:
        """The carried values inside the condition."""
        return tuple(self.condition.block.args)

    @property
    def holds(self) -> SSAValue:
        """Whether there is another iteration."""
        (holds,) = _yielded(self.condition)
        return holds

    @property
    def carry(self) -> tuple[SSAValue, ...]:
        """The carried values inside the body."""
        return tuple(self.body.block.args)

    @property
    def yielded(self) -> tuple[SSAValue, ...]:
        """The values that the body hands to the next iteration."""
        return _yielded(self.body)

    def verify_(self) -> None:
        types = [value.type for value in self.initial]
        for values in (self.tested, self.carry):
            expect([v.type for v in values] == types, f"{self.name}: both regions take the carry")
        expect(isinstance(self.condition.block.last_op, YieldOp), f"{self.name} ends in kina.yield")
        holds = [value.type for value in _yielded(self.condition)]
        expect(holds == [tensor(i1, [])], f"{self.name}: a condition is tensor<i1>")
        _expect_carry(self, types)


Loop: TypeAlias = ForOp | WhileOp
"""A loop takes the carry as `initial` and `carry`, hands it on as `yielded`, returns it."""


def _yielded(region: Region) -> tuple[SSAValue, ...]:
    last = region.block.last_op
    assert isinstance(last, YieldOp)
    return tuple(last.values)


def _expect_carry(loop: Loop, types: Sequence[Attribute]) -> None:
    expect(isinstance(loop.body.block.last_op, YieldOp), f"{loop.name} ends in kina.yield")
    expect([v.type for v in loop.yielded] == types, f"{loop.name}: the carry keeps its types")
    expect([r.type for r in loop.results_] == types, f"{loop.name} returns its carry")
