"""Rows of a table by their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from xdsl.dialects import tensor as upstream
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.dtypes import tensor
from kina.lowering.context import Lowering, element_of, shape_of
from kina.lowering.generic import Input, Output, generic
from kina.lowering.indexing import clamped_id
from kina.lowering.materialize import as_tensor, extract, reshape
from kina.lowering.scalar import Scalar
from kina.lowering.storage import stored_type
from kina.sizes import Size


def lower_gather(low: Lowering, op: kina.GatherOp) -> None:
    ids, result = shape_of(op.ids), shape_of(op.result)
    if 0 in result:
        low.bind(op.result, low.empty(element_of(op.result), result))
    elif prod(ids) == 1:
        low.bind(op.result, _one_row(low, op))
    else:
        low.bind(op.result, _rows(low, op))


def _one_row(low: Lowering, op: kina.GatherOp) -> SSAValue:
    """A single id needs no loop: its row is a slice of the table."""
    table = as_tensor(low, op.table)
    element = stored_type(table).element_type
    rows, *rest = shape_of(op.table)
    id_ = low.code.scalar(extract(low, as_tensor(low, op.ids))) if shape_of(op.ids) else None
    row = clamped_id(low, id_ or low.scalar(op.ids), rows - 1).value
    if not shape_of(op.result):
        return low.insert(upstream.ExtractOp(table, [row], element))
    sizes: list[Size] = [1, *rest]
    offsets: list[SSAValue | int] = [row, *([0] * len(rest))]
    slice_ = upstream.ExtractSliceOp(
        table, offsets, low.mixed(sizes), [1] * len(sizes), tensor(element, sizes)
    )
    return reshape(low, low.insert(slice_), shape_of(op.result))


def _rows(low: Lowering, op: kina.GatherOp) -> SSAValue:
    table, shape = as_tensor(low, op.table), shape_of(op.result)
    ids = shape_of(op.ids)
    last = shape_of(op.table)[0] - 1

    def element(elements: list[Scalar], _: list[Scalar]) -> list[Scalar]:
        code = elements[0].code
        row = clamped_id(low, elements[0], last).value
        rest = [code.insert(linalg.IndexOp(dim)).value for dim in range(len(ids), len(shape))]
        return [
            code.insert(upstream.ExtractOp(table, [row, *rest], stored_type(table).element_type))
        ]

    dims = range(len(shape))
    (result,) = generic(
        low,
        len(shape),
        [Input(low.readings[op.ids], element_of(op.ids), ids, range(len(ids)))],
        [Output(low.empty(element_of(op.result), shape), dims)],
        element,
    )
    return result


LOWERINGS: Mapping[type[Operation], Callable[[Lowering, Any], None]] = {
    kina.GatherOp: lower_gather,
}
