"""The matrix product."""

from __future__ import annotations

from xdsl.ir import SSAValue

from kina.dialect import ops as kina
from kina.passes.derivatives.backward import Backward, Rules, shape


def _matmul(back: Backward, op: kina.MatmulOp, g: SSAValue) -> None:
    """`g @ transpose(b)` and `transpose(a) @ g`."""
    by_lhs = kina.MatmulOp(g, _swapped(back, op.rhs))
    back.give(op.lhs, _unit_batches(back, back.emit(by_lhs), op.lhs))
    by_rhs = kina.MatmulOp(_swapped(back, op.lhs), g)
    back.give(op.rhs, _unit_batches(back, back.emit(by_rhs), op.rhs))


def _swapped(back: Backward, value: SSAValue) -> SSAValue:
    *batch, rows, columns = range(len(shape(value)))
    return back.emit(kina.TransposeOp(value, [*batch, columns, rows]))


def _unit_batches(back: Backward, found: SSAValue, like: SSAValue) -> SSAValue:
    """The sum over the batches that used one matrix."""
    axes = [i for i, (m, n) in enumerate(zip(shape(like), shape(found))) if m != n]
    return back.emit(kina.SumOp(found, axes, keepdims=True)) if axes else found


RULES: Rules = {kina.MatmulOp: _matmul}
