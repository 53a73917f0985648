"""What lowering keeps while it walks a function: which upstream value stands for which Kina value.

A Kina tensor of rank 0 becomes a scalar; others become tensors, or views of tensors (views.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.builder import Builder
from xdsl.dialects import tensor as upstream_tensor
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import Tensor, tensor, type_shape
from kina.lowering.arithmetic import cast
from kina.lowering.scalar import INDEX, Code, Scalar, polynomial
from kina.lowering.storage import from_stored, stored
from kina.lowering.views import Number, Reading, View, whole
from kina.sizes import Open, Size


@dataclass
class Lowering:
    """The state of one function's lowering: `code` is where operations go."""

    code: Code
    walk: Callable[[Lowering, Block], None]
    """Lowers every operation of a block in turn."""
    readings: dict[SSAValue, Reading] = field(default_factory=dict)
    counters: dict[SSAValue, tuple[int, int]] = field(default_factory=dict)
    """The least and the greatest value of loop counters whose bounds are constant."""
    indices: dict[SSAValue, SSAValue] = field(default_factory=dict)
    """Kina's I64 scalars that are at hand as an `index`."""
    open_sizes: dict[Size, SSAValue] = field(default_factory=dict)
    """The open sizes that are at hand as an `index`; those of symbols from the start."""

    @property
    def builder(self) -> Builder:
        return self.code.builder

    def insert(self, operation: Operation) -> SSAValue:
        """Appends an operation of one result."""
        self.builder.insert(operation)
        return operation.results[0]

    def empty(self, element: Attribute, shape: Sequence[Size]) -> SSAValue:
        """A tensor of unspecified elements."""
        open_ = self.open_ones(shape)
        return self.insert(upstream_tensor.EmptyOp(open_, tensor(stored(element), shape)))

    def size(self, size: Size) -> SSAValue:
        """A size as an `index`, computed once, ahead of all other code."""
        if not isinstance(size, Open):
            return self.code.constant(size, INDEX).value
        if size not in self.open_sizes:
            self.open_sizes[size] = polynomial(self.code.ahead(), size, self.open_sizes).value
        return self.open_sizes[size]

    def open_ones(self, shape: Sequence[Size]) -> list[SSAValue]:
        """The open ones of these sizes, in order: what a tensor's type does not tell."""
        return [self.size(size) for size in shape if isinstance(size, Open)]

    def mixed(self, sizes: Sequence[Size]) -> list[SSAValue | int]:
        """The sizes as operations take them that know numbers and values."""
        return [self.size(size) if isinstance(size, Open) else size for size in sizes]

    def number(self, number: int | float | Open, element: Attribute) -> Scalar:
        """A number that is known at compile time, or an open size, of this type."""
        if isinstance(number, Open):
            return cast(self.code.scalar(self.size(number)).index_cast(i64), element)
        return self.code.constant(number, element)

    def bind(self, value: SSAValue, lowered: SSAValue) -> None:
        """`lowered`, a tensor as `value` is stored or an element of one, stands for `value`."""
        if not shape_of(value):
            lowered = from_stored(self.code.scalar(lowered), element_of(value)).value
        _hint(value, lowered)
        self.readings[value] = whole(lowered, len(shape_of(value)))

    def scalar(self, value: SSAValue) -> Scalar:
        """`value`, of rank 0, as a scalar."""
        reading = self.readings[value]
        if isinstance(reading, Number):
            return self.number(reading.value, tensor_of(value).element_type)
        assert isinstance(reading, View) and not reading.index
        return self.code.scalar(reading.source)

    def nested(self, block: Block, walk: Callable[[], None]) -> None:
        """Runs `walk` with operations going to the end of `block`, a body inside this function."""
        outside, indices = self.code, dict(self.indices)
        self.code = replace(outside, builder=Builder(InsertPoint.at_end(block)))
        walk()
        self.code, self.indices = outside, indices


def shape_of(value: SSAValue) -> tuple[Size, ...]:
    return type_shape(tensor_of(value))


def type_to_store(value: SSAValue) -> Tensor:
    """The type of the tensor that holds `value`."""
    return tensor(stored(element_of(value)), shape_of(value))


def element_of(value: SSAValue) -> Attribute:
    return tensor_of(value).element_type


def _hint(value: SSAValue, lowered: SSAValue) -> None:
    """Keeps the name that the program gave."""
    if value.name_hint is not None and lowered.name_hint is None:
        lowered.name_hint = value.name_hint
