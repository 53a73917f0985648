"""Random small programs: chains of operations whose lowering depends on each other.

Single operations are tested one by one; here views feed views, blocks feed updates, loops carry
what was broadcast, and so on. All numbers are small whole numbers, so that sums are exact in any
order and every implementation must give the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, f32, i1, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import Tensor, tensor

SIZES = (1, 1, 2, 3, 4)
LIMIT = 512
"""The most elements that a value may have."""


@dataclass
class Writer:
    """Appends random operations to a block."""

    chance: random.Random
    block: Block
    values: list[SSAValue] = field(default_factory=list)
    depth: int = 0

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        self.values.append(op.results[0])
        return op.results[0]

    def pick(self, fits: Callable[[Tensor], bool] = lambda _: True) -> SSAValue | None:
        """A value of a type that fits, rather a late one."""
        found = [value for value in self.values if fits(tensor_of(value))]
        if not found:
            return None
        return found[max(self.chance.randrange(len(found)) for _ in range(2))]

    def float(self) -> SSAValue:
        value = self.pick(lambda type_: type_.element_type == f32)
        assert value is not None
        return value

    def index(self) -> SSAValue:
        """An I64 scalar, often a constant, at times outside of every axis."""
        known = self.pick(lambda type_: type_ == tensor(i64, []))
        if known is not None and self.chance.random() < 0.5:
            return known
        return self.constant(self.chance.randint(-2, 5))

    def constant(self, number: int) -> SSAValue:
        return self.add(kina.ConstantOp(number, tensor(i64, [])))

    def write(self, count: int) -> None:
        for _ in range(count):
            self.chance.choice(_WRITERS)(self)


def shape(value: SSAValue) -> tuple[int, ...]:
    return tensor_of(value).get_shape()


def write_elementwise(w: Writer) -> None:
    a = w.float()
    b = w.pick(lambda type_: type_ == a.type)
    assert b is not None
    whole = kina.ConstantOp(w.chance.randint(-2, 2), tensor_of(a))
    match w.chance.randrange(6):
        case 0:
            w.add(kina.SubOp(a, b))
        case 1:
            w.add(kina.MaxOp(a, w.add(whole)))
        case 2:
            w.add(kina.NegOp(b))
        case 3:
            w.add(kina.SelectOp(w.add(kina.CompareOp("lt", a, b)), b, w.add(whole)))
        case 4:
            w.add(kina.CastOp(w.add(kina.CastOp(a, i64)), f32))
        case _:
            w.add(kina.CastOp(w.add(kina.CompareOp("ge", a, w.add(whole))), f32))


def write_reshape(w: Writer) -> None:
    value = w.float()
    sizes = list(shape(value))
    for _ in range(w.chance.randint(1, 2)):
        match w.chance.randrange(3):
            case 0 if len(sizes) < 4:
                sizes.insert(w.chance.randint(0, len(sizes)), 1)
            case 1 if 1 in sizes:
                sizes.remove(1)
            case 2 if len(sizes) > 1:
                axis = w.chance.randrange(len(sizes) - 1)
                sizes[axis : axis + 2] = [sizes[axis] * sizes[axis + 1]]
    w.add(kina.ReshapeOp(value, sizes))


def write_transpose(w: Writer) -> None:
    value = w.float()
    axes = list(range(len(shape(value))))
    w.chance.shuffle(axes)
    w.add(kina.TransposeOp(value, axes))


def write_broadcast(w: Writer) -> None:
    value = w.float()
    sizes = [w.chance.choice(SIZES) if n == 1 else n for n in shape(value)]
    if len(sizes) < 4 and w.chance.random() < 0.5:
        sizes.insert(0, w.chance.choice(SIZES))
    if prod(sizes) <= LIMIT:
        w.add(kina.BroadcastOp(value, sizes))


def write_matmul(w: Writer) -> None:
    a = w.pick(lambda type_: type_.element_type == f32 and 2 <= len(type_.get_shape()) <= 4)
    if a is None:
        return
    sizes = shape(a)
    b = w.pick(
        lambda type_: (
            type_.element_type == f32
            and len(type_.get_shape()) == len(sizes)
            and type_.get_shape()[-2] == sizes[-1]
            and all(1 in (m, n) or m == n for m, n in zip(sizes[:-2], type_.get_shape()[:-2]))
        )
    )
    if b is None:
        turned = [*range(len(sizes) - 2), len(sizes) - 1, len(sizes) - 2]
        b = w.add(kina.TransposeOp(a, turned))
    # Smaller again, so that no number grows out of what F32 counts in ones.
    product = w.add(kina.MatmulOp(a, b))
    w.add(kina.MaxOp(product, w.add(kina.ConstantOp(-2, tensor_of(product)))))
    w.add(kina.MinOp(w.values[-1], w.add(kina.ConstantOp(2, tensor_of(product)))))


def write_reduction(w: Writer) -> None:
    value = w.pick(lambda type_: type_.element_type == f32 and len(type_.get_shape()) > 0)
    if value is not None:
        axes = w.chance.sample(range(len(shape(value))), w.chance.randint(1, len(shape(value))))
        keepdims = w.chance.random() < 0.5
        w.add(kina.ReduceMaxOp(value, axes, keepdims))


def write_top_k(w: Writer) -> None:
    value = w.pick(lambda type_: type_.element_type == f32 and len(type_.get_shape()) > 0)
    if value is not None:
        axis = w.chance.randrange(len(shape(value)))
        op = kina.TopKOp(value, w.chance.randint(1, shape(value)[axis]), axis)
        w.add(op)
        w.values.append(op.indices)


def write_slice(w: Writer) -> None:
    value = w.float()
    sizes = [w.chance.randint(1, n) for n in shape(value)]
    w.add(kina.SliceOp(value, [w.index() for _ in sizes], sizes))
    if w.chance.random() < 0.5:
        w.add(kina.ReshapeOp(w.values[-1], [n for n in sizes if n != 1]))


def write_update(w: Writer) -> None:
    value = w.float()
    block = w.pick(
        lambda type_: (
            type_.element_type == f32
            and len(type_.get_shape()) == len(shape(value))
            and all(m <= n for m, n in zip(type_.get_shape(), shape(value)))
        )
    )
    assert block is not None
    w.add(kina.UpdateOp(value, block, [w.index() for _ in shape(value)]))


def write_concat(w: Writer) -> None:
    value = w.pick(lambda type_: type_.element_type == f32 and len(type_.get_shape()) > 0)
    if value is not None and 2 * prod(shape(value)) <= LIMIT:
        other = w.pick(lambda type_: type_ == value.type)
        assert other is not None
        w.add(kina.ConcatOp([value, other], w.chance.randrange(len(shape(value)))))


def write_gather(w: Writer) -> None:
    table = w.pick(lambda type_: type_.element_type == f32 and len(type_.get_shape()) > 0)
    ids = w.pick(lambda type_: type_.element_type == f32 and prod(type_.get_shape()) <= 6)
    if table is not None and ids is not None:
        total = prod(shape(table)) // shape(table)[0] * prod(shape(ids))
        if total <= LIMIT and len(shape(table)) + len(shape(ids)) <= 5:
            w.add(kina.GatherOp(table, w.add(kina.CastOp(ids, i64))))


def write_loop(w: Writer) -> None:
    """A loop over up to three carries, whose next values are anything of their types."""
    if w.depth == 2:
        return
    initial = [w.float() for _ in range(w.chance.randint(1, 3))]
    lower, upper = w.index(), w.index()
    block = Block(arg_types=[tensor(i64, []), *(value.type for value in initial)])
    inner = _inside(w, block)
    block.add_op(kina.YieldOp([_next(inner, value, i) for i, value in enumerate(initial)]))
    loop = kina.ForOp(lower, upper, initial, block)
    w.block.add_op(loop)
    w.values.extend(loop.results)


def write_while(w: Writer) -> None:
    """As `write_loop`, with a counter in front of the carry that ends it, if nothing else does."""
    if w.depth == 2:
        return
    initial = [w.index(), *(w.float() for _ in range(w.chance.randint(1, 3)))]
    types = [value.type for value in initial]
    condition, block = Block(arg_types=types), Block(arg_types=types)
    test = _inside(w, condition)
    few = test.add(kina.CompareOp("lt", condition.args[0], test.constant(4)))
    x = test.float()
    x = test.add(kina.ReduceMaxOp(x, range(len(shape(x))))) if shape(x) else x
    small = test.add(kina.CompareOp("lt", x, test.add(kina.ConstantOp(2, tensor(f32, [])))))
    condition.add_op(kina.YieldOp([test.add(kina.AndOp(few, small))]))
    inner = _inside(w, block)
    following = [_next(inner, value, i) for i, value in enumerate(initial[1:])]
    count = inner.add(kina.AddOp(block.args[0], inner.constant(1)))
    block.add_op(kina.YieldOp([count, *following]))
    loop = kina.WhileOp(initial, condition, block)
    w.block.add_op(loop)
    w.values.extend(loop.results)


def _inside(w: Writer, block: Block) -> Writer:
    """A writer of the block of a loop, which has begun."""
    inner = Writer(w.chance, block, [*w.values, *block.args], w.depth + 1)
    inner.write(w.chance.randint(2, 5))
    return inner


def _next(w: Writer, initial: SSAValue, i: int) -> SSAValue:
    """What follows on a carry that is argument `i` of the body, not counting the first."""
    if w.chance.random() < 0.3:
        at = [w.index() for _ in shape(initial)]
        block = w.pick(
            lambda type_: (
                type_.element_type == f32
                and len(type_.get_shape()) == len(shape(initial))
                and all(m <= n for m, n in zip(type_.get_shape(), shape(initial)))
            )
        )
        assert block is not None
        return w.add(kina.UpdateOp(w.block.args[i + 1], block, at))
    value = w.pick(lambda type_: type_ == initial.type)
    assert value is not None
    return value


_WRITERS: Sequence[Callable[[Writer], None]] = (
    write_elementwise,
    write_elementwise,
    write_reshape,
    write_transpose,
    write_broadcast,
    write_matmul,
    write_reduction,
    write_top_k,
    write_slice,
    write_update,
    write_concat,
    write_gather,
    write_loop,
    write_while,
)


def random_program(seed: int, name: str) -> ModuleOp:
    """A dialect module of one function over F32 tensors and two I64 scalars, named `name`."""
    chance = random.Random(seed)
    shapes = [[chance.choice(SIZES) for _ in range(chance.randint(0, 4))] for _ in range(3)]
    types = [*(tensor(f32, sizes) for sizes in shapes), tensor(i64, []), tensor(i64, [])]
    block = Block(arg_types=types)
    writer = Writer(chance, block, list(block.args))
    writer.write(chance.randint(4, 14))
    results = [value for value in writer.values if tensor_of(value).element_type != i1]
    returned = chance.sample(results, min(len(results), 3))
    block.add_op(func.ReturnOp(*returned))
    signature = (types, [value.type for value in returned])
    return ModuleOp([func.FuncOp(name, signature, Region(block))])


def donate(module: ModuleOp, seed: int) -> None:
    """Gives results the buffers of parameters of their types, whatever the results are made of."""
    (function,) = module.ops
    assert isinstance(function, func.FuncOp)
    results = list(function.function_type.outputs)
    free = list(range(len(results)))
    random.Random(seed).shuffle(free)
    attributes: list[DictionaryAttr] = []
    for type_ in function.function_type.inputs:
        fitting = [i for i in free if results[i] == type_]
        if fitting:
            free.remove(fitting[0])
            attributes.append(DictionaryAttr({"kina.donated": IntegerAttr(fitting[0], i64)}))
        else:
            attributes.append(DictionaryAttr({}))
    function.arg_attrs = ArrayAttr(attributes)
