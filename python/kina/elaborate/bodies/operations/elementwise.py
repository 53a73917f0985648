"""Rules of the operations that act on each element by itself.

Operands have one dtype and one shape. A constant takes both from the others, and `broadcast(x)`
takes the shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import Attribute

from kina.dialect import ops
from kina.dialect.dtypes import ELEMENT_TYPES, is_bool
from kina.dialect.elementwise import is_number
from kina.elaborate.bodies import hints
from kina.elaborate.bodies.operations.arguments import Arguments, Context, Operand, Rule, mismatch
from kina.elaborate.bodies.operations.broadcasting import stretch
from kina.elaborate.types import constants
from kina.elaborate.types.constants import Constant
from kina.elaborate.types.values import BroadcastValue, TensorValue, Value, common_names, describe
from kina.elaborate.types.wording import quoted, show_size
from kina.syntax.source import Span, error

_Accepts = Callable[[Attribute], bool]
_Giver = tuple[TensorValue, Span]
"""A tensor that stands beside other operands, and where."""

_UNARY: Mapping[str, type[ops.UnaryOp]] = {
    "exp": ops.ExpOp,
    "log": ops.LogOp,
    "sqrt": ops.SqrtOp,
    "rsqrt": ops.RsqrtOp,
    "tanh": ops.TanhOp,
    "sigmoid": ops.SigmoidOp,
    "sin": ops.SinOp,
    "cos": ops.CosOp,
    "erf": ops.ErfOp,
    "floor": ops.FloorOp,
    "ceil": ops.CeilOp,
    "round": ops.RoundOp,
    "trunc": ops.TruncOp,
    "sign": ops.SignOp,
    "isnan": ops.IsnanOp,
    "isinf": ops.IsinfOp,
    "abs": ops.AbsOp,
    "not": ops.NotOp,
}

_BINARY: Mapping[str, type[ops.BinaryOp]] = {
    "+": ops.AddOp,
    "-": ops.SubOp,
    "*": ops.MulOp,
    "/": ops.DivOp,
    "%": ops.RemOp,
    "max": ops.MaxOp,
    "min": ops.MinOp,
    "pow": ops.PowOp,
    "and": ops.AndOp,
    "or": ops.OrOp,
}

_PREDICATES = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}

OPERATORS = frozenset({"+", "-", "*", "/", "%", *_PREDICATES})
"""The operators that are elementwise."""


def binary(context: Context, operator: str, left: Operand, right: Operand, span: Span) -> Value:
    """`left operator right`, or a two-operand function such as `max`; errors point at `span`."""
    match left.value, right.value:
        case Constant() as x, Constant() as y if operator in OPERATORS and (
            not (x.is_open or y.is_open) or constants.is_open_arithmetic(operator, x, y)
        ):
            return constants.arithmetic(operator, x, y, span)
    a, b = unify(context, _shown(operator), [left, right], span)
    if operator in _PREDICATES:
        compare = ops.CompareOp(_PREDICATES[operator], a.ssa, b.ssa)
        return context.emit(compare, span, common_names([a, b]))
    op = _BINARY[operator]
    _check_dtype(_shown(operator), op.ACCEPTS, a, left.span)
    return context.emit(op(a.ssa, b.ssa), span, common_names([a, b]))


def negate(context: Context, operand: Operand, span: Span) -> Value:
    """`-x`."""
    if isinstance(operand.value, Constant):
        return constants.negate(operand.value, span)
    if not isinstance(operand.value, TensorValue):
        raise mismatch("'-'", "a tensor", operand)
    _check_dtype("'-'", ops.NegOp.ACCEPTS, operand.value, operand.span)
    return context.emit(ops.NegOp(operand.value.ssa), span, operand.value.names)


def unify(
    context: Context, name: str, operands: Sequence[Operand], span: Span
) -> list[TensorValue]:
    """The operands as tensors of one dtype and one shape."""
    dtype = common_dtype(name, operands, span)
    beside = shape_giver(name, operands, span)
    return [fit(context, name, operand, dtype, beside) for operand in operands]


def common_dtype(name: str, operands: Sequence[Operand], span: Span) -> str:
    """The dtype of the tensors, or the widest of the constants where there is no tensor."""
    tensors = [
        (tensor, operand) for operand in operands if (tensor := _tensor(name, operand)) is not None
    ]
    for tensor, operand in tensors[1:]:
        first, other = tensors[0]
        if tensor.dtype != first.dtype:
            found = f"{describe(first)} and {describe(tensor)}"
            hint = hints.to_one_dtype((other.value, other.span), (operand.value, operand.span))
            raise error(f"{name} takes operands of one dtype, found {found}{hint}", span)
    if tensors:
        return tensors[0][0].dtype
    known = [operand.value for operand in operands if isinstance(operand.value, Constant)]
    return constants.widest(known, span)


def shape_giver(name: str, operands: Sequence[Operand], span: Span) -> _Giver | None:
    """The first of the tensors that bring a shape, which is one; None where all are constants."""
    fixed = [
        (operand.value, operand.span)
        for operand in operands
        if isinstance(operand.value, TensorValue)
    ]
    for other in fixed[1:]:
        if other[0].shape != fixed[0][0].shape:
            found = f"{describe(fixed[0][0])} and {describe(other[0])}"
            hint = hints.to_one_shape(fixed[0], other) or _difference(fixed[0][0], other[0])
            raise error(f"{name} takes operands of one shape, found {found}{hint}", span)
    if fixed:
        return fixed[0]
    for operand in operands:
        if isinstance(operand.value, BroadcastValue):
            raise mismatch(name, "an operand with a shape beside it", operand)
    return None


def _difference(a: TensorValue, b: TensorValue) -> str:
    """Where two shapes of one rank differ, as far as that does not show at once."""
    if len(a.shape) != len(b.shape) or len(a.shape) < 2:
        return ""
    named = zip(a.shape, a.written, b.shape, b.written)
    return ": " + ", ".join(
        f"axis {axis} is {show_size(m, p)} and {show_size(n, q)}"
        for axis, (m, p, n, q) in enumerate(named)
        if m != n
    )


def fit(
    context: Context, name: str, operand: Operand, dtype: str, beside: _Giver | None
) -> TensorValue:
    """An operand in the shape of the tensor beside it, and of this dtype where it is a constant."""
    shape = () if beside is None else beside[0].shape
    match operand.value:
        case TensorValue():
            return operand.value
        case Constant() as constant:
            if beside is not None and constant.is_float and dtype in constants.INTEGER_DTYPES:
                found = f"expected a whole number beside {describe(beside[0])}, found {constant}"
                hint = f"write cast({quoted(beside[1])}, F32) for the tensor"
                raise error(f"{name} {found}; {hint}", operand.span)
            return context.splat(constant, dtype, shape, operand.span)
        case BroadcastValue(tensor=tensor):
            names = () if beside is None else beside[0].names
            return stretch(context, tensor, shape, operand.span, names)
    raise mismatch(name, "a tensor", operand)


def _tensor(name: str, operand: Operand) -> TensorValue | None:
    match operand.value:
        case TensorValue():
            return operand.value
        case BroadcastValue(tensor=tensor):
            return tensor
        case Constant():
            return None
    raise mismatch(name, "a tensor", operand)


def _check_dtype(name: str, accepts: _Accepts, tensor: TensorValue, span: Span) -> None:
    if not accepts(ELEMENT_TYPES[tensor.dtype]):
        wanted = "numbers" if accepts is is_number else "Bools" if accepts is is_bool else "floats"
        hint = hints.to_kind(wanted, quoted(span))
        raise error(f"{name} takes {wanted}, found {describe(tensor)}{hint}", span)


def _shown(operator: str) -> str:
    return operator if operator.isalpha() else f"'{operator}'"


def _unary_rule(name: str, op: type[ops.UnaryOp]) -> Rule:
    def apply(arguments: Arguments) -> Value:
        operand = arguments.operand(0)
        if isinstance(operand.value, Constant) and name in constants.FUNCTIONS:
            if not operand.value.is_open:
                return constants.apply(name, operand.value, arguments.span)
            x = arguments.context.splat(operand.value, "F32", (), operand.span)
        else:
            x = arguments.tensor(0)
        _check_dtype(name, op.ACCEPTS, x, operand.span)
        return arguments.context.emit(op(x.ssa), arguments.span, x.names)

    return Rule(name, f"{name}(x)", apply, 1, 1)


def _binary_rule(name: str) -> Rule:
    def apply(arguments: Arguments) -> Value:
        left, right = arguments.operand(0), arguments.operand(1)
        return binary(arguments.context, name, left, right, arguments.span)

    return Rule(name, f"{name}(a, b)", apply, 2, 2)


def _select(arguments: Arguments) -> Value:
    """`select(condition, a, b)`: all of one shape, a Bool condition, a and b of one dtype."""
    condition, a, b = (arguments.operand(i) for i in range(3))
    if common_dtype(arguments.name, [condition], condition.span) != "Bool":
        raise arguments.mismatch("a Bool condition", condition, f"{quoted(condition.span)} != 0")
    dtype = common_dtype(arguments.name, [a, b], arguments.span)
    beside = shape_giver(arguments.name, [condition, a, b], arguments.span)
    values = [
        fit(arguments.context, arguments.name, operand, of, beside)
        for operand, of in ((condition, "Bool"), (a, dtype), (b, dtype))
    ]
    op = ops.SelectOp(*(value.ssa for value in values))
    return arguments.context.emit(op, arguments.span, common_names(values))


def _cast(arguments: Arguments) -> Value:
    """`cast(x, dtype)`: the nearest value of another dtype, of the same shape."""
    dtype = arguments.dtype(1)
    x = arguments.tensor(0)
    if x.dtype == dtype:
        return x
    return arguments.context.emit(ops.CastOp(x.ssa, ELEMENT_TYPES[dtype]), arguments.span, x.names)


RULES = (
    *(_unary_rule(name, op) for name, op in _UNARY.items()),
    *(_binary_rule(name) for name in ("pow", "and", "or")),
    Rule("select", "select(condition, a, b)", _select, 3, 3),
    Rule("cast", "cast(x, F32)", _cast, 2, 2),
)
