"""Runs a dialect module on NumPy arrays.

Arrays may share memory: a reshape is a view. An array that is *writeable* here has one name and
no view, so that `kina.update` may write into it at that name's last use; whatever is shared is
frozen. The caller's arrays enter as read-only views and are never changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.closing import closed, told
from kina.dialect.dtypes import Tensor, show_type, type_shape
from kina.oracle import shape
from kina.oracle.arrays import Array, numpy_dtype, show_array
from kina.oracle.meaning import MEANINGS


class InterpretError(Exception):
    """A module or an argument that the interpreter refuses; the message says which and why."""


def interpret(module: ModuleOp, args: Sequence[Array]) -> tuple[Array, ...]:
    """The results of the module's one function, called with `args` in the order it declares.

    Every result is an array of its own. Raises InterpretError where the module holds anything but
    one function of the dialect, or an argument has another dtype or shape than declared. Sizes that
    the function leaves open are as the arguments have them.
    """
    function = _only_function(module)
    parameters = function.body.block.args
    if len(args) != len(parameters):
        raise InterpretError(
            f"{function.sym_name.data} takes {len(parameters)} arguments, found {len(args)}"
        )
    arrays = [np.asarray(given) for given in args]
    sizes = {
        s.name: number
        for parameter, arg in zip(parameters, arrays)
        for s, number in told(type_shape(tensor_of(parameter)), arg.shape).items()
    }
    if sizes:
        return interpret(closed(module, sizes), arrays)
    run = _Run()
    for i, (parameter, arg) in enumerate(zip(parameters, arrays)):
        if not _fits(arg, tensor_of(parameter)):
            raise InterpretError(
                f"argument {i} of {function.sym_name.data} is {show_type(tensor_of(parameter))}, "
                f"found {show_array(arg)}"
            )
        run.values[parameter] = _frozen(arg.view())
    with np.errstate(all="ignore"):
        results = run.block(function.body.block)
    return tuple(x if x.flags.writeable else x.copy() for x in results)


def _only_function(module: ModuleOp) -> func.FuncOp:
    found = list(module.body.block.ops)
    if len(found) != 1 or not isinstance(found[0], func.FuncOp) or found[0].is_declaration:
        raise InterpretError("a dialect module holds one function with a body, and nothing else")
    return found[0]


def _fits(array: Array, type_: Tensor) -> bool:
    return array.dtype == numpy_dtype(type_.element_type) and array.shape == type_shape(type_)


def _frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array


@dataclass(frozen=True)
class _LastUse:
    """What ends with one operation of a block."""

    dying: frozenset[SSAValue]
    """The block's values that this operation, or its regions, are the last to use."""
    free: frozenset[SSAValue]
    """Those of them that it uses just once, as an operand: their arrays may take another name."""


@dataclass
class _Run:
    """One call: the array of every value that is still to be used."""

    values: dict[SSAValue, Array] = field(default_factory=dict)
    last_uses: dict[Block, dict[Operation, _LastUse]] = field(default_factory=dict)

    def block(self, block: Block) -> tuple[Array, ...]:
        """Runs the operations in order; returns what the terminator hands on."""
        results: tuple[Array, ...] = ()
        if block not in self.last_uses:
            self.last_uses[block] = _last_uses(block)
        for op, last_use in self.last_uses[block].items():
            operands = [self.values[operand] for operand in op.operands]
            if isinstance(op, func.ReturnOp | kina.YieldOp):
                results = _hand_on(op.operands, operands, last_use.free)
            else:
                results = self.operation(op, operands, last_use.free)
            for value in last_use.dying:
                del self.values[value]
            for result, array in zip(op.results, results):
                if result.first_use is not None:
                    self.values[result] = array
        return results

    def operation(
        self, op: Operation, operands: list[Array], free: frozenset[SSAValue]
    ) -> tuple[Array, ...]:
        """The results of one operation, each frozen where it shares memory."""
        if isinstance(op, kina.ForOp):
            counter = range(int(operands[0]), int(operands[1]))
            return self.for_(op, counter, _hand_on(op.initial, operands[2:], free))
        if isinstance(op, kina.WhileOp):
            return self.while_(op, _hand_on(op.initial, operands, free))
        if isinstance(op, kina.UpdateOp) and op.operand in free and operands[0].flags.writeable:
            indices = [int(index) for index in operands[2:]]
            return (shape.update(operands[0], operands[1], indices, in_place=True),)
        meaning = MEANINGS.get(type(op))
        if meaning is None:
            raise InterpretError(f"{op.name} has no meaning in the oracle")
        found = meaning(op, operands)
        results = found if isinstance(found, tuple) else (np.asarray(found),)
        for result, declared in zip(results, map(tensor_of, op.results), strict=True):
            if not _fits(result, declared):
                raise InterpretError(
                    f"{op.name} gave {show_array(result)} where {show_type(declared)} is declared"
                )
        return tuple(_separate(result, operands) for result in results)

    def for_(self, op: kina.ForOp, counter: range, carry: tuple[Array, ...]) -> tuple[Array, ...]:
        """The carry after the last iteration."""
        for i in counter:
            self.values[op.index] = np.asarray(i, dtype=np.int64)
            self.values.update(zip(op.carry, carry))
            carry = self.block(op.body.block)
        return carry

    def while_(self, op: kina.WhileOp, carry: tuple[Array, ...]) -> tuple[Array, ...]:
        """The first carry for which the condition does not hold."""
        while self.holds(op, carry):
            self.values.update(zip(op.carry, carry))
            carry = self.block(op.body.block)
        return carry

    def holds(self, op: kina.WhileOp, carry: tuple[Array, ...]) -> bool:
        # The condition may only look: what it is given keeps its one name, the carry's.
        self.values.update(zip(op.tested, (_frozen(array.view()) for array in carry)))
        (holds,) = self.block(op.condition.block)
        return bool(holds)


def _last_uses(block: Block) -> dict[Operation, _LastUse]:
    """The last uses of each operation of the block, in order."""
    if not isinstance(block.last_op, func.ReturnOp | kina.YieldOp):
        raise InterpretError("a block ends in func.return or kina.yield")
    result: dict[Operation, _LastUse] = {}
    used_later: set[SSAValue] = set()
    for op in reversed(list(block.ops)):
        uses = Counter(
            value for inner in op.walk() for value in inner.operands if _block_of(value) is block
        )
        dying = frozenset(uses.keys() - used_later)
        free = frozenset(value for value in dying if uses[value] == 1 and value in op.operands)
        result[op] = _LastUse(dying, free)
        used_later |= dying
    return dict(reversed(result.items()))


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


def _hand_on(
    names: Sequence[SSAValue], arrays: Sequence[Array], free: frozenset[SSAValue]
) -> tuple[Array, ...]:
    """The arrays under new names, frozen where an old name, or a second new one, stays."""
    return tuple(array if name in free else _frozen(array) for name, array in zip(names, arrays))


def _separate(result: Array, operands: Sequence[Array]) -> Array:
    """A result that may share memory with operands, made safe.

    Copied where it is a small part of an array that may yet be updated in place, as one layer of
    a cache is; otherwise both are frozen.
    """
    shared = [x for x in operands if np.may_share_memory(x, result)]
    if any(x.flags.writeable and x.size > result.size for x in shared):
        return result.copy()
    for x in shared:
        _frozen(x)
    return _frozen(result) if shared else result
