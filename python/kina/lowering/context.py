"""What lowering keeps while it walks a function: which upstream value stands for which Kina value.

A Kina tensor of rank 0 becomes a scalar; others become tensors, or views of tensors (views.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.builder import Builder
from xdsl.dialects import tensor as upstream_tensor
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import Tensor, tensor
from kina.lowering.scalar import Code, Scalar
from kina.lowering.storage import from_stored, stored
from kina.lowering.views import Number, Reading, View, whole


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

    @property
    def builder(self) -> Builder:
        return self.code.builder

    def insert(self, operation: Operation) -> SSAValue:
        """Appends an operation of one result."""
        self.builder.insert(operation)
        return operation.results[0]

    def empty(self, element: Attribute, shape: Sequence[int]) -> SSAValue:
        """A tensor of unspecified elements."""
        return self.insert(upstream_tensor.EmptyOp([], tensor(stored(element), shape)))

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
            return self.code.constant(reading.value, tensor_of(value).element_type)
        assert isinstance(reading, View) and not reading.index
        return self.code.scalar(reading.source)

    def nested(self, block: Block, walk: Callable[[], None]) -> None:
        """Runs `walk` with operations going to the end of `block`, a body inside this function."""
        outside, indices = self.code, dict(self.indices)
        self.code = replace(outside, builder=Builder(InsertPoint.at_end(block)))
        walk()
        self.code, self.indices = outside, indices


def shape_of(value: SSAValue) -> tuple[int, ...]:
    return tensor_of(value).get_shape()


def type_to_store(value: SSAValue) -> Tensor:
    """The type of the tensor that holds `value`."""
    return tensor(stored(element_of(value)), shape_of(value))


def element_of(value: SSAValue) -> Attribute:
    return tensor_of(value).element_type


def _hint(value: SSAValue, lowered: SSAValue) -> None:
    """Keeps the name that the program gave."""
    if value.name_hint is not None and lowered.name_hint is None:
        lowered.name_hint = value.name_hint
