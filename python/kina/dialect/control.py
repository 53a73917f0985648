"""Loops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import Block, Region, SSAValue
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
    """The carry of the next iteration."""

    name = "kina.yield"
    values = var_operand_def(TensorType)
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ForOp), Pure()))
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
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return tuple(last.values)

    def verify_(self) -> None:
        expect_scalar_index(self.lower)
        expect_scalar_index(self.upper)
        types = [value.type for value in self.initial]
        arguments = [argument.type for argument in self.body.block.args]
        expect(arguments == [tensor(i64, []), *types], f"{self.name}: the body takes i, then carry")
        last = self.body.block.last_op
        expect(isinstance(last, YieldOp), f"{self.name} ends in kina.yield")
        expect([v.type for v in self.yielded] == types, f"{self.name}: the carry keeps its types")
        expect([r.type for r in self.results_] == types, f"{self.name} returns its carry")
