"""What the golden level looks like: the promises that code generation builds on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    bf16,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from kina.codegen.tools import find_tools, run_tool
from kina.dialect import ops as kina
from kina.dialect.dtypes import Tensor, tensor
from kina.lowering import lower
from support.compiled import llvm_ir

Add = Callable[[Operation], SSAValue]
Body = Callable[..., Sequence[SSAValue]]

SCALAR = tensor(i64, [])


def module(types: Sequence[Tensor], body: Body, donated: Mapping[int, int] = {}) -> ModuleOp:
    """A dialect module of the function `f`; `body` is given `add` and the arguments.

    `donated` are arguments, each with the number of the result that takes its place.
    """
    block = Block(arg_types=types)
    block.add_op(func.ReturnOp(*body(_adder(block), *block.args)))
    last = block.last_op
    assert isinstance(last, func.ReturnOp)
    held: list[dict[str, Attribute]] = [
        {"kina.donated": IntegerAttr(donated[i], i64)} if i in donated else {}
        for i in range(len(types))
    ]
    signature = (types, [value.type for value in last.arguments])
    attributes = ArrayAttr([DictionaryAttr(one) for one in held])
    return ModuleOp([func.FuncOp("f", signature, Region(block), arg_attrs=attributes)])


def _adder(block: Block) -> Add:
    def add(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    return add


def text(types: Sequence[Tensor], body: Body, donated: Mapping[int, int] = {}) -> str:
    """The golden level of such a function, which `mlir-opt` has read."""
    result = str(lower(module(types, body, donated)))
    run_tool([find_tools().code.mlir_opt], result.encode())
    return result


def F32(*sizes: int) -> Tensor:
    return tensor(f32, sizes)


def constant(add: Add, number: int) -> SSAValue:
    return add(kina.ConstantOp(number, SCALAR))


# Left, right, whether the right one is transposed, and the name of the product.
PRODUCTS: Sequence[tuple[tuple[int, ...], tuple[int, ...], bool, str]] = (
    ((1, 4), (4, 6), False, "matvec_nn_1x6x4_f32"),
    ((1, 4), (6, 4), True, "matvec_nt_1x6x4_f32"),
    ((3, 4), (4, 6), False, "matmul_nn_3x6x4_f32"),
    ((3, 4), (6, 4), True, "matmul_nt_3x6x4_f32"),
    # Weights that all of a batch share: the batch joins the rows.
    ((2, 3, 4), (1, 6, 4), True, "matmul_nt_6x6x4_f32"),
    ((2, 5, 3, 4), (1, 1, 4, 6), False, "matmul_nn_30x6x4_f32"),
    # Key heads that several query heads share: theirs join the rows, those of the keys stay.
    ((2, 5, 1, 4), (2, 1, 6, 4), True, "batch_matmul_nt_2x5x6x4_f32"),
    ((2, 1, 4), (2, 6, 4), True, "batch_matvec_nt_2x1x6x4_f32"),
    ((2, 5, 3, 4), (2, 5, 4, 6), False, "batch_matmul_nn_10x3x6x4_f32"),
    ((1, 3, 4), (2, 4, 6), False, "batch_matmul_nn_2x3x6x4_f32"),
    ((2, 1, 3, 4), (1, 5, 4, 6), False, "batches_matmul_nn_2x5x3x6x4_f32"),
    # Neighbouring batches of both are one; those of the left alone that come last join the rows.
    ((2, 3, 7, 3, 4), (2, 3, 1, 4, 6), False, "batch_matmul_nn_6x21x6x4_f32"),
    ((2, 3, 1, 3, 4), (1, 1, 5, 4, 6), False, "batches_matmul_nn_6x5x3x6x4_f32"),
)


@pytest.mark.parametrize("left, right, turned, name", PRODUCTS)
def test_products_have_few_forms(
    left: tuple[int, ...], right: tuple[int, ...], turned: bool, name: str
) -> None:
    def body(add: Add, a: SSAValue, b: SSAValue) -> list[SSAValue]:
        rank = len(right)
        perm = [*range(rank - 2), rank - 1, rank - 2]
        b = add(kina.TransposeOp(b, perm)) if turned else b
        return [add(kina.MatmulOp(a, b))]

    lowered = text([F32(*left), F32(*right)], body)
    assert re.findall(r'kina\.op = "(\w+)"', lowered) == [name]
    # A transposed operand is read as it lies.
    assert "linalg.transpose" not in lowered


def test_a_product_of_halves_sums_in_f32() -> None:
    lowered = text(
        [tensor(bf16, [3, 4]), tensor(bf16, [4, 6])],
        lambda add, a, b: [add(kina.MatmulOp(a, b))],
    )
    assert "outs(%5 : tensor<3x6xf32>)" in lowered
    assert lowered.count("func.call @kina.round.bf16") == 1


def test_no_tensor_is_made_for_what_a_loop_can_compute() -> None:
    def body(add: Add, x: SSAValue, scale: SSAValue, s: SSAValue) -> list[SSAValue]:
        two = add(kina.ConstantOp(2.0, F32(3, 5)))
        columns = add(kina.CastOp(add(kina.IotaOp(i64, [3, 5], 1)), f32))
        x = add(kina.MulOp(x, two))
        x = add(kina.MulOp(x, add(kina.BroadcastOp(scale, [3, 5]))))
        x = add(kina.AddOp(x, add(kina.BroadcastOp(s, [3, 5]))))
        return [add(kina.SubOp(x, columns))]

    lowered = text([F32(3, 5), F32(3, 1), F32()], body)
    # One per operation; the constant, the broadcasts and the counter are none.
    assert lowered.count("linalg.generic") == 5
    assert "linalg.fill" not in lowered and "tensor.splat" not in lowered


def test_a_reduction_feeds_its_broadcast_without_a_unit_axis() -> None:
    def body(add: Add, x: SSAValue) -> list[SSAValue]:
        total = add(kina.SumOp(x, [1], True))
        return [add(kina.DivOp(x, add(kina.BroadcastOp(total, [3, 5]))))]

    lowered = text([F32(3, 5)], body)
    assert "expand_shape" not in lowered and "3x1" not in lowered


def test_an_index_in_range_is_not_clamped() -> None:
    def body(add: Add, table: SSAValue) -> list[SSAValue]:
        def step(inner: Add, i: SSAValue, x: SSAValue) -> list[SSAValue]:
            row = inner(kina.SliceOp(table, [i, zero], [1, 5]))
            return [inner(kina.AddOp(x, inner(kina.ReshapeOp(row, [5]))))]

        zero = constant(add, 0)
        start = add(kina.ConstantOp(0.0, F32(5)))
        return [add(_loop(zero, constant(add, 4), [start], step))]

    lowered = text([F32(4, 5)], body)
    assert "minsi" not in lowered and "maxsi" not in lowered
    # The unit axis goes with the slice itself.
    assert re.search(r"extract_slice .* to tensor<5xf32>", lowered)


def _loop(lower_: SSAValue, upper: SSAValue, initial: Sequence[SSAValue], step: Body) -> kina.ForOp:
    block = Block(arg_types=[SCALAR, *(value.type for value in initial)])
    block.add_op(kina.YieldOp(step(_adder(block), *block.args)))
    return kina.ForOp(lower_, upper, initial, block)


def test_an_index_from_outside_is_clamped() -> None:
    lowered = text(
        [F32(4, 5), SCALAR],
        lambda add, x, i: [add(kina.SliceOp(x, [i, i], [1, 5]))],
    )
    # The second axis leaves no choice.
    assert lowered.count("arith.minsi") == lowered.count("arith.maxsi") == 1


def test_a_loop_over_a_cache_copies_nothing() -> None:
    """`for i in 0..n with x, cache: yield (2 x + cache[0], update(cache, x, at=[i, 0]))`."""

    def body(add: Add, x: SSAValue, cache: SSAValue, n: SSAValue) -> list[SSAValue]:
        def step(inner: Add, i: SSAValue, x: SSAValue, cache: SSAValue) -> list[SSAValue]:
            row = inner(kina.ReshapeOp(x, [1, 5]))
            cache = inner(kina.UpdateOp(cache, row, [i, zero]))
            first = inner(kina.ReshapeOp(inner(kina.SliceOp(cache, [zero, zero], [1, 5])), [5]))
            return [inner(kina.AddOp(inner(kina.AddOp(x, x)), first)), cache]

        zero = constant(add, 0)
        loop = _loop(zero, n, [x, cache], step)
        add(loop)
        return list(loop.results)

    lowered = text([F32(5), F32(64, 5), SCALAR], body, donated={1: 1})
    # x is copied once, ahead of the loop that writes to it; the cache never is.
    assert lowered.count("bufferization.alloc_tensor() copy") == 1
    assert re.search(r"alloc_tensor\(\) copy\(%\w+\) : tensor<5xf32>", lowered)
    assert not re.search(r"alloc_tensor.*64x5", lowered)
    # The donated cache is the first of two results, and has no argument of its own.
    (arguments,) = re.findall(r"@f\((.*?)\) ->", lowered)
    assert re.findall(r"tensor<(\w+)> {bufferization.writable = (\w+)}", arguments) == [
        ("5xf32", "false"),
        ("64x5xf32", "true"),
        ("i64", "false"),
        ("5xf32", "true"),
    ]


def test_a_while_over_a_cache_copies_nothing() -> None:
    """`while i < n with i = 0, x, cache: yield (i + 1, exp(x), update(cache, x, at=[i, 0]))`."""

    def body(add: Add, x: SSAValue, cache: SSAValue, n: SSAValue) -> list[SSAValue]:
        initial = [constant(add, 0), x, cache]
        types = [value.type for value in initial]
        condition, block = Block(arg_types=types), Block(arg_types=types)
        condition.add_op(
            kina.YieldOp([_adder(condition)(kina.CompareOp("lt", condition.args[0], n))])
        )
        inner = _adder(block)
        i, y, kept = block.args
        row = inner(kina.ReshapeOp(y, [1, 5]))
        kept = inner(kina.UpdateOp(kept, row, [i, constant(inner, 0)]))
        following = [inner(kina.AddOp(i, constant(inner, 1))), inner(kina.ExpOp(y)), kept]
        block.add_op(kina.YieldOp(following))
        loop = kina.WhileOp(initial, condition, block)
        add(loop)
        return list(loop.results)[1:]

    lowered = text([F32(5), F32(64, 5), SCALAR], body, donated={1: 1})
    # As for a `for`: x once, ahead of the loop that writes to it.
    assert lowered.count("bufferization.alloc_tensor() copy") == 1
    assert re.search(r"alloc_tensor\(\) copy\(%\w+\) : tensor<5xf32>", lowered)
    # Tensors first, so that what MLIR drops of the scalars does not move them.
    assert re.search(r"scf.while .* : \(tensor<5xf32>, tensor<64x5xf32>, i64\) ->", lowered)


def test_bools_are_bytes_and_bf16_are_bits() -> None:
    lowered = text(
        [tensor(i1, [4]), tensor(bf16, [4])],
        lambda add, a, b: [add(kina.NotOp(a)), add(kina.NegOp(b))],
    )
    (signature,) = re.findall(r"@f\(.*", lowered)
    # Two parameters, a place for each result, and the results.
    assert re.findall(r"tensor<4x(\w+)>", signature) == ["i8", "i16"] * 3


def test_the_same_text_every_time() -> None:
    def once() -> str:
        return text([F32(3, 5)], lambda add, x: [add(kina.SoftmaxOp(x, 1))])

    assert once() == once()


def test_each_library_function_is_written_once_in_order() -> None:
    def body(add: Add, x: SSAValue) -> list[SSAValue]:
        return [add(kina.SinOp(add(kina.ExpOp(add(kina.SigmoidOp(add(kina.ExpOp(x))))))))]

    names = re.findall(r"func.func private @([\w.]+)", text([F32(3, 5)], body))
    assert names == ["kina.exp.f32", "kina.sigmoid.f32", "kina.sin.f32"]


def ir(types: Sequence[Tensor], body: Body) -> str:
    return llvm_ir(str(lower(module(types, body))))


LONG = F32(4096)
ELEMENTARY = (kina.ExpOp, kina.LogOp, kina.TanhOp, kina.SigmoidOp, kina.SinOp, kina.ErfOp)


def test_the_remainder_of_f32_vectorizes() -> None:
    code = ir([LONG, LONG], lambda add, x, y: [add(kina.RemOp(x, y))])
    assert re.search(r"fdiv <\d+ x double>", code)


@pytest.mark.parametrize("op", ELEMENTARY)
def test_elementary_functions_vectorize(op: Callable[[SSAValue], Operation]) -> None:
    code = ir([LONG], lambda add, x: [add(op(x))])
    assert re.search(r"call .*<\d+ x float> @llvm\.fma\.v\d+f32", code)


@pytest.mark.parametrize(
    "build, vector",
    [
        (lambda x: kina.ReduceMaxOp(x, [0], False), r"<\d+ x float> @llvm\.maximum"),
        (lambda x: kina.SumOp(x, [0], False), r"fadd reassoc <\d+ x float>"),
        (lambda x: kina.ArgmaxOp(x, 0), r"<\d+ x i32> @llvm\.smin"),
        (lambda x: kina.SoftmaxOp(x, 0), r"<\d+ x float> @llvm\.fma"),
    ],
)
def test_reductions_vectorize(build: Callable[[SSAValue], Operation], vector: str) -> None:
    assert re.search(vector, ir([LONG], lambda add, x: [add(build(x))]))


def test_nothing_is_called_but_memory() -> None:
    """No elementary function is the C library's, and no conversion is a compiler's."""

    def body(add: Add, x: SSAValue, y: SSAValue) -> list[SSAValue]:
        rounding = (kina.FloorOp, kina.CeilOp, kina.RoundOp, kina.TruncOp)
        for op in (*ELEMENTARY, *rounding, kina.CosOp, kina.RsqrtOp):
            x, y = add(op(x)), add(op(y))
        x, y = (add(kina.RemOp(add(kina.PowOp(z, z)), z)) for z in (x, y))
        x, y = (add(kina.CastOp(z, bf16)) for z in (x, y))
        return [add(kina.MaxOp(x, y))]

    declared = re.findall(
        r"^declare .*@([\w.]+)\(", ir([LONG, tensor(f64, [4096])], body), re.MULTILINE
    )
    called = {name for name in declared if not name.startswith("llvm.")}
    assert called <= {"malloc", "free", "memcpy", "memset"}
