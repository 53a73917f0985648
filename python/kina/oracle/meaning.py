"""Which NumPy function each operation of the dialect means, given its attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.ir import Operation

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import Tensor, type_shape
from kina.oracle import contraction, elementwise, reduction, shape
from kina.oracle.arrays import Array, numpy_dtype

Meaning: TypeAlias = Callable[[Any, Sequence[Array]], Array | tuple[Array, ...]]
"""From an operation and the arrays of its operands, in order, to those of its results."""


def _unary(function: elementwise.Unary) -> Meaning:
    return lambda op, operands: function(operands[0])


def _elementary(name: str) -> Meaning:
    return _unary(partial(elementwise.elementary, elementwise.ELEMENTARY[name]))


def _rounded(function: elementwise.Unary) -> Meaning:
    return _unary(partial(elementwise.rounded, function))


def _binary(function: elementwise.Binary) -> Meaning:
    return lambda op, operands: function(operands[0], operands[1])


def _arithmetic(function: elementwise.Binary) -> Meaning:
    return _binary(partial(elementwise.arithmetic, function))


def _reduction(function: Callable[[Array, Sequence[int], bool], Array]) -> Meaning:
    return lambda op, operands: function(operands[0], op.axis_list, bool(op.keepdims))


def _result(op: Operation) -> Tensor:
    return tensor_of(op.results[0])


def _sizes(op: Operation) -> tuple[int, ...]:
    """The shape of the result, in which no size is open when the oracle computes it."""
    return cast(tuple[int, ...], type_shape(_result(op)))


def _indices(operands: Sequence[Array]) -> list[int]:
    return [int(operand) for operand in operands]


def _constant(op: kina.ConstantOp, operands: Sequence[Array]) -> Array:
    return np.full(_sizes(op), op.number, dtype=numpy_dtype(_result(op).element_type))


def _cast(op: kina.CastOp, operands: Sequence[Array]) -> Array:
    return elementwise.cast(operands[0], numpy_dtype(_result(op).element_type))


def _pad(op: kina.PadOp, operands: Sequence[Array]) -> Array:
    high = cast(tuple[int, ...], op.high_list)
    return shape.pad(operands[0], operands[1], op.low_list, high)


def _iota(op: kina.IotaOp, operands: Sequence[Array]) -> Array:
    element = numpy_dtype(_result(op).element_type)
    return reduction.iota(element, _sizes(op), op.axis_number)


MEANINGS: Mapping[type[Operation], Meaning] = {
    kina.ConstantOp: _constant,
    kina.NegOp: _unary(elementwise.neg),
    kina.AbsOp: _unary(elementwise.absolute),
    kina.NotOp: _unary(elementwise.logical_not),
    kina.ExpOp: _elementary("exp"),
    kina.LogOp: _elementary("log"),
    kina.SqrtOp: _elementary("sqrt"),
    kina.RsqrtOp: _unary(elementwise.rsqrt),
    kina.TanhOp: _elementary("tanh"),
    kina.SigmoidOp: _unary(elementwise.sigmoid),
    kina.SinOp: _elementary("sin"),
    kina.CosOp: _elementary("cos"),
    kina.ErfOp: _unary(elementwise.erf),
    kina.FloorOp: _rounded(np.floor),
    kina.CeilOp: _rounded(np.ceil),
    kina.RoundOp: _rounded(np.rint),
    kina.TruncOp: _rounded(np.trunc),
    kina.SignOp: _unary(elementwise.sign),
    kina.IsnanOp: _unary(elementwise.is_nan),
    kina.IsinfOp: _unary(elementwise.is_infinite),
    kina.AddOp: _arithmetic(np.add),
    kina.SubOp: _arithmetic(np.subtract),
    kina.MulOp: _arithmetic(np.multiply),
    kina.DivOp: _binary(elementwise.divide),
    kina.RemOp: _binary(elementwise.remainder),
    kina.MaxOp: _arithmetic(elementwise.larger),
    kina.MinOp: _arithmetic(elementwise.smaller),
    kina.PowOp: _binary(elementwise.power),
    kina.AndOp: _binary(np.logical_and),
    kina.OrOp: _binary(np.logical_or),
    kina.CompareOp: lambda op, operands: elementwise.compare(op.predicate.data, *operands),
    kina.SelectOp: lambda op, operands: elementwise.select(*operands),
    kina.CastOp: _cast,
    kina.MatmulOp: _binary(contraction.matmul),
    kina.SumOp: _reduction(reduction.total),
    kina.MeanOp: _reduction(reduction.mean),
    kina.ReduceMaxOp: _reduction(reduction.largest),
    kina.ReduceMinOp: _reduction(reduction.smallest),
    kina.SoftmaxOp: lambda op, operands: reduction.softmax(operands[0], op.axis_number),
    kina.ArgmaxOp: lambda op, operands: reduction.argmax(operands[0], op.axis_number),
    kina.TopKOp: lambda op, operands: reduction.top_k(operands[0], op.k.value.data, op.axis_number),
    kina.ReshapeOp: lambda op, operands: shape.reshape(operands[0], _sizes(op)),
    kina.TransposeOp: lambda op, operands: shape.transpose(operands[0], op.permutation),
    kina.BroadcastOp: lambda op, operands: shape.broadcast(operands[0], _sizes(op)),
    kina.ConcatOp: lambda op, operands: shape.concat(operands, op.axis_number),
    kina.SliceOp: lambda op, operands: shape.block(operands[0], _indices(operands[1:]), _sizes(op)),
    kina.UpdateOp: lambda op, operands: shape.update(
        operands[0], operands[1], _indices(operands[2:])
    ),
    kina.PadOp: _pad,
    kina.GatherOp: lambda op, operands: shape.gather(operands[0], operands[1]),
    kina.IotaOp: _iota,
}
"""Every operation that computes; `kina.for` and `kina.yield` are the interpreter's own."""
