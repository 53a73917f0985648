"""The derivative of every operation, against differences; at ties and kinks, against values by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from gradients import Case, arguments, assert_gradient, program, signatures

from kina.dialect import ops as kina
from kina.dialect.ops import Kina
from kina.oracle.interpreter import interpret
from kina.passes.differentiate import RULES, differentiate
from kina.passes.simplify import simplify
from support.values import DTYPES, Array

PAIR = "a: F64[2, 3], b: F64[2, 3]"
ELEMENTWISE = [
    *(
        Case(name, "a: F64[2, 3]", "[2, 3]", f"{name}(a)")
        for name in ("abs", "exp", "tanh", "sigmoid", "sin", "cos", "erf")
    ),
    *(
        Case(name, "positive: F64[2, 3]", "[2, 3]", f"{name}(positive)")
        for name in ("log", "sqrt", "rsqrt")
    ),
    Case("neg", "a: F64[2, 3]", "[2, 3]", "-a"),
    *(Case(f"a {op} b", PAIR, "[2, 3]", f"a {op} b") for op in "+-*"),
    *(
        Case(f"a {op} b", "a: F64[2, 3], positive: F64[2, 3]", "[2, 3]", f"a {op} -positive")
        for op in "/%"
    ),
    *(Case(name, PAIR, "[2, 3]", f"{name}(a, b)") for name in ("max", "min")),
    Case("pow", "positive: F64[4], b: F64[4]", "[4]", "pow(positive, b)"),
    Case("pow of a negative", "a: F64[4]", "[4]", "pow(a, 3.0)", given={"a": [-1, -0.5, 0, 2]}),
    Case("pow with 0", "a: F64[4]", "[4]", "pow(a, 0.0)", given={"a": [-1, -0.5, 0, 2]}),
    Case("0 to a power", "b: F64[2]", "[2]", "pow(b * 0.0, b)", given={"b": [3, 2]}),
    Case("select", PAIR, "[2, 3]", "select(a < b, a * b, b)"),
    Case("one operand twice", "a: F64[3]", "[3]", "a * a / (a + 3.0) - a"),
    Case("scalars", "a: F64[], b: F64[]", "[]", "exp(a) * b"),
    Case("a constant", "a: F64[3]", "[3]", "a * 0.0 + 2.0"),
    Case("unused", "a: F64[3], b: F64[2]", "[3]", "a * 2.0"),
    *(
        Case(name, "a: F64[3]", "[3]", f"a * {name}(a * 10.0)")
        for name in ("floor", "ceil", "round", "trunc", "sign")
    ),
    Case("steps alone", "a: F64[3], b: F64[3]", "[3]", "floor(a * 10.0) + b"),
    Case("what tells of a float", "a: F64[3]", "[3]", "select(or(isnan(a), isinf(a)), 0.0, a * a)"),
    Case("integers between", "a: F64[3]", "[3]", "a * cast(cast(a * 10.0, I64), F64)"),
]


def product(name: str, a: str, b: str, result: str) -> Case:
    return Case(name, f"a: F64{a}, b: F64{b}", result, "a @ b")


PRODUCTS = [
    product("a product", "[2, 3]", "[3, 4]", "[2, 4]"),
    product("of rows and columns", "[1, 3]", "[3, 1]", "[1, 1]"),
    product("a sum over one", "[2, 1]", "[1, 3]", "[2, 3]"),
    product("of one batch", "[2, 2, 3]", "[2, 3, 2]", "[2, 2, 2]"),
    product("a unit batch on the left", "[1, 2, 3]", "[4, 3, 2]", "[4, 2, 2]"),
    product("a unit batch on the right", "[4, 2, 3]", "[1, 3, 2]", "[4, 2, 2]"),
    product("unit batches on both", "[3, 1, 2, 2]", "[1, 2, 2, 3]", "[3, 2, 2, 3]"),
    product("unit batches that stay", "[1, 1, 2, 2]", "[1, 1, 2, 3]", "[1, 1, 2, 3]"),
    Case("a weight", "a: F64[2, 2, 3], w: F64[3, 4]", "[2, 2, 4]", "a @ broadcast(w)"),
    Case("missing batches", "a: F64[2, 3], w: F64[2, 1, 4, 3, 2]", "[2, 1, 4, 2, 2]", "a @ w"),
    Case("with itself", "a: F64[3, 3]", "[3, 3]", "a @ transpose(a) @ a"),
]

AXES = [("[0]", "[3, 1]"), ("[1]", "[2, 1]"), ("[0, 2]", "[3]"), ("[0, 1, 2]", "[]")]
REDUCTIONS = [
    Case(f"{name} over {axes}", "a: F64[2, 3, 1]", result, f"{name}(a, axis={axes})")
    for name in ("sum", "mean", "max", "min")
    for axes, result in AXES
] + [
    Case("keepdims", "a: F64[2, 3]", "[2, 1]", "max(a, axis=1, keepdims=true)"),
    *(
        Case(f"softmax along {axis}", "a: F64[2, 3, 2]", "[2, 3, 2]", f"softmax(a, axis={axis})")
        for axis in (0, 1, 2)
    ),
    Case("softmax of one", "a: F64[3, 1]", "[3, 1]", "softmax(a, axis=1)"),
    Case(
        "softmax with a mask",
        "a: F64[3, 3]",
        "[3, 3]",
        "softmax(select(iota([3, 3], axis=1) <= iota([3, 3], axis=0), a, -inf), axis=1)",
    ),
    Case(
        "top_k",
        "a: F64[5, 2]",
        "[3, 2]",
        "v * v",
        ["let (v, i) = top_k(a, k=3, axis=0)"],
    ),
]

SHAPES = [
    Case("reshape", "a: F64[2, 3]", "[3, 2]", "reshape(a * a, [3, 2])"),
    Case("transpose", "a: F64[2, 3, 4]", "[4, 2, 3]", "transpose(a, perm=[2, 0, 1])"),
    Case("broadcast", "a: F64[3, 1]", "[2, 3, 4]", "broadcast(a, [2, 3, 4])"),
    Case("broadcast of a unit", "a: F64[1, 3]", "[1, 1, 3]", "broadcast(a, [1, 1, 3])"),
    Case("broadcast of a scalar", "a: F64[]", "[2, 2]", "broadcast(a, [2, 2])"),
    Case(
        "concat",
        "a: F64[2, 1], b: F64[2, 3]",
        "[2, 5]",
        "concat(a, b, a, axis=1)",
    ),
    Case("slice", "a: F64[4, 3]", "[2, 1]", "slice(a, at=[1, 2], size=[2, 1])"),
    *(
        Case(
            f"slice at {i}",
            "a: F64[5], i: I64[]",
            "[3]",
            "slice(a, at=[i], size=[3])",
            (),
            {"i": i},
        )
        for i in (-7, 1, 9)
    ),
    Case(
        "two slices", "a: F64[5]", "[3]", "slice(a, at=[0], size=[3]) * slice(a, at=[2], size=[3])"
    ),
    Case("an element", "a: F64[4, 3], i: I64[]", "[3]", "a[i] * a[1]", given={"i": 1}),
    *(
        Case(
            f"update at {i}",
            "a: F64[5], b: F64[2], i: I64[]",
            "[5]",
            "update(a * a, b * b, at=[i])",
            (),
            {"i": i},
        )
        for i in (-7, 1, 9)
    ),
    Case("update with itself", "a: F64[4]", "[4]", "update(a, slice(a, at=[0], size=[2]), at=[1])"),
    Case(
        "pad",
        "a: F64[2, 2], v: F64[]",
        "[3, 5]",
        "pad(a, low=[1, 0], high=[0, 3], value=v)",
    ),
    Case("pad of nothing", "a: F64[2], v: F64[]", "[2]", "pad(a, low=[0], high=[0], value=v)"),
    Case(
        "gather",
        "a: F64[4, 2], ids: I64[2, 3]",
        "[2, 3, 2]",
        "gather(a, ids)",
        given={"ids": [[1, 1, 0], [1, -5, 9]]},
    ),
    Case(
        "gather of numbers",
        "a: F64[4], ids: I32[3]",
        "[3]",
        "gather(a, ids)",
        (),
        {"ids": [2, 0, 2]},
    ),
    Case("gather by one", "a: F64[4, 2], id: I64[]", "[2]", "gather(a, id)", given={"id": 3}),
    Case(
        "gather of two uses",
        "a: F64[3, 2], ids: I64[2]",
        "[2, 2]",
        "gather(a, ids) * slice(a, at=[1, 0], size=[2, 2])",
        given={"ids": [2, 2]},
    ),
]

LOOPS = [
    Case("for", "a: F64[3]", "[3]", "for i in 0..4 with h = a { yield sin(h) * a }"),
    Case(
        "with its index",
        "a: F64[3]",
        "[3]",
        "for i in 2..5 with h = a { yield h * a + broadcast(cast(i, F64)) }",
    ),
    Case(
        "over the layers of a record's tensors",
        "w: F64[3, 2, 2], x: F64[2, 2]",
        "[2, 2]",
        "for i in 0..3 with h = x { yield tanh(h @ w[i]) + h }",
    ),
    Case(
        "nested",
        "a: F64[2], w: F64[3]",
        "[2]",
        "for i in 0..3 with h = a { let u = for j in 1..3 with u = h"
        " { yield sin(u) * broadcast(w[j] + w[i]) } yield u + h }",
    ),
    Case(
        "an untouched carry",
        "a: F64[2], b: F64[2]",
        "[2]",
        "h * k",
        ["let (h, k) = for i in 0..3 with h = a, k = b { yield (h * k, k) }"],
    ),
    Case(
        "carries that change places",
        "a: F64[2], b: F64[2]",
        "[2]",
        "h * h * k",
        ["let (h, k) = for i in 0..3 with h = a, k = b { yield (k, h * 2.0) }"],
    ),
    Case(
        "one value yielded twice",
        "a: F64[2], b: F64[2]",
        "[2]",
        "h * k",
        ["let (h, k) = for i in 0..2 with h = a, k = b { let s = h * k yield (s, s) }"],
    ),
    Case(
        "an outer value yielded",
        "a: F64[2], b: F64[2]",
        "[2]",
        "h * k",
        ["let (h, k) = for i in 0..2 with h = a, k = b { yield (b, k * h) }"],
    ),
    Case(
        "an integer carry",
        "a: F64[4]",
        "[]",
        "h",
        [
            "let (h, n) = for i in 0..3 with h = full([], 0.0, dtype=F64), n = 0 {",
            "  yield (h * 0.5 + a[n] * a[n], n + 1) }",
        ],
    ),
    Case(
        "a result that is not used",
        "a: F64[2]",
        "[2]",
        "h",
        ["let (h, k) = for i in 0..3 with h = a, k = a { yield (h * a, k * h) }"],
    ),
    Case("of no iteration", "a: F64[2]", "[2]", "for i in 3..1 with h = a { yield h * a }"),
    Case("of one iteration", "a: F64[2]", "[2]", "for i in 3..4 with h = a { yield h * a }"),
    Case(
        "with update",
        "a: F64[4]",
        "[4]",
        "for i in 1..4 with h = a { yield update(h, slice(h, at=[i - 1], size=[1])"
        " * slice(a, at=[i], size=[1]), at=[i]) }",
    ),
    Case(
        "with gather and top_k",
        "a: F64[3, 2], ids: I64[2]",
        "[2, 2]",
        "for i in 0..2 with h = gather(a, ids) { let (v, j) = top_k(h, k=1, axis=1)"
        " yield h * broadcast(v, [2, 2]) + gather(a, ids) }",
        given={"ids": [1, 1]},
    ),
    Case(
        "a constant is carried first",
        "a: F64[3]",
        "[3]",
        "for i in 0..3 with h = full([3], 1.0, dtype=F64) { yield h * a }",
    ),
    Case(
        "beside a while that has no part in it",
        "a: F64[3], n: I64[]",
        "[3]",
        "a * broadcast(cast(k, F64))",
        ["let k = while k < n with k = 1 { yield k + k }"],
        {"n": 7},
    ),
]

CASES = [*ELEMENTWISE, *PRODUCTS, *REDUCTIONS, *SHAPES, *LOOPS]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_gradient_is_the_slope(case: Case) -> None:
    assert_gradient(signatures(program(case)), case.given, {})


OPEN = [
    Case("elementwise", "a: F64[S, 2]", "[S, 2]", "sin(a) * a"),
    Case("product", "a: F64[S, 3], w: F64[3, 2]", "[S, 2]", "a @ w"),
    Case("product over it", "a: F64[2, S], b: F64[S, 2]", "[2, 2]", "a @ b"),
    Case("sum", "a: F64[S, 2]", "[2]", "sum(a * a, axis=0)"),
    Case("max", "a: F64[S, 2]", "[S]", "max(a, axis=1)"),
    Case("softmax", "a: F64[2, S]", "[2, S]", "softmax(a, axis=1)"),
    Case("broadcast", "a: F64[2], b: F64[S]", "[S, 2]", "broadcast(a, [S, 2])"),
    Case("concat", "a: F64[S], b: F64[2]", "[S + 2]", "concat(a, b, axis=0)"),
    Case("reshape", "a: F64[S, 2]", "[2 * S]", "reshape(a, [2 * S])"),
    Case("pad", "a: F64[S], v: F64[]", "[S + 3]", "pad(a, low=[1], high=[2], value=v)"),
    Case("slice", "a: F64[S + 2]", "[S]", "slice(a, at=[1], size=[S])"),
    Case("gather", "a: F64[3, 2], x: F64[S]", "[S, 2]", "gather(a, iota([S], axis=0))"),
    Case("for", "a: F64[S], b: F64[2]", "[2]", "for i in 0..S with h = b { yield sin(h) * b }"),
    Case("for of less", "a: F64[S], b: F64[2]", "[2]", "for i in 2..S with h = b { yield h * b }"),
]


@pytest.mark.parametrize("case", OPEN, ids=str)
def test_the_gradient_with_an_open_dimension(case: Case) -> None:
    made = signatures(program(case, "[S]", "[S in 0..4]"))
    for size in (0, 1, 2, 4):
        assert_gradient(made, case.given, {"S": size})


def test_max_over_an_open_axis() -> None:
    case = Case("max", "a: F64[S, 2]", "[2]", "max(a, axis=0)")
    made = signatures(program(case, "[S]", "[S in 1..4]"))
    for size in (1, 2, 4):
        assert_gradient(made, {}, {"S": size})


LLAMA = Path(__file__).absolute().parents[2] / "kina/models/llama.kina"
SMALL_LLAMA = """
import "llama.kina" with L = 3, D = 8, H = 4, G = 2, Dh = 2, F = 12, V = 16,
    eps = 1e-5, rope_base = 10000.0

// -log of the probability of the next token.
reverseMode fn surprise[T, S](w: Weights, tokens: I64[T], next: I64[],
                              k_past: F64[L, G, S, Dh], v_past: F64[L, G, S, Dh]) -> F64[] {
  let (logits, k, v) = forward(w, tokens, T, k_past, v_past)
  return log(sum(exp(logits), axis=0)) - logits[next]
}
export loss = surprise[T = 5, S in 0..4]
"""


@pytest.mark.parametrize("size", [0, 3])
def test_a_small_llama(size: int) -> None:
    """A loop over layers that writes a cache and reads it; by its weights and by the cache before."""
    made = signatures(SMALL_LLAMA, llama=LLAMA.read_text(encoding="utf-8").replace("F32", "F64"))
    # Its fifth derivatives are of magnitude 1e5, so the step is smaller.
    assert_gradient(made, {"tokens": [1, 3, 3, 7, 0], "next": 3}, {"S": size}, step=1e-4)


# One operand, its values, the derivative of the sum of what comes out.
TIES = [
    ("max(a, 1.0)", [0, 1, 2], [0, 1, 1]),
    ("max(1.0, a)", [0, 1, 2], [0, 0, 1]),
    ("min(a, 1.0)", [0, 1, 2], [1, 1, 0]),
    ("min(1.0, a)", [0, 1, 2], [1, 0, 0]),
    ("max(a, 0.0)", [-0.0, 0.0, np.nan], [1, 1, 1]),
    ("max(reshape(a, [1, 3]), axis=1)", [2, 2, 1], [1, 0, 0]),
    ("max(reshape(a, [1, 3]), axis=1)", [-0.0, 0.0, 0.0], [1, 0, 0]),
    ("min(reshape(a, [1, 3]), axis=1)", [2, 1, 1], [0, 1, 0]),
    ("max(reshape(a, [1, 3]), axis=1)", [1, np.nan, np.nan], [0, 1, 0]),
    ("max(reshape(concat(a, a, axis=0), [1, 2, 3]), axis=[1, 2])", [1, 3, 3], [0, 1, 0]),
    ("max(reshape(a, [3, 1]), axis=1)", [5, 5, 5], [1, 1, 1]),
    ("abs(a)", [-2, 0, 3], [-1, 0, 1]),
    ("a % 2.0", [-3, 2, 3], [1, 1, 1]),
    ("softmax(a, axis=0)", [-np.inf, -np.inf, -np.inf], [0, 0, 0]),
]


@pytest.mark.parametrize(("value", "at", "expected"), TIES)
def test_ties_and_kinks(value: str, at: Sequence[float], expected: Sequence[float]) -> None:
    """A tie goes to the lowest index; the first NaN counts as the largest, as for argmax."""
    text = f"reverseMode fn f(a: F64[3]) -> F64[] {{ return sum({value}, axis=0) }}\nexport f"
    (_, found) = results(text, np.array(at, np.float64))
    assert found.tolist() == list(expected)


def test_a_tie_over_two_axes_goes_to_the_first_in_row_major_order() -> None:
    text = """reverseMode fn f(a: F64[2, 3]) -> F64[] { return max(a, axis=[0, 1]) }
    export f"""
    (_, found) = results(text, np.array([[0, 1, 4], [4, 4, 2]], np.float64))
    assert found.tolist() == [[0, 0, 1], [0, 0, 0]]


def test_equal_elements_of_top_k_go_to_the_lower_index() -> None:
    text = """reverseMode fn f(a: F64[4]) -> F64[] {
      let (v, i) = top_k(a, k=2, axis=0)
      return v[0] * 10.0 + v[1]
    }
    export f"""
    (_, found) = results(text, np.array([1.0, 7, 7, 7]))
    assert found.tolist() == [0, 10, 1, 0]


@pytest.mark.parametrize("dtype", ["F16", "BF16", "F32"])
def test_cotangents_have_the_dtypes_of_their_values(dtype: str) -> None:
    """mean(x * y) over 4 with y = 8: exactly 2 for each, and x / 4 for y."""
    text = f"""reverseMode fn f(x: {dtype}[4], y: F64[4]) -> F64[] {{
      return mean(cast(x, F64) * y, axis=0)
    }}
    export f
    reverseMode fn g(x: {dtype}[4]) -> {dtype}[] {{ return mean(x * x, axis=0) }}
    export g"""
    made = signatures(text)
    x = np.array([1, 2, 3, 4]).astype(DTYPES[dtype])
    _, by_x, by_y = interpret(made["f_gradient"].module, [x, np.full(4, 8.0)])
    assert by_x.dtype == x.dtype and by_x.tolist() == [2, 2, 2, 2]
    assert by_y.tolist() == [0.25, 0.5, 0.75, 1]
    value, by_x = interpret(made["g_gradient"].module, [x])
    assert value.dtype == by_x.dtype == x.dtype
    assert by_x.tolist() == [0.5, 1, 1.5, 2]


def test_the_mean_of_more_than_an_f16_can_count() -> None:
    text = "reverseMode fn f(x: F16[131072]) -> F16[] { return mean(x, axis=0) * 1024.0 }\nexport f"
    _, found = results(text, np.ones(131072, np.float16))
    assert set(found.tolist()) == {2.0**-7}


def test_records_and_integers() -> None:
    """Float tensors of records in order; integers and Bools have no cotangent."""
    text = """record W { a: F64[2] n: I64[] b: F64[] }
    fn scaled(w: W) -> F64[2] { return w.a * broadcast(w.b * cast(w.n, F64)) }
    reverseMode fn f(on: Bool[2], w: W, x: F64[2]) -> F64[] {
      return sum(select(on, scaled(w), x), axis=0)
    }
    export f"""
    made = signatures(text)
    assert [one.shape for one in made["f_gradient"].signature.results] == [(), (2,), (), (2,)]
    assert made["f_gradient"].signature.parameters == made["f"].signature.parameters
    on, a, n, b, x = (
        np.array([True, False]),
        np.array([2.0, 5]),
        np.array(3),
        np.array(0.5),
        np.ones(2),
    )
    value, by_a, by_b, by_x = interpret(made["f_gradient"].module, [on, a, n, b, x])
    assert value == 2 * 0.5 * 3 + 1
    assert by_a.tolist() == [1.5, 0] and by_b == 6 and by_x.tolist() == [0, 1]


def test_what_a_loop_does_not_need_is_not_kept() -> None:
    """The sum's own value has no part in its slope; that of the product has."""
    text = """reverseMode fn f(a: F64[2]) -> F64[] {
      let (s, p) = for i in 0..5 with s = a, p = a { yield (s + p, p * a) }
      return sum(s + p, axis=0)
    }
    export f"""
    module = signatures(text)["f_gradient"].module
    first, second = (op for op in module.walk() if isinstance(op, kina.ForOp))
    assert len(first.carry) == 3
    shapes = [value.type.get_shape() for value in first.carry]
    assert shapes == [(2,), (2,), (5, 2)]
    assert len(second.carry) == 3


@pytest.mark.parametrize("case", LOOPS, ids=str)
def test_simplified_gradients_keep_their_bits_and_repeat(case: Case) -> None:
    loss, gradient = signatures(program(case)).values()
    made = differentiate(loss.module, "made")
    made.verify()
    values = arguments(loss, case.given, {})
    before = [x.tobytes() for x in interpret(made, values)]
    assert [x.tobytes() for x in interpret(gradient.module, values)] == before
    again = signatures(program(case))["loss_gradient"].module
    assert str(again) == str(gradient.module)
    simplify(again)
    assert str(again) == str(gradient.module)


def test_every_operation_has_a_rule_or_gives_no_float() -> None:
    """Others make integers or Bools, or take nothing that a derivative is taken by."""
    without = {
        kina.NotOp,
        kina.IsnanOp,
        kina.IsinfOp,
        kina.AndOp,
        kina.OrOp,
        kina.CompareOp,
        kina.ArgmaxOp,
        kina.ConstantOp,
        kina.IotaOp,
        kina.SizeOp,
        kina.YieldOp,
    }
    assert {*Kina.operations} == {*RULES} | without
    assert without.isdisjoint(RULES)


def results(text: str, *values: Array) -> tuple[Array, ...]:
    return interpret(signatures(text)["f_gradient"].module, values)
