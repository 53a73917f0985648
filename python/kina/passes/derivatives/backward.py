"""What the rules write with: cotangents of values, and operations at the end of a block.

The cotangent of a value has its type: the derivative of the one result by each of its elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import type_shape
from kina.sizes import Size

Rule: TypeAlias = Callable[..., None]
"""From an operation and the cotangents of its results, None for one that has none, to cotangents
that it gives to its operands: `rule(back, op, *cotangents)`."""

Rules: TypeAlias = Mapping[type[Operation], Rule]


class NoDerivativeError(Exception):
    """An operation that cannot be run backwards; the message says why, and what to write."""

    def __init__(self, message: str, op: Operation) -> None:
        super().__init__(message)
        self.op = op


@dataclass
class Backward:
    """The backward pass through one block: what it adds goes to the end of a block."""

    block: Block
    rules: Rules
    active: set[SSAValue]
    """The values that depend on what is differentiated by; others have no cotangent."""
    origins: dict[Operation, Operation]
    """Of a copy of an operation, the one that the program has."""
    cotangents: dict[SSAValue, SSAValue] = field(default_factory=dict)

    def inside(self, block: Block) -> Backward:
        """The same pass in a block of its own, which begins without cotangents."""
        return Backward(block, self.rules, self.active, self.origins)

    def through(self, operations: Sequence[Operation]) -> None:
        """From the last of these operations to the first: cotangents of what they depend on."""
        for op in reversed(operations):
            cotangents = [self.cotangents.pop(result, None) for result in op.results]
            if any(one is not None for one in cotangents):
                self.rules[type(op)](self, op, *cotangents)

    # Cotangents

    def give(self, value: SSAValue, cotangent: SSAValue) -> None:
        """Add to the cotangent of a value, which is the sum over its uses."""
        if value in self.active:
            known = self.cotangents.get(value)
            total = cotangent if known is None else self.emit(kina.AddOp(known, cotangent))
            self.cotangents[value] = total

    def give_block(self, value: SSAValue, block: SSAValue, at: Sequence[SSAValue]) -> None:
        """Add to the part of a value's cotangent that begins at `at`, clamped as in a slice."""
        if value in self.active:
            known = self.cotangents.get(value)
            if known is not None:
                part = self.emit(kina.SliceOp(known, at, shape(block)))
                block = self.emit(kina.AddOp(part, block))
            whole = self.zeros(value) if known is None else known
            self.cotangents[value] = self.emit(kina.UpdateOp(whole, block, at))

    def taken(self, value: SSAValue) -> SSAValue:
        """The cotangent of a value, of which nothing is left; zeros where there is none."""
        cotangent = self.cotangents.pop(value, None)
        return self.zeros(value) if cotangent is None else cotangent

    # Operations

    def emit(self, op: Operation) -> SSAValue:
        """Add an operation; its first result."""
        self.block.add_op(op)
        return op.results[0]

    def term(self, value: SSAValue) -> Term:
        return Term(self, value)

    def zeros(self, like: SSAValue) -> SSAValue:
        return self.emit(kina.ConstantOp(0, tensor_of(like)))

    def index(self, number: Size) -> SSAValue:
        """A whole number as an I64 scalar."""
        return self.emit(kina.index_op(number))

    def origin(self, rank: int) -> list[SSAValue]:
        """The indices of the first element."""
        return [self.index(0)] * rank

    def reshaped(self, value: SSAValue, sizes: Sequence[Size]) -> SSAValue:
        return self.emit(kina.ReshapeOp(value, sizes))

    def stretched(self, value: SSAValue, sizes: Sequence[Size]) -> SSAValue:
        return self.emit(kina.BroadcastOp(value, sizes))

    def total(self, value: SSAValue) -> SSAValue:
        """The sum of all elements."""
        axes = range(len(shape(value)))
        return self.emit(kina.SumOp(value, axes)) if axes else value

    def where(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emit(kina.SelectOp(condition, a, b))


@dataclass(frozen=True)
class Term:
    """A value in a formula, which adds what it needs of operations."""

    back: Backward
    value: SSAValue

    def of(self, op: type[Any], *others: Term) -> Term:
        """An operation on this term and others."""
        return Term(self.back, self.back.emit(op(self.value, *(one.value for one in others))))

    def __neg__(self) -> Term:
        return self.of(kina.NegOp)

    def __add__(self, other: Term | float) -> Term:
        return self.of(kina.AddOp, self.term(other))

    def __sub__(self, other: Term | float) -> Term:
        return self.of(kina.SubOp, self.term(other))

    def __rsub__(self, other: float) -> Term:
        return self.term(other) - self

    def __mul__(self, other: Term | float) -> Term:
        return self.of(kina.MulOp, self.term(other))

    def __truediv__(self, other: Term | float) -> Term:
        return self.of(kina.DivOp, self.term(other))

    def is_(self, predicate: str, other: Term | float) -> SSAValue:
        """A comparison, element by element: a Bool."""
        right = self.term(other).value
        return self.back.emit(kina.CompareOp(predicate, self.value, right))

    def where(self, condition: SSAValue, other: Term | float) -> Term:
        """This term where the condition holds, and elsewhere another."""
        return Term(self.back, self.back.where(condition, self.value, self.term(other).value))

    def term(self, other: Term | float) -> Term:
        """A number as a term of this type."""
        if isinstance(other, Term):
            return other
        return Term(self.back, self.back.emit(kina.ConstantOp(other, tensor_of(self.value))))


def shape(value: SSAValue) -> tuple[Size, ...]:
    return type_shape(tensor_of(value))
