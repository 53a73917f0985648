"""Reverse mode: from a function with one result, a float scalar, to its value and its gradient."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.passes.derivatives import contraction, control, elementwise, reduction, shape
from kina.passes.derivatives.activity import dependent, is_differentiable
from kina.passes.derivatives.backward import Backward, NoDerivativeError, Rules

__all__ = ["NoDerivativeError", "differentiate"]

RULES: Rules = {
    **elementwise.RULES,
    **contraction.RULES,
    **reduction.RULES,
    **shape.RULES,
    **control.RULES,
}


def differentiate(module: ModuleOp, name: str) -> ModuleOp:
    """A module of one function `name` that returns what that of `module` does, then for each float
    parameter, in order, the derivative of the result by each of its elements.

    Raises NoDerivativeError with the operation of `module` that has none.
    """
    gradient = module.clone()
    origins: dict[Operation, Operation] = dict(zip(gradient.walk(), module.walk(), strict=True))
    (function,) = gradient.ops
    assert isinstance(function, FuncOp)
    block = function.body.block
    returned = block.last_op
    assert isinstance(returned, ReturnOp)
    parameters = [argument for argument in block.args if is_differentiable(argument)]
    operations = list(block.ops)[:-1]

    back = Backward(block, RULES, dependent(parameters), origins)
    block.detach_op(returned)
    value = returned.arguments[0]
    back.give(value, back.emit(kina.ConstantOp(1, tensor_of(value))))
    try:
        back.through(operations)
    except NoDerivativeError as problem:
        problem.op = origins[problem.op]
        raise
    # A loop that the value came of may be another by now.
    results = [returned.arguments[0], *(back.taken(parameter) for parameter in parameters)]
    _return(function, name, results)
    returned.erase()
    return gradient


def _return(function: FuncOp, name: str, results: Sequence[SSAValue]) -> None:
    function.body.block.add_op(ReturnOp(*results))
    function.sym_name = StringAttr(name)
    inputs, outputs = function.function_type.inputs, [value.type for value in results]
    function.function_type = FunctionType.from_lists(list(inputs), outputs)
