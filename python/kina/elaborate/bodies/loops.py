"""`for` and `while`: loops whose carry keeps its types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Block, SSAValue

from kina.dialect import ops
from kina.dialect.dtypes import tensor
from kina.elaborate.bodies.environment import Elaborator
from kina.elaborate.bodies.hints import to_type
from kina.elaborate.bodies.operations.arguments import Operand
from kina.elaborate.bodies.results import as_tensor, counted, parts
from kina.elaborate.types.constants import Constant
from kina.elaborate.types.values import TensorValue, TupleValue, Value, describe
from kina.elaborate.types.wording import quoted
from kina.sizes import Open
from kina.syntax import tree
from kina.syntax.source import Note, error


def for_loop(body: Elaborator, node: tree.For) -> Value:
    """The last carry; the loop is added to the block."""
    lower, upper = _bound(body, node.lower), _bound(body, node.upper)
    initial = [_carried(body, binding) for binding in node.carry]
    carried = [value.type for value in initial]
    block = Block(arg_types=[tensor(i64, []), *carried])
    with body.within(body.environment.inner()), body.builder.inside(block):
        index, *carry = block.args
        body.bind(node.index, TensorValue(index, tensor(i64, [])))
        _iteration(body, node, carry, initial)
    operation = ops.ForOp(lower, upper, [value.ssa for value in initial], block)
    return _added(body, operation, node, initial)


def while_loop(body: Elaborator, node: tree.While) -> Value:
    """The first carry for which the condition does not hold; the loop is added to the block."""
    initial = [_carried(body, binding) for binding in node.carry]
    carried = [value.type for value in initial]
    condition, block = Block(arg_types=carried), Block(arg_types=carried)
    with body.within(body.environment.inner()), body.builder.inside(condition):
        _bind_carry(body, node, condition.args, initial)
        holds = _condition(body, node.condition)
        body.builder.add(ops.YieldOp([holds.ssa]), node.span)
    if all(argument.first_use is None for argument in condition.args):
        names = ", ".join(binding.name.text for binding in node.carry)
        message = f"the condition does not depend on what the loop carries: {names}"
        raise error(f"{message}; it would never end, or never begin", node.condition.span)
    with body.within(body.environment.inner()), body.builder.inside(block):
        _iteration(body, node, block.args, initial)
    operation = ops.WhileOp([value.ssa for value in initial], condition, block)
    return _added(body, operation, node, initial)


def _condition(body: Elaborator, expression: tree.Expression) -> TensorValue:
    operand = body.operand(expression)
    value = as_tensor(body, operand, tensor(i1, []))
    if value is None:
        message = f"a loop's condition is Bool[], found {describe(operand.value)}"
        raise error(message, operand.span)
    return value


def _added(
    body: Elaborator,
    operation: ops.Loop,
    node: tree.For | tree.While,
    initial: Sequence[TensorValue],
) -> Value:
    """The results of a loop, which is added to the block."""
    added = body.builder.emit_all(operation, node.span)
    results = [replace(value, ssa=result.ssa) for value, result in zip(initial, added)]
    return results[0] if len(results) == 1 else TupleValue(tuple(results))


def _iteration(
    body: Elaborator,
    node: tree.For | tree.While,
    carry: Sequence[SSAValue],
    initial: Sequence[TensorValue],
) -> None:
    """The body of a loop, in the present block: from the carry to the yield of the next."""
    _bind_carry(body, node, carry, initial)
    values = _next_carry(body, node, initial)
    body.builder.add(ops.YieldOp([value.ssa for value in values]), node.span)


def _bind_carry(
    body: Elaborator,
    node: tree.For | tree.While,
    carry: Sequence[SSAValue],
    initial: Sequence[TensorValue],
) -> None:
    for binding, argument, value in zip(node.carry, carry, initial):
        body.bind(binding.name, replace(value, ssa=argument))


def _bound(body: Elaborator, expression: tree.Expression) -> SSAValue:
    operand = body.operand(expression)
    match operand.value:
        case Constant(value=int() | Open() as number) as constant if constant.is_integer:
            return body.index(number)
        case TensorValue(ssa=ssa, shape=(), dtype="I64"):
            return ssa
    message = f"a loop's bound is a whole number or I64[], found {describe(operand.value)}"
    is_scalar = isinstance(operand.value, TensorValue) and operand.value.shape == ()
    hint = f"; write cast({quoted(operand.span)}, I64)" if is_scalar else ""
    raise error(message + hint, operand.span)


def _carried(body: Elaborator, binding: tree.Binding) -> TensorValue:
    operand = body.operand(binding.value)
    match operand.value:
        case TensorValue() as value:
            return value
        case Constant() as constant:
            return body.splat(constant, constant.dtype, (), operand.span)
    message = f"a loop carries tensors, found {describe(operand.value)}"
    raise error(message, operand.span)


def _next_carry(
    body: Elaborator, node: tree.For | tree.While, expected: Sequence[TensorValue]
) -> list[TensorValue]:
    yielded = body.statements(node.body)
    assert yielded is not None  # the parser demands a yield
    found = parts(yielded, node.body)
    if len(found) != len(expected):
        message = f"the loop carries {counted(len(expected), 'value')}, found {len(found)}"
        raise error(message, yielded.span)
    return [
        _kept(body, part, initial, binding)
        for part, initial, binding in zip(found, expected, node.carry)
    ]


def _to_carry(part: Operand, initial: TensorValue, binding: tree.Binding) -> str:
    """How what is carried on becomes what was carried so far, or the other way round."""
    value = part.value
    if isinstance(value, TensorValue) and value.shape != initial.shape:
        hint = to_type(value, part.span, initial.type, initial.written)
        return hint or "; a carry keeps its shape: begin with all of it, and update a part"
    if isinstance(value, TensorValue) and isinstance(binding.value, tree.Number):
        return f"; begin with cast({quoted(binding.value.span)}, {value.dtype})"
    return to_type(value, part.span, initial.type, initial.written)


def _kept(
    body: Elaborator, part: Operand, initial: TensorValue, binding: tree.Binding
) -> TensorValue:
    value = as_tensor(body, part, initial.type)
    if value is None:
        name = binding.name.text
        found = f"carries '{name}' as {describe(initial)}, found {describe(part.value)}"
        hint = _to_carry(part, initial, binding)
        note = Note(f"'{name}' begins here", binding.name.span)
        raise error(f"the loop {found}{hint}", part.span, note)
    return value
