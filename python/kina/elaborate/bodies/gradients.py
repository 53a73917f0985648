"""The second signature of an export of a reverseMode function: the value, and its gradient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation

from kina import abi
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import ELEMENT_TYPES, dtype_name, is_float, show_type, type_shape
from kina.elaborate.names.entities import FunctionEntity, gradient_name
from kina.elaborate.types.limits import LARGEST_TENSOR, MOST_GRADIENT_OPERATIONS, TooLarge
from kina.passes.differentiate import NoDerivativeError, differentiate
from kina.passes.simplify import simplify
from kina.sizes import most
from kina.syntax import tree
from kina.syntax.source import Span, error


def gradient(
    export: tree.Export,
    function: FunctionEntity,
    value: abi.Signature,
    module: ModuleOp,
    spans: Mapping[Operation, Span],
) -> tuple[abi.Signature, ModuleOp]:
    """The gradient of a signature: the value, then what each float parameter has of it.

    Raises:
        KinaError: there is nothing to differentiate by, an operation has no derivative, or the
            gradient is too large.
    """
    by = [one for one in value.parameters if is_float(ELEMENT_TYPES[one.dtype])]
    if not by:
        message = f"{function.name} has no float parameter to differentiate by"
        raise error(message, function.node.name.span)
    name = gradient_name(value.name)
    try:
        made = differentiate(module, name)
    except NoDerivativeError as problem:
        raise error(str(problem), spans.get(problem.op, export.span)) from None
    _check_size(made, function)
    simplify(made)
    _check_memory(made, function)
    results = tuple(abi.Result(one.dtype, one.shape) for one in by)
    return replace(value, name=name, results=(*value.results, *results)), made


def _check_size(module: ModuleOp, function: FunctionEntity) -> None:
    if sum(1 for _ in module.walk()) > MOST_GRADIENT_OPERATIONS:
        message = f"its gradient has more than {MOST_GRADIENT_OPERATIONS} operations"
        raise TooLarge(message, function.node.name.span)


def _check_memory(module: ModuleOp, function: FunctionEntity) -> None:
    for op in module.walk():
        for result in op.results:
            if isinstance(result.type, TensorType):
                type_ = tensor_of(result)
                size = abi.DTYPES[dtype_name(type_.element_type)]
                if most(prod(type_shape(type_))) * size > LARGEST_TENSOR:
                    found = f"the gradient keeps {show_type(type_)}"
                    message = f"{found}, which is larger than any memory ({LARGEST_TENSOR} bytes)"
                    raise error(message, function.node.name.span)
