"""Where operations go: the block under construction, and what can be used again in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import prod

from xdsl.ir import Block, Operation, SSAValue

from kina.abi import DTYPES
from kina.dialect import ops
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import Tensor, dtype_name, show_type, type_shape
from kina.elaborate.types.constants import Constant, integer, to_dtype
from kina.elaborate.types.declared import checked_tensor
from kina.elaborate.types.limits import LARGEST_TENSOR, MOST_OPERATIONS, TooLarge
from kina.elaborate.types.values import TensorValue
from kina.sizes import Open, Size, least, most
from kina.syntax.source import Span, error


@dataclass
class _Scope:
    """A block under construction, and values in it that are made once."""

    block: Block
    made: dict[Hashable, SSAValue] = field(default_factory=dict)


class Builder:
    """Adds operations at the end of a block, or of a block inside it."""

    def __init__(self, block: Block) -> None:
        self._scopes = [_Scope(block)]
        self._count = 0
        self.spans: dict[Operation, Span] = {}
        """What each operation was added for."""

    @property
    def block(self) -> Block:
        """Where operations go."""
        return self._scopes[-1].block

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Operations go into this block, which is nested in the present one."""
        self._scopes.append(_Scope(block))
        try:
            yield
        finally:
            self._scopes.pop()

    def emit(self, operation: Operation, span: Span, names: Sequence[str] = ()) -> TensorValue:
        """Add an operation of one result; `names` are those of its sizes.

        Raises:
            KinaError: the program has grown out of all bounds, or the result has.
        """
        (value,) = self.emit_all(operation, span)
        return replace(value, names=tuple(names))

    def emit_all(self, operation: Operation, span: Span) -> tuple[TensorValue, ...]:
        """Add an operation; its results.

        Raises:
            KinaError: as in `emit`.
        """
        self.add(operation, span)
        values = tuple(TensorValue(result, tensor_of(result)) for result in operation.results)
        for value in values:
            if most(prod(value.shape)) * DTYPES[value.dtype] > LARGEST_TENSOR:
                found = show_type(value.type)
                raise error(f"{found} is larger than any memory ({LARGEST_TENSOR} bytes)", span)
        return values

    def add(self, operation: Operation, span: Span) -> None:
        """Add an operation of any number of results."""
        self._count += 1
        if self._count > MOST_OPERATIONS:
            limit = f"more than {MOST_OPERATIONS} operations once every call is inlined"
            message = f"{limit}; the body of a for counts once"
            raise TooLarge(message, span)
        self.spans[operation] = span
        self.block.add_op(operation)

    def splat(
        self, constant: Constant, dtype: str, shape: Sequence[Size], span: Span
    ) -> TensorValue:
        """A tensor filled with a constant, which the dtype must be able to hold."""
        type_ = checked_tensor(dtype, list(shape), span)
        if isinstance(constant.value, Open):
            return self._splat_open(constant.value, type_, span)
        number = to_dtype(constant, dtype, span)
        return self.emit(ops.ConstantOp(number, type_), span)

    def _splat_open(self, size: Open, type_: Tensor, span: Span) -> TensorValue:
        dtype = dtype_name(type_.element_type)
        for end in (least(size), most(size)):
            to_dtype(integer(end), dtype, span)
        value = self.index(size)
        if dtype != "I64":
            value = self.emit(ops.CastOp(value, type_.element_type), span).ssa
        if type_shape(type_):
            value = self.emit(ops.BroadcastOp(value, type_shape(type_)), span).ssa
        return TensorValue(value, type_)

    def index(self, number: Size) -> SSAValue:
        """A whole number as an I64 scalar."""

        def make() -> SSAValue:
            operation = ops.index_op(number)
            self._scopes[-1].block.add_op(operation)
            return operation.result

        return self.once(("index", number), make)

    def once(self, key: Hashable, make: Callable[[], SSAValue]) -> SSAValue:
        """A value that is made at its first use in a block and serves the blocks inside too."""
        for scope in self._scopes:
            if key in scope.made:
                return scope.made[key]
        value = self._scopes[-1].made[key] = make()
        return value
