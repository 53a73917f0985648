"""`for` and `while`: loops whose carry keeps its types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Block, SSAValue

from kina.dialect import ops
from kina.dialect.dtypes import Tensor, dtype_name, tensor
from kina.elaborate import types
from kina.elaborate.constants import Constant
from kina.elaborate.operations.arguments import Operand
from kina.elaborate.results import as_tensor, counted, parts
from kina.elaborate.values import TensorValue, TupleValue, Value, describe
from kina.syntax import tree
from kina.syntax.source import Note, error

if TYPE_CHECKING:
    from kina.elaborate.body import Body


def for_loop(body: Body, node: tree.For) -> Value:
    """The last carry; the loop is added to the block."""
    lower, upper = _bound(body, node.lower), _bound(body, node.upper)
    initial = [_carried(body, binding) for binding in node.carry]
    carried = [value.type for value in initial]
    block = Block(arg_types=[tensor(i64, []), *carried])
    with body.within(body.environment.inner()), body.builder.inside(block):
        index, *carry = block.args
        body.bind(node.index, TensorValue(index, tensor(i64, [])))
        _iteration(body, node, carry, carried)
    return _added(body, ops.ForOp(lower, upper, [value.ssa for value in initial], block), node)


def while_loop(body: Body, node: tree.While) -> Value:
    """The first carry for which the condition does not hold; the loop is added to the block."""
    initial = [_carried(body, binding) for binding in node.carry]
    carried = [value.type for value in initial]
    condition, block = Block(arg_types=carried), Block(arg_types=carried)
    with body.within(body.environment.inner()), body.builder.inside(condition):
        _bind_carry(body, node, condition.args, carried)
        holds = _condition(body, node.condition)
        body.builder.add(ops.YieldOp([holds.ssa]), node.span)
    if all(argument.first_use is None for argument in condition.args):
        names = ", ".join(binding.name.text for binding in node.carry)
        message = f"the condition does not depend on what the loop carries: {names}"
        raise error(f"{message}; it would never end, or never begin", node.condition.span)
    with body.within(body.environment.inner()), body.builder.inside(block):
        _iteration(body, node, block.args, carried)
    return _added(body, ops.WhileOp([value.ssa for value in initial], condition, block), node)


def _condition(body: Body, expression: tree.Expression) -> TensorValue:
    operand = body.operand(expression)
    value = as_tensor(body, operand, tensor(i1, []))
    if value is None:
        message = f"a loop's condition is Bool[], found {describe(operand.value)}"
        raise error(message, operand.span)
    return value


def _added(body: Body, operation: ops.Loop, node: tree.For | tree.While) -> Value:
    """The results of a loop, which is added to the block."""
    results = body.builder.emit_all(operation, node.span)
    return results[0] if len(results) == 1 else TupleValue(results)


def _iteration(
    body: Body, node: tree.For | tree.While, carry: Sequence[SSAValue], carried: Sequence[Tensor]
) -> None:
    """The body of a loop, in the present block: from the carry to the yield of the next."""
    _bind_carry(body, node, carry, carried)
    values = _next_carry(body, node, carried)
    body.builder.add(ops.YieldOp([value.ssa for value in values]), node.span)


def _bind_carry(
    body: Body, node: tree.For | tree.While, carry: Sequence[SSAValue], carried: Sequence[Tensor]
) -> None:
    for binding, argument, type_ in zip(node.carry, carry, carried):
        body.bind(binding.name, TensorValue(argument, type_))


def _bound(body: Body, expression: tree.Expression) -> SSAValue:
    operand = body.operand(expression)
    match operand.value:
        case Constant(value=number) as constant if constant.is_integer:
            return body.index(int(number))
        case TensorValue(ssa=ssa, shape=(), dtype="I64"):
            return ssa
    message = f"a loop's bound is a whole number or I64[], found {describe(operand.value)}"
    raise error(message, operand.span)


def _carried(body: Body, binding: tree.Binding) -> TensorValue:
    operand = body.operand(binding.value)
    match operand.value:
        case TensorValue() as value:
            return value
        case Constant() as constant:
            return body.splat(constant, constant.dtype, (), operand.span)
    message = f"a loop carries tensors, found {describe(operand.value)}"
    raise error(message, operand.span)


def _next_carry(
    body: Body, node: tree.For | tree.While, expected: Sequence[Tensor]
) -> list[TensorValue]:
    yielded = body.statements(node.body)
    assert yielded is not None  # the parser demands a yield
    found = parts(yielded, node.body)
    if len(found) != len(expected):
        message = f"the loop carries {counted(len(expected), 'value')}, found {len(found)}"
        raise error(message, yielded.span)
    return [
        _kept(body, part, type_, binding)
        for part, type_, binding in zip(found, expected, node.carry)
    ]


def _kept(body: Body, part: Operand, type_: Tensor, binding: tree.Binding) -> TensorValue:
    value = as_tensor(body, part, type_)
    if value is None:
        name = binding.name.text
        found = f"carries '{name}' as {types.show(type_)}, found {describe(part.value)}"
        note = Note(f"'{name}' begins here", binding.name.span)
        raise error(f"the loop {found}{_hint(part.value, type_)}", part.span, note)
    return value


def _hint(found: Value, type_: Tensor) -> str:
    """What to do about a value that has outgrown its place."""
    if not isinstance(found, TensorValue) or found.dtype != dtype_name(type_.element_type):
        return ""
    if len(found.shape) != len(type_.get_shape()):
        return ""
    return "; a carry keeps its shape: carry the full size, and write into it with update"
