"""What the rule of an operation gets: its arguments, checked one by one as the rule asks for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from xdsl.ir import Operation, SSAValue

from kina.dialect.dtypes import ELEMENT_TYPES
from kina.elaborate.names.suggest import did_you_mean
from kina.elaborate.types.constants import Constant
from kina.elaborate.types.sizes import checked_size
from kina.elaborate.types.values import BroadcastValue, RecordValue, TensorValue, Value, describe
from kina.elaborate.types.wording import lowest, quoted, written_sizes
from kina.sizes import Open, Size, fits, least, most
from kina.syntax import tree
from kina.syntax.source import KinaError, Span, error

_KNOWN_WHOLE = "a whole number known at compile time"


class Context(Protocol):
    """What rules need of the elaborator."""

    def evaluate(self, expression: tree.Expression) -> Value:
        """The value of an expression at this point of the program."""

    def emit(self, operation: Operation, span: Span, names: Sequence[str] = ()) -> TensorValue:
        """Add an operation of one result here; messages show its sizes by these names."""

    def emit_all(self, operation: Operation, span: Span) -> tuple[TensorValue, ...]:
        """Add an operation of several results here."""

    def splat(
        self, constant: Constant, dtype: str, shape: Sequence[Size], span: Span
    ) -> TensorValue:
        """A tensor filled with a constant, which the dtype must be able to hold."""

    def index(self, number: Size) -> SSAValue:
        """A whole number as an I64 scalar."""


@dataclass(frozen=True)
class Rule:
    """How an operation is called and typed."""

    name: str
    usage: str
    """How a call looks, shown where one looks otherwise."""
    apply: Callable[[Arguments], Value]
    least: int
    """How many operands at least."""
    most: int | None
    """How many operands at most; None for any number."""
    keywords: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    """The keywords that every call gives."""


@dataclass(frozen=True)
class Operand:
    """An argument that was evaluated."""

    value: Value
    span: Span


class Arguments:
    """The arguments of one call of an operation, whose form was checked."""

    def __init__(self, rule: Rule, call: tree.Call, context: Context) -> None:
        self.name = rule.name
        self.usage = rule.usage
        self.span = call.span
        self.context = context
        self._positional = [a.value for a in call.arguments if a.keyword is None]
        self._evaluated: dict[int | str, Operand] = {}
        self._keywords = {a.keyword.text: a.value for a in call.arguments if a.keyword is not None}

    def __len__(self) -> int:
        return len(self._positional)

    def has(self, key: int | str) -> bool:
        return key in self._keywords if isinstance(key, str) else key < len(self._positional)

    def expression(self, key: int | str) -> tree.Expression:
        """An operand by its position, or a keyword's value."""
        return self._keywords[key] if isinstance(key, str) else self._positional[key]

    def operand(self, key: int | str) -> Operand:
        """The value of an operand or keyword."""
        if key not in self._evaluated:
            expression = self.expression(key)
            self._evaluated[key] = Operand(self.context.evaluate(expression), expression.span)
        return self._evaluated[key]

    def tensor(self, key: int | str) -> TensorValue:
        """An operand that must be a tensor; a constant becomes a scalar of its own dtype."""
        operand = self.operand(key)
        match operand.value:
            case TensorValue():
                return operand.value
            case Constant(dtype=dtype) as constant:
                return self.context.splat(constant, dtype, (), operand.span)
        raise self.mismatch("a tensor", operand)

    def axis(self, key: int | str, rank: int) -> int:
        """A known axis of a tensor of this rank; a negative one counts from the last."""
        expression = self.expression(key)
        if isinstance(expression, tree.ListExpression):
            raise error(f"{self.name} takes one axis, found a list", expression.span)
        return self._axis(self.operand(key), rank)

    def axes(self, key: int | str, rank: int) -> list[int]:
        """One axis or a list of distinct axes, ascending."""
        expression = self.expression(key)
        if not isinstance(expression, tree.ListExpression):
            return [self.axis(key, rank)]
        axes: list[int] = []
        for part in expression.parts:
            axis = self._axis(Operand(self.context.evaluate(part), part.span), rank)
            if axis in axes:
                raise error(f"{self.name}: axis {axis} is given twice", part.span)
            axes.append(axis)
        if not axes:
            raise error(f"{self.name} needs at least one axis", expression.span)
        return sorted(axes)

    def whole(self, key: int | str) -> int:
        """A whole number that is known at compile time."""
        return self._whole(self.operand(key), _KNOWN_WHOLE)

    def wholes(self, key: int | str) -> list[tuple[int, Span]]:
        """A list of whole numbers that are known at compile time."""
        return [(self._whole(value, _KNOWN_WHOLE), value.span) for value in self._list(key)]

    def dimensions(self, key: int | str) -> list[tuple[Size, Span]]:
        """A list of whole numbers that are known at compile time, or open."""
        return [(self._dimension(value, _KNOWN_WHOLE), value.span) for value in self._list(key)]

    def shape(self, key: int | str) -> list[Size]:
        """A list of sizes."""
        return [checked_size(size, span) for size, span in self.dimensions(key)]

    def names(self, key: int | str) -> tuple[str, ...]:
        """The sizes of a list as the program writes them."""
        return written_sizes(self.parts(key))

    def indices(
        self, key: int | str, shape: Sequence[Size], block: Sequence[Size]
    ) -> list[SSAValue]:
        """Where a block begins in a tensor: a list of numbers, or of I64 scalars.

        Those that are known now must leave room for the block; the others are clamped at run time.
        """
        parts = self.parts(key)
        if len(parts) != len(shape):
            raise error(
                f"{self.name} needs one index per axis: expected {len(shape)}, found {len(parts)}",
                self.expression(key).span,
            )
        values = [Operand(self.context.evaluate(part), part.span) for part in parts]
        return [
            index_of(
                self.context,
                value,
                f"{self.name} along axis {axis}",
                whole - part,
                f", for a block of {part} in {whole}",
            )
            for axis, (value, whole, part) in enumerate(zip(values, shape, block))
        ]

    def flag(self, key: str) -> bool:
        """`true` or `false`."""
        operand = self.operand(key)
        if isinstance(operand.value, Constant) and operand.value.dtype == "Bool":
            return bool(operand.value.value)
        raise self.mismatch("true or false", operand)

    def dtype(self, key: int | str) -> str:
        """The name of a dtype."""
        expression = self.expression(key)
        if isinstance(expression, tree.Name) and expression.text in ELEMENT_TYPES:
            return expression.text
        hint = (
            did_you_mean(expression.text, ELEMENT_TYPES)
            if isinstance(expression, tree.Name)
            else ""
        )
        raise error(f"expected a dtype, one of {', '.join(ELEMENT_TYPES)}{hint}", expression.span)

    def parts(self, key: int | str) -> tuple[tree.Expression, ...]:
        """The parts of a list."""
        expression = self.expression(key)
        if not isinstance(expression, tree.ListExpression):
            raise error(f"expected a list in brackets: {self.usage}", expression.span)
        return expression.parts

    def mismatch(self, expected: str, operand: Operand, instead: str = "") -> KinaError:
        """An error: an operand is of another kind than the rule expects."""
        return mismatch(self.name, expected, operand, instead)

    def _axis(self, operand: Operand, rank: int) -> int:
        axis = self._whole(operand, "an axis known at compile time")
        if not -rank <= axis < rank:
            known = (
                f"axes are 0..{rank - 1}, or -{rank}..-1 from the last"
                if rank
                else "it has no axis"
            )
            message = f"{self.name}: axis {axis} is out of range for rank {rank}; {known}"
            raise error(message, operand.span)
        return axis % rank

    def _list(self, key: int | str) -> list[Operand]:
        return [Operand(self.context.evaluate(part), part.span) for part in self.parts(key)]

    def _whole(self, operand: Operand, expected: str) -> int:
        found = self._dimension(operand, expected)
        if isinstance(found, Open):
            raise self.mismatch(expected, operand)
        return found

    def _dimension(self, operand: Operand, expected: str) -> Size:
        if isinstance(operand.value, Constant) and operand.value.is_integer:
            value = operand.value.value
            return value if isinstance(value, Open) else int(value)
        raise self.mismatch(expected, operand)


def mismatch(name: str, expected: str, operand: Operand, instead: str = "") -> KinaError:
    """An error: `name` expected another kind of operand; `instead` is what to write."""
    hint = f"; write {instead}" if instead else ""
    if isinstance(operand.value, BroadcastValue):
        hint = "; broadcast takes its shape from the operand beside it, or from broadcast(x, [..])"
    elif isinstance(operand.value, RecordValue):
        some = next(iter(operand.value.fields))
        hint = f"; its tensors are fields, as {quoted(operand.span)}.{some}"
    found = describe(operand.value)
    return error(f"{name} expected {expected}, found {found}{hint}", operand.span)


def index_of(
    context: Context, operand: Operand, name: str, largest: Size, why: str = ""
) -> SSAValue:
    """An index: a known number of `0 .. largest`, or an I64 scalar, clamped at run time."""
    match operand.value:
        case Constant(value=int() | Open() as number) as constant if constant.is_integer:
            if least(number) < 0 or not fits(number, largest):
                hint = "; an index does not count from the end" if most(number) < 0 else ""
                range_ = f"0..{largest}{why}{lowest(largest)}"
                message = f"{name}: index {number} is out of range {range_}{hint}"
                raise error(message, operand.span)
            return context.index(number)
        case TensorValue(ssa=ssa, shape=(), dtype="I64"):
            return ssa
    is_narrow = isinstance(operand.value, TensorValue) and operand.value.dtype in ("I32", "I8")
    instead = f"cast({quoted(operand.span)}, I64)" if is_narrow else ""
    raise mismatch(name, "a whole number or an I64[] index", operand, instead)
