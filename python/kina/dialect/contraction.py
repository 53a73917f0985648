"""The products that sum over an axis."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from kina.dialect.checks import expect, expect_result, tensor_of
from kina.dialect.dtypes import Tensor, is_float, tensor, type_shape


def infer_matmul(lhs: Tensor, rhs: Tensor) -> Tensor:
    """`[batch.., M, K] @ [batch.., K, N] -> [batch.., M, N]`; a batch of 1 stretches."""
    a, b = type_shape(lhs), type_shape(rhs)
    expect(lhs.element_type == rhs.element_type, f"matmul of {lhs} and {rhs}: dtypes differ")
    expect(is_float(lhs.element_type), f"matmul takes floats, not {lhs}")
    expect(2 <= len(a) == len(b), f"matmul of ranks {len(a)} and {len(b)}")
    expect(a[-1] == b[-2], f"matmul sums over axes of {a[-1]} and {b[-2]}")
    batch = []
    for m, n in zip(a[:-2], b[:-2]):
        expect(m == n or 1 in (m, n), f"matmul of batches {m} and {n}")
        batch.append(n if m == 1 else m)
    return tensor(lhs.element_type, [*batch, a[-2], b[-1]])


@irdl_op_definition
class MatmulOp(IRDLOperation):
    """`result[.., m, n] = sum over k of lhs[.., m, k] * rhs[.., k, n]`.

    F16 and BF16 accumulate in F32 and round once.
    """

    name = "kina.matmul"
    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        result = infer_matmul(tensor_of(lhs), tensor_of(rhs))
        super().__init__(operands=[lhs, rhs], result_types=[result])

    def verify_(self) -> None:
        expect_result(self.result, infer_matmul(tensor_of(self.lhs), tensor_of(self.rhs)))
