"""Reductions, softmax and top_k."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import Float32Type, Float64Type, f32, i64
from xdsl.ir import Block, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import tensor
from kina.passes.derivatives.backward import Backward, Rules, shape
from kina.sizes import Size


def _sum(back: Backward, op: kina.SumOp, g: SSAValue) -> None:
    back.give(op.operand, _along(back, op, g))


def _mean(back: Backward, op: kina.MeanOp, g: SSAValue) -> None:
    """Divided by the count in F32 at least, as an F16 has no number for many counts."""
    dtype = tensor_of(g).element_type
    wide = dtype if isinstance(dtype, Float32Type | Float64Type) else f32
    count = back.index(prod(shape(op.operand)[axis] for axis in op.axis_list))
    divisor = back.stretched(back.emit(kina.CastOp(count, wide)), shape(g))
    share = back.emit(kina.DivOp(back.emit(kina.CastOp(g, wide)), divisor))
    back.give(op.operand, _along(back, op, back.emit(kina.CastOp(share, dtype))))


def _along(back: Backward, op: kina.ReductionOp, g: SSAValue) -> SSAValue:
    """The cotangent of a result, for every element that it was made of."""
    return back.stretched(back.reshaped(g, _kept(op)), shape(op.operand))


def _kept(op: kina.ReductionOp) -> list[Size]:
    """The shape of the result with `keepdims`."""
    sizes = enumerate(shape(op.operand))
    return [1 if axis in op.axis_list else size for axis, size in sizes]


def _extreme(back: Backward, op: kina.ReduceMaxOp | kina.ReduceMinOp, g: SSAValue) -> None:
    """All to the first of the elements that are it: axis by axis, from the last, as argmax counts."""
    values = [op.operand]
    for axis in reversed(op.axis_list):
        values.append(back.emit(type(op)(values[-1], [axis], keepdims=True)))
    g = back.reshaped(g, _kept(op))
    for axis, value, extreme in zip(op.axis_list, values[-2::-1], values[::-1]):
        first = _first(back, value, extreme, axis)
        g = back.where(first, back.stretched(g, shape(value)), back.zeros(value))
    back.give(op.operand, g)


def _first(back: Backward, x: SSAValue, extreme: SSAValue, axis: int) -> SSAValue:
    """Where the first element stands along an axis that equals an extreme; a NaN is one."""
    element, sizes = back.term(x), shape(x)
    equal = element.is_("eq", back.term(back.stretched(extreme, sizes)))
    found = back.emit(kina.OrOp(equal, element.is_("ne", element)))
    position = back.term(back.emit(kina.IotaOp(i64, sizes, axis)))
    beyond = back.stretched(back.index(sizes[axis]), sizes)
    candidates = back.where(found, position.value, beyond)
    least = back.emit(kina.ReduceMinOp(candidates, [axis], keepdims=True))
    return position.is_("eq", back.term(back.stretched(least, sizes)))


def _softmax(back: Backward, op: kina.SoftmaxOp, g: SSAValue) -> None:
    """`y * (g - sum(g * y))`."""
    y, cotangent = back.term(op.result), back.term(g)
    products = (cotangent * y).value
    common = back.emit(kina.SumOp(products, [op.axis_number], keepdims=True))
    spread = back.term(back.stretched(common, shape(op.operand)))
    back.give(op.operand, (y * (cotangent - spread)).value)


def _top_k(back: Backward, op: kina.TopKOp, g: SSAValue, _: None) -> None:
    """Each of the k to where it came from, one after the other."""
    sizes, axis = shape(op.operand), op.axis_number
    one = [1 if i == axis else size for i, size in enumerate(sizes)]
    body = Block(arg_types=[tensor(i64, []), op.operand.type])
    inner = back.inside(body)
    number, found = body.args
    at = [number if i == axis else inner.index(0) for i in range(len(sizes))]
    where_from = inner.emit(kina.SliceOp(op.indices, at, one))
    cotangent = inner.emit(kina.SliceOp(g, at, one))
    position = inner.term(inner.emit(kina.IotaOp(i64, sizes, axis)))
    here = position.is_("eq", inner.term(inner.stretched(where_from, sizes)))
    body.add_op(kina.YieldOp([inner.where(here, inner.stretched(cotangent, sizes), found)]))
    count = back.index(op.k.value.data)
    loop = kina.ForOp(back.index(0), count, [back.zeros(op.operand)], body)
    back.give(op.operand, back.emit(loop))


RULES: Rules = {
    kina.SumOp: _sum,
    kina.MeanOp: _mean,
    kina.ReduceMaxOp: _extreme,
    kina.ReduceMinOp: _extreme,
    kina.SoftmaxOp: _softmax,
    kina.TopKOp: _top_k,
}
