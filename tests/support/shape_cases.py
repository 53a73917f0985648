"""Cases of operations that move elements and compute nothing, and of loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation, SSAValue

from kina.dialect import ops as kina
from kina.dialect.checks import tensor_of
from kina.dialect.dtypes import tensor
from support.case import VALUE, Build, Case, applied, applied_to_list
from support.values import ALL, Array, distinct, random, small_integers, special


def _each_dtype(name: str, shape: Sequence[int], build: Build) -> Iterator[Case]:
    for dtype in ALL:
        yield Case(f"{name}-{dtype}", (distinct(dtype, shape),), build)


def reshape_cases() -> Iterator[Case]:
    for source, target in (
        ((), (1, 1)),
        ((1,), ()),
        ((6,), (2, 3)),
        ((2, 3, 4), (4, 6)),
        ((2, 3, 4), (2, 3, 1, 4)),
        ((3, 0), (0, 5, 2)),
    ):
        yield from _each_dtype(
            f"reshape-{source}-{target}", source, applied(kina.ReshapeOp, target)
        )


def transpose_cases() -> Iterator[Case]:
    for shape, perm in (
        ((), ()),
        ((5,), (0,)),
        ((3, 17), (1, 0)),
        ((2, 3, 4), (2, 0, 1)),
        ((2, 3, 1, 5), (0, 2, 1, 3)),
        ((2, 0, 3), (1, 2, 0)),
    ):
        yield from _each_dtype(f"transpose-{shape}-{perm}", shape, applied(kina.TransposeOp, perm))


def broadcast_cases() -> Iterator[Case]:
    for source, target in (
        ((), ()),
        ((), (3, 5)),
        ((5,), (3, 5)),
        ((3, 1), (3, 5)),
        ((1, 3, 1), (2, 4, 3, 17)),
        ((2, 3), (2, 3)),
        ((1,), (0,)),
    ):
        yield from _each_dtype(
            f"broadcast-{source}-{target}", source, applied(kina.BroadcastOp, target)
        )


def concat_cases() -> Iterator[Case]:
    for shapes, axis in (
        (((5,),), 0),
        (((2, 3), (2, 1), (2, 17)), 1),
        (((1, 2, 3), (4, 2, 3)), 0),
        (((2, 0), (2, 3)), 1),
    ):
        for dtype in ALL:
            parts = tuple(distinct(dtype, shape, 10 * i) for i, shape in enumerate(shapes))
            name = f"concat-{shapes}-{axis}-{dtype}"
            yield Case(name, parts, applied_to_list(kina.ConcatOp, axis))


EDGE_INDICES: tuple[tuple[int, ...], ...] = (
    (0, 0),
    (1, 2),
    (2, 3),
    (-1, 100),
    (-(2**63), 2**63 - 1),
)
"""Places for a block of 2 by 2 in 4 by 5, some outside."""


def _scalars(indices: Sequence[int]) -> tuple[Array, ...]:
    return tuple(np.array(index, np.int64) for index in indices)


def sliced(sizes: Sequence[int]) -> Build:
    """A slice of these sizes: the operands are the whole, then the indices."""
    return lambda v: kina.SliceOp(v[0], v[1:], sizes)


def slice_cases() -> Iterator[Case]:
    for dtype in ALL:
        for at in EDGE_INDICES if dtype == "F32" else EDGE_INDICES[1:2]:
            operands = (distinct(dtype, (4, 5)), *_scalars(at))
            name = f"slice-{dtype}-{at}"
            yield Case(name, operands, sliced((2, 2)))
    for shape, sizes in (((), ()), ((3, 4, 5), (1, 4, 5)), ((3, 4), (3, 4)), ((3, 4), (0, 4))):
        operands = (distinct("F32", shape), *_scalars([1] * len(shape)))
        name = f"slice-{shape}-{sizes}"
        yield Case(name, operands, sliced(sizes))


def updated(v: Sequence[SSAValue]) -> Operation:
    """An update: the operands are the whole, the block, then the indices."""
    return kina.UpdateOp(v[0], v[1], v[2:])


def update_cases() -> Iterator[Case]:
    for dtype in ALL:
        for at in EDGE_INDICES if dtype == "F32" else EDGE_INDICES[1:2]:
            parts = distinct(dtype, (4, 5)), distinct(dtype, (2, 2), 50)
            name = f"update-{dtype}-{at}"
            operands = (*parts, *_scalars(at))
            yield Case(name, operands, updated)
    for shape, sizes in (((), ()), ((3, 4, 5), (1, 4, 5)), ((3, 4), (3, 4)), ((3, 4), (0, 4))):
        parts = distinct("F32", shape), distinct("F32", sizes, 50)
        operands = (*parts, *_scalars([1] * len(shape)))
        name = f"update-{shape}-{sizes}"
        yield Case(name, operands, updated)


def pad_cases() -> Iterator[Case]:
    for shape, low, high in (
        ((), (), ()),
        ((3,), (2,), (1,)),
        ((2, 3), (0, 0), (0, 0)),
        ((2, 3), (1, 0), (0, 15)),
        ((0, 3), (1, 1), (1, 1)),
    ):
        for dtype in ALL:
            value = special(dtype)[-1].reshape(())
            name = f"pad-{shape}-{low}-{high}-{dtype}"
            operands = distinct(dtype, shape), value
            yield Case(name, operands, applied(kina.PadOp, low, high))


def gather_cases() -> Iterator[Case]:
    ids = np.array([[0, 7, 3], [-1, 8, 2**40], [-(2**63), 2**63 - 1, 1]])
    for dtype in ALL:
        table = distinct(dtype, (8, 5))
        near = np.clip(ids, -(2**31), 2**31 - 1).astype(np.int32)
        for name, operands in (
            ("I64", (table, ids)),
            ("I32", (table, near)),
            ("one", (table, np.array(3))),
            ("vector", (table[:, 0].copy(), ids)),
            ("rank3", (distinct(dtype, (8, 2, 3)), ids[0])),
            ("none", (table, ids[:0])),
            ("one-row", (table[:1], ids)),
            ("no-columns", (table[:, :0], ids)),
        ):
            yield Case(f"gather-{dtype}-{name}", operands, applied(kina.GatherOp))


Body: TypeAlias = Callable[[Block, Sequence[SSAValue]], Sequence[SSAValue]]


def _loop(
    bounds: tuple[int, int], carry: Sequence[Array], body: Body, outer: Sequence[Array] = ()
) -> tuple[tuple[Array, ...], Build]:
    """Operands and builder of a loop: bounds, carry, then values that the body sees from outside.

    `body` appends to the block and returns what it yields; it is given the index, the carry and
    the outer values.
    """

    def build(v: Sequence[SSAValue]) -> Operation:
        initial = v[2 : 2 + len(carry)]
        block = Block(arg_types=[tensor(i64, []), *(value.type for value in initial)])
        block.add_op(kina.YieldOp(body(block, [*block.args, *v[2 + len(carry) :]])))
        return kina.ForOp(v[0], v[1], initial, block)

    return (*_scalars(bounds), *carry, *outer), build


def _add(block: Block, a: SSAValue, b: SSAValue) -> SSAValue:
    op = kina.AddOp(a, b)
    block.add_op(op)
    return op.result


def _cast(block: Block, x: SSAValue, like: SSAValue) -> SSAValue:
    op = kina.CastOp(x, tensor_of(like).element_type)
    block.add_op(op)
    return op.result


def _update(block: Block, x: SSAValue, part: SSAValue, at: Sequence[SSAValue]) -> SSAValue:
    op = kina.UpdateOp(x, part, at)
    block.add_op(op)
    return op.result


def loop_cases() -> Iterator[Case]:
    x, y = small_integers("F32", (3, 5), 1), small_integers("F32", (3, 5), 2)
    total, line = np.array(0.0, np.float32), small_integers("F32", (9,), 3)
    for bounds in ((0, 0), (0, 1), (0, 7), (-2, 3), (3, 1), (2**63 - 2, 2**63 - 1)):
        yield Case(
            f"for-index-{bounds}",
            *_loop(bounds, [total], lambda b, v: [_add(b, v[1], _cast(b, v[0], v[1]))]),
            VALUE,
        )
        yield Case(f"for-swap-{bounds}", *_loop(bounds, [x, y], lambda b, v: [v[2], v[1]]))
        yield Case(f"for-last-index-{bounds}", *_loop(bounds, [np.array(5)], lambda b, v: [v[0]]))
    yield Case("for-outer", *_loop((0, 4), [x], lambda b, v: [_add(b, v[1], v[2])], [y]), VALUE)
    yield Case("for-takes-outer", *_loop((0, 4), [x], lambda b, v: [v[2]], [y]))
    yield Case("for-nothing", *_loop((0, 4), [], lambda b, v: []))
    yield Case(
        "for-update",
        *_loop(
            (0, 9), [line], lambda b, v: [_update(b, v[1], v[2], [v[0]])], [random("F32", (1,))]
        ),
    )
    yield Case(
        "for-fibonacci",
        *_loop((0, 9), [np.array(1), np.array(1)], lambda b, v: [v[2], _add(b, v[1], v[2])]),
    )
    for dtype in ALL:
        carry = [distinct(dtype, shape, start) for shape in CARRIED for start in (0, 50)]
        swapped = _loop((0, 3), carry, lambda b, v: _swapped(v[1:]))
        yield Case(f"for-swap-{dtype}", *swapped)
    yield Case("for-nested", *_loop((0, 4), [x], _nested, [y]), VALUE)


CARRIED: Sequence[tuple[int, ...]] = ((), (1,), (3, 5), (0, 3))


def _swapped(v: Sequence[SSAValue]) -> list[SSAValue]:
    """Each pair the other way round."""
    return [v[i ^ 1] for i in range(len(v))]


def _while(
    carry: Sequence[Array], condition: Body, body: Body, outer: Sequence[Array] = ()
) -> tuple[tuple[Array, ...], Build]:
    """As `_loop`, for a `while`: both bodies are given the carry and the outer values."""

    def build(v: Sequence[SSAValue]) -> Operation:
        types = [value.type for value in v[: len(carry)]]
        blocks = Block(arg_types=types), Block(arg_types=types)
        for block, write in zip(blocks, (condition, body)):
            block.add_op(kina.YieldOp(write(block, [*block.args, *v[len(carry) :]])))
        return kina.WhileOp(v[: len(carry)], *blocks)

    return (*carry, *outer), build


def _less(block: Block, a: SSAValue, b: SSAValue) -> SSAValue:
    op = kina.CompareOp("lt", a, b)
    block.add_op(op)
    return op.result


def while_cases() -> Iterator[Case]:
    """A carry that begins with a count to a limit, which stands first behind the carry."""
    x, y = small_integers("F32", (3, 5), 1), small_integers("F32", (3, 5), 2)
    line, one = small_integers("F32", (9,), 3), random("F32", (1,))

    def counted(b: Block, v: Sequence[SSAValue], rest: Sequence[SSAValue]) -> Sequence[SSAValue]:
        return [_add(b, v[0], v[-1]), *rest]

    for limit in (0, 1, 7):
        outer = [*_scalars((limit,)), np.array(1)]
        for name, carry, step in (
            ("count", [], lambda b, v: []),
            ("double", [x], lambda b, v: [_add(b, v[1], v[1])]),
            ("swap", [x, y], lambda b, v: [v[2], v[1]]),
            ("fibonacci", [np.array(1), np.array(1)], lambda b, v: [v[2], _add(b, v[1], v[2])]),
        ):
            at = len(carry) + 1
            found = _while(
                [np.array(0), *carry],
                lambda b, v, at=at: [_less(b, v[0], v[at])],
                lambda b, v, step=step: counted(b, v, step(b, v)),
                outer,
            )
            yield Case(f"while-{name}-{limit}", *found, VALUE)
    yield Case(
        "while-update",
        *_while(
            [np.array(0), line],
            lambda b, v: [_less(b, v[0], v[2])],
            lambda b, v: counted(b, v, [_update(b, v[1], v[3], [v[0]])]),
            [np.array(7), one, np.array(1)],
        ),
    )
    yield Case(
        "while-reads-what-it-updates",
        *_while(
            [np.array(0), np.arange(9)],
            lambda b, v: [_less(b, _item(b, v[1], v[0]), v[2])],
            lambda b, v: counted(b, v, [_update(b, v[1], v[3], [v[0]])]),
            [np.array(6), np.array([-5]), np.array(1)],
        ),
    )
    for dtype in ALL:
        carry = [distinct(dtype, shape, start) for shape in CARRIED for start in (0, 50)]
        count = len(carry) + 1
        swapped = _while(
            [np.array(0), *carry],
            lambda b, v, count=count: [_less(b, v[0], v[count])],
            lambda b, v, count=count: counted(b, v, _swapped(v[1:count])),
            [np.array(3), np.array(1)],
        )
        yield Case(f"while-swap-{dtype}", *swapped)
    yield Case(
        "while-nothing", *_while([], lambda b, v: [v[0]], lambda b, v: [], [np.array(False)])
    )


def _item(block: Block, x: SSAValue, at: SSAValue) -> SSAValue:
    part = kina.SliceOp(x, [at], [1])
    item = kina.ReshapeOp(part.result, [])
    block.add_ops([part, item])
    return item.result


def _nested(block: Block, v: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """`for j in 0 .. i: x = x + y` inside the loop over i."""
    zero = kina.ConstantOp(0, tensor(i64, []))
    inner = Block(arg_types=[tensor(i64, []), v[1].type])
    inner.add_op(kina.YieldOp([_add(inner, inner.args[1], v[2])]))
    loop = kina.ForOp(zero.result, v[0], [v[1]], inner)
    block.add_ops([zero, loop])
    return list(loop.results)


def shape_cases() -> Iterator[Case]:
    yield from reshape_cases()
    yield from transpose_cases()
    yield from broadcast_cases()
    yield from concat_cases()
    yield from slice_cases()
    yield from update_cases()
    yield from pad_cases()
    yield from gather_cases()
    yield from loop_cases()
    yield from while_cases()
