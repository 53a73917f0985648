"""Values that leave a function or an iteration, against the types that are expected of them."""

from __future__ import annotations

from collections.abc import Sequence

from kina.dialect.dtypes import Tensor, dtype_name, type_shape
from kina.elaborate.bodies.operations.arguments import Context, Operand
from kina.elaborate.types.constants import Constant
from kina.elaborate.types.values import TensorValue, TupleValue
from kina.syntax import tree


def as_tensor(context: Context, operand: Operand, type_: Tensor) -> TensorValue | None:
    """A value as one of this type, if it is one; a constant may become a scalar.

    Raises:
        KinaError: a constant that the scalar's dtype cannot hold.
    """
    match operand.value:
        case TensorValue(type=found) as value if found == type_:
            return value
        case Constant() as constant if type_shape(type_) == ():
            return context.splat(constant, dtype_name(type_.element_type), (), operand.span)
    return None


def parts(operand: Operand, body: Sequence[tree.Statement]) -> list[Operand]:
    """The values of the `return` or `yield` that ends a body, each with its own place if it has one."""
    if not isinstance(operand.value, TupleValue):
        return [operand]
    last = body[-1].value
    if isinstance(last, tree.TupleExpression):
        return [Operand(v, e.span) for v, e in zip(operand.value.parts, last.parts)]
    return [Operand(value, operand.span) for value in operand.value.parts]


def counted(count: int, what: str) -> str:
    """`1 result`, `2 results`."""
    return f"{count} {what}{'' if count == 1 else 's'}"
