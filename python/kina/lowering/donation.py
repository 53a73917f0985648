"""Which results are donated parameters with something written into them."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import func
from xdsl.ir import BlockArgument, SSAValue

from kina.dialect.ops import ForOp, UpdateOp


def donated_arguments(function: func.FuncOp) -> list[BlockArgument]:
    """The arguments whose buffers a call may overwrite."""
    attributes = function.arg_attrs or ()
    return [
        a for a, held in zip(function.body.block.args, attributes) if "kina.donated" in held.data
    ]


def destination(result: SSAValue, function: func.FuncOp) -> BlockArgument | None:
    """The donated argument that `result` is with blocks written into it, by updates and loops."""
    donated = donated_arguments(function)
    for origin in _origins(result):
        if isinstance(origin, BlockArgument) and origin in donated:
            return origin
    return None


def _origins(value: SSAValue) -> Iterator[SSAValue]:
    """The value, what it is an update of, what that is an update of, and so on."""
    while True:
        yield value
        owner = value.owner
        if isinstance(owner, UpdateOp):
            value = owner.operand
        elif isinstance(owner, ForOp):
            value = owner.initial[owner.results.index(value)]
        else:
            return
