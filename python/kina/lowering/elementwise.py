"""Operations on each element by itself, and constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from xdsl.ir import Operation

from kina.dialect import ops as kina
from kina.lowering import arithmetic, rounding
from kina.lowering.arithmetic import in_wide, widen
from kina.lowering.context import Lowering, element_of, shape_of
from kina.lowering.error_function import erf
from kina.lowering.exponential import exp, sigmoid, tanh
from kina.lowering.generic import parallel
from kina.lowering.logarithm import log
from kina.lowering.materialize import bind_view
from kina.lowering.power import pow
from kina.lowering.remainder import remainder
from kina.lowering.scalar import Scalar
from kina.lowering.trigonometry import cos, sin
from kina.lowering.views import Number

Meaning = Callable[..., Scalar]


def _remainder(a: Scalar, b: Scalar) -> Scalar:
    return remainder(a, b) if a.is_float else arithmetic.integer_remainder(a, b)


MEANINGS: Mapping[type[Operation], Meaning] = {
    kina.NegOp: arithmetic.negate,
    kina.AbsOp: arithmetic.absolute,
    kina.NotOp: lambda x: x ^ 1,
    kina.ExpOp: in_wide(exp),
    kina.LogOp: in_wide(log),
    kina.SqrtOp: in_wide(lambda x: x.sqrt()),
    kina.RsqrtOp: in_wide(lambda x: 1.0 / x.sqrt()),
    kina.TanhOp: in_wide(tanh),
    kina.SigmoidOp: in_wide(sigmoid),
    kina.SinOp: in_wide(sin),
    kina.CosOp: in_wide(cos),
    kina.ErfOp: in_wide(erf),
    kina.FloorOp: in_wide(rounding.floor),
    kina.CeilOp: in_wide(rounding.ceil),
    kina.RoundOp: in_wide(rounding.nearest),
    kina.TruncOp: in_wide(rounding.trunc),
    kina.SignOp: in_wide(rounding.sign),
    kina.IsnanOp: lambda x: widen(x).is_nan(),
    kina.IsinfOp: lambda x: widen(x).absolute().compare("eq", inf),
    kina.AddOp: in_wide(lambda a, b: a + b),
    kina.SubOp: in_wide(lambda a, b: a - b),
    kina.MulOp: in_wide(lambda a, b: a * b),
    kina.DivOp: in_wide(arithmetic.divide),
    kina.RemOp: in_wide(_remainder),
    kina.MaxOp: in_wide(lambda a, b: a.maximum(b)),
    kina.MinOp: in_wide(lambda a, b: a.minimum(b)),
    kina.PowOp: in_wide(pow),
    kina.AndOp: lambda a, b: a & b,
    kina.OrOp: lambda a, b: a | b,
    kina.SelectOp: arithmetic.select,
}


def _meaning(op: Operation) -> Meaning:
    """The function on scalars that the operation applies to each element."""
    if isinstance(op, kina.CompareOp):
        predicate = op.predicate.data
        return lambda a, b: widen(a).compare(predicate, widen(b))
    if isinstance(op, kina.CastOp):
        target = element_of(op.result)
        return lambda x: arithmetic.cast(x, target)
    return MEANINGS[type(op)]


def lower_elementwise(low: Lowering, op: Operation) -> None:
    result = op.results[0]
    if isinstance(op, kina.CastOp) and op.operand.type == result.type:
        bind_view(low, result, low.readings[op.operand])
        return
    shape, element = shape_of(result), element_of(result)
    if not shape:
        low.bind(result, _meaning(op)(*map(low.scalar, op.operands)).value)
    elif 0 in shape:
        low.bind(result, low.empty(element, shape))
    else:
        inputs = [(low.readings[value], element_of(value)) for value in op.operands]
        low.bind(result, parallel(low, inputs, element, shape, _meaning(op)))


def lower_constant(low: Lowering, op: kina.ConstantOp) -> None:
    bind_view(low, op.result, Number(op.number))


LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {
    kina.ConstantOp: lower_constant,
    kina.CompareOp: lower_elementwise,
    kina.CastOp: lower_elementwise,
    **{operation: lower_elementwise for operation in MEANINGS},
}
