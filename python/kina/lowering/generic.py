"""`linalg.generic`, built from readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects.builtin import AffineMapAttr, i64
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint

from kina.dialect.dtypes import is_float
from kina.lowering.arithmetic import cast
from kina.lowering.context import Lowering
from kina.lowering.scalar import Code, Scalar
from kina.lowering.storage import from_stored, stored_type, to_stored
from kina.lowering.views import Counting, Number, Reading, View, indexing_map
from kina.sizes import Open, Size

Body = Callable[[list[Scalar], list[Scalar]], Sequence[Scalar]]
"""From the elements of the inputs and of the outputs so far to the outputs' next elements."""


@dataclass(frozen=True)
class Input:
    """A reading of this element type and shape, whose axis `a` walks loop `dims[a]`."""

    reading: Reading
    element: Attribute
    shape: Sequence[Size]
    dims: Sequence[int]


@dataclass(frozen=True)
class Output:
    """A tensor to start from, whose axis `a` walks loop `dims[a]`."""

    initial: SSAValue
    dims: Sequence[int]


def generic(
    low: Lowering,
    loops: int,
    inputs: Sequence[Input],
    outputs: Sequence[Output],
    body: Body,
    attributes: Mapping[str, Attribute] | None = None,
) -> list[SSAValue]:
    """Appends a generic over `loops` loops; those that no output walks are reductions.

    Numbers and counters among the inputs are computed in the body, scalars are read from outside
    of it, and a tensor that is read twice by the same map is one operand.
    """
    operands: dict[tuple[SSAValue, AffineMap], int] = {}
    for i in inputs:
        if isinstance(i.reading, View) and i.reading.index:
            place = indexing_map(i.reading, i.shape, i.dims, loops)
            operands.setdefault((i.reading.source, place), len(operands))
    sources = [source for source, _ in operands]
    initials = [output.initial for output in outputs]
    block = Block(arg_types=[stored_type(value).element_type for value in [*sources, *initials]])
    code = Code(Builder(InsertPoint.at_end(block)), low.code.library)
    arguments = [code.scalar(argument) for argument in block.args]

    def element(i: Input) -> Scalar:
        match i.reading:
            case Number(value):
                if isinstance(value, Open):
                    return code.scalar(low.number(value, i.element).value)
                return code.constant(value, i.element)
            case Counting(axis):
                counter = code.insert(linalg.IndexOp(i.dims[axis]))
                return _number(counter, i.element)
            case View(source, index):
                if not index:
                    return code.scalar(source)
                place = indexing_map(i.reading, i.shape, i.dims, loops)
                argument = arguments[operands[source, place]]
                return from_stored(argument, i.element)

    results = body([element(i) for i in inputs], arguments[len(sources) :])
    block.add_op(linalg.YieldOp(*(to_stored(result).value for result in results)))
    walked = {dim for output in outputs for dim in output.dims}
    kinds = [
        IteratorTypeAttr.parallel() if dim in walked else IteratorTypeAttr.reduction()
        for dim in range(loops)
    ]
    places = [place for _, place in operands]
    places += [AffineMap(loops, 0, tuple(map(AffineDimExpr, o.dims))) for o in outputs]
    operation = linalg.GenericOp(
        sources,
        initials,
        Region(block),
        [AffineMapAttr(place) for place in places],
        kinds,
        [initial.type for initial in initials],
    )
    operation.attributes.update(attributes or {})
    low.builder.insert(operation)
    return list(operation.results)


def _number(counter: Scalar, element: Attribute) -> Scalar:
    """An index as an element of this type; integers wrap."""
    if is_float(element):
        return cast(counter.index_cast(i64), element)
    return counter.index_cast(element)


def parallel(
    low: Lowering,
    inputs: Sequence[tuple[Reading, Attribute]],
    element: Attribute,
    shape: Sequence[Size],
    body: Callable[..., Scalar],
) -> SSAValue:
    """A new tensor whose element is `body` of the inputs' elements at the same index."""
    dims = range(len(shape))
    (result,) = generic(
        low,
        len(shape),
        [Input(reading, type_, shape, dims) for reading, type_ in inputs],
        [Output(low.empty(element, shape), dims)],
        lambda elements, _: [body(*elements)],
    )
    return result
