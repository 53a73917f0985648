"""Operations of upstream MLIR dialects that xDSL does not define."""

from __future__ import annotations

from xdsl.dialects.arith import FloatingPointLikeBinaryOperation
from xdsl.irdl import irdl_op_definition


@irdl_op_definition
class RemFOp(FloatingPointLikeBinaryOperation):
    """The remainder of a division that truncates, with the dividend's sign: C's `fmod`."""

    name = "arith.remf"
