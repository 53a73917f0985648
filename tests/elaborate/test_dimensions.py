"""Dimensions, constants and the inference of generic dimensions. Expectations by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from mpmath import mp, mpf
from written import body, checked, diagnostics, errors, the_error

from kina.dialect import ops


def result_shape(text: str) -> tuple[int, ...]:
    return checked(text)["f"].signature.results[0].shape


def number(expression: str, declarations: str = "", result: str = "F32[]") -> float:
    """The constant that an expression becomes."""
    module: Any = checked(declarations + "\n" + body(result, f"return {expression}"))["f"].module
    (constant,) = [op for op in module.walk() if isinstance(op, ops.ConstantOp)]
    return float(constant.number)


@pytest.mark.parametrize(
    ("size", "value"),
    [
        ("A + B * 2", 11),
        ("(A + B) * 2", 14),
        ("B - A", 1),
        ("A * B / 2", 6),
        ("-A + 5", 2),
        ("12 / B / A", 1),
        ("LATER", 24),
    ],
)
def test_dimension_arithmetic(size: str, value: int) -> None:
    text = "dim A = 3, B = A + 1, LATER = DEFINED * 2 dim DEFINED = 12\n"
    assert result_shape(text + body(f"F32[{size}]", f"return full([{size}], 1.0)")) == (value,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dim A = 7 / 2", "1:9: non-divisible dimension: 7 / 2 is no whole number"),
        ("dim D = 5, H = 2, Dh = D / H", "1:24: non-divisible dimension: 5 / 2 is no whole number"),
        ("dim A = 1 / 0", "1:9: 1 / 0 has no value"),
        ("dim A = A", "1:5: 'A' depends on itself"),
        ("dim A = 1.5", "1:9: a dimension is made of whole numbers, dimensions and + - * /"),
        (
            "dim A = 5 % 2",
            "1:11: a dimension is made of whole numbers, dimensions and + - * /, not",
        ),
        (
            "dim A = 1 < 2",
            "1:11: a dimension is made of whole numbers, dimensions and + - * /, not",
        ),
        ("dim A = sqrt(4)", "1:9: a dimension is made of whole numbers, dimensions and + - * /"),
        ("dim A = true", "1:9: a dimension is made of whole numbers, dimensions and + - * /"),
        ("dim A = [1]", "1:9: a dimension is made of whole numbers, dimensions and + - * /"),
        ("const e: F32 = 1.0 dim A = e", "1:28: expected a dimension, found a constant 'e'"),
        (
            "dim A = 9223372036854775807 + 1",
            "1:9: 9223372036854775807 + 1 is out of the range of I",
        ),
        (
            "dim A = -9223372036854775807 - 1, B = -A",
            "1:39: -(-9223372036854775808) is out of the range of I64",
        ),
        (
            "dim A = (-9223372036854775807 - 1) / -1",
            "1:9: -9223372036854775808 / -1 is out of the range of I64",
        ),
        (
            "dim A = 3 record R { a: F32[A - 3] }",
            "1:29: expected a size of at least 1, found A - 3 = 0",
        ),
        ("dim A = 1000000 record R { a: F32[A, A, A] }", "1:31: F32[1000000, 1000000, 1000000] is"),
        ("const e: F32 = x", "1:16: unknown name 'x'"),
        ("const e: I64 = 1.5", "1:16: expected an I64 value, found 1.5"),
        ("const e: I8 = 128", "1:15: I8 holds -128 to 127, found 128"),
        ("const e: F16 = 1e5", "1:16: F16 holds -65504 to 65504, found 100000.0"),
        ("const e: Bool = 1", "1:17: expected a Bool value, found 1"),
        ("const e: F32 = e", "1:7: 'e' depends on itself"),
        ("const e: F32 = 1.0 / 0", "1:16: 1.0 / 0 has no value; write inf or nan where that is"),
        ("const e: F32 = tanh(1.0)", "1:16: expected a value that is known at compile time"),
        ("const e: F32 = 1.0 @ 2.0", "1:20: '@' takes tensors, not constants"),
    ],
)
def test_what_has_no_value(text: str, message: str) -> None:
    assert the_error(text).startswith(message)


def test_dimensions_in_a_circle() -> None:
    (found,) = errors("dim B = C, C = A, D = B, A = B")
    assert found == "1:5: 'B' depends on itself: B needs C needs A needs B"


def test_a_size_that_does_not_divide_in_a_function_names_the_call() -> None:
    found = diagnostics("""
fn half[S](x: F32[S]) -> F32[S / 2] {
  return slice(x, at=[0], size=[S / 2])
}
fn f(x: F32[7]) -> F32[3] {
  return half(x)
}
export f""")
    (diagnostic,) = found
    assert diagnostic.message == "non-divisible dimension: 7 / 2 is no whole number"
    assert str(diagnostic.span).rsplit(":", 2)[1:] == ["2", "30"]
    notes = [(str(n.span).rsplit(":", 2)[1], n.message) for n in diagnostic.notes if n.span]
    assert notes == [("6", "half is called here with S = 7"), ("8", "for the export f")]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1.0 / sqrt(64)", 0.125),
        ("eps", 1e-5),
        ("eps * 2", 2e-5),
        ("half + 1", 1.5),
        ("D / 2", 3.0),
        ("-inf", -math.inf),
        ("7 % 4 - 10", -7.0),
        ("-7 % 4", -3.0),
        ("7.5 % 2", 1.5),
        ("exp(0)", 1.0),
        ("log(0)", -math.inf),
        ("rsqrt(0)", math.inf),
        ("sqrt(inf)", math.inf),
        ("exp(-inf)", 0.0),
        ("exp(1000)", math.inf),
        ("rsqrt(inf)", 0.0),
        ("log(inf)", math.inf),
    ],
)
def test_constants_are_computed_at_compile_time(expression: str, value: float) -> None:
    declarations = "dim D = 6 const eps: F32 = 1e-5, half: F32 = 1.0 / 2"
    assert number(expression, declarations, "F64[]") == value


@pytest.mark.parametrize("x", [0.1, 1.0, 2.0, 3.5, 1e5, 1e-300, 700.0])
@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "rsqrt"])
def test_functions_of_constants_are_correctly_rounded(name: str, x: float) -> None:
    mp.dps = 60
    exact = {"exp": mp.exp, "log": mp.log, "sqrt": mp.sqrt, "rsqrt": lambda v: 1 / mp.sqrt(v)}
    assert number(f"{name}({x!r})", result="F64[]") == float(exact[name](mpf(x)))


@pytest.mark.parametrize("expression", ["sqrt(-1)", "log(-1)", "rsqrt(-1)", "exp(nan)", "log(nan)"])
def test_functions_outside_their_domain_give_nan(expression: str) -> None:
    assert math.isnan(number(expression, result="F64[]"))


def test_a_constant_is_rounded_once_to_the_dtype_that_asks() -> None:
    # 1 + 2^-24 + 2^-50 rounds up to 1 + 2^-23 in F32; by way of another rounding it would not.
    value = 1 + 2.0**-24 + 2.0**-50
    assert number("e", f"const e: F64 = {value!r}", "F32[]") == 1 + 2.0**-23
    assert number("e", f"const e: F32 = {value!r}", "F64[]") == value


def test_generic_dimensions_are_inferred() -> None:
    text = """
        dim D = 4
        fn shorter[S](x: F32[S + 1, D]) -> F32[S, D] { return slice(x, at=[0, 0], size=[S, D]) }
        fn halves[N](x: F32[2 * N]) -> F32[N, 2] { return reshape(x, [N, 2]) }
        fn thirds[N](x: F32[N / 3]) -> F32[N] { return concat(x, x, x, axis=0) }
        fn both[A, B](x: F32[A], y: F32[A + B]) -> F32[B] { return slice(y, at=[0], size=[B]) }
        fn f(x: F32[6, D], y: F32[10]) -> (F32[5, D], F32[5, 2], F32[30], F32[6]) {
          return (shorter(x), halves(y), thirds(y), both(full([4], 0.0), y))
        }
        export f
    """
    shapes = [r.shape for r in checked(text)["f"].signature.results]
    assert shapes == [(5, 4), (5, 2), (30,), (6,)]


@pytest.mark.parametrize(
    ("function", "call", "message"),
    [
        ("g[N](x: F32[2 * N])", "g(full([7], 1.0))", "g expects the size 2 * N, found 7"),
        ("g[N](x: F32[N + 3])", "g(full([3], 1.0))", "g expects the size N + 3, found 3"),
        ("g[N](x: F32[N * N])", "g(full([4], 1.0))", "the arguments of g leave its dimension N o"),
        ("g[N](x: F32[2])", "g(full([2], 1.0))", "the arguments of g leave its dimension N open"),
        (
            "g[N](x: F32[N, N])",
            "g(full([2, 3], 1.0))",
            "g has one size N, found 2 and 3",
        ),
        ("g[N](x: F32[N])", "g(1.0)", "g expects 'x' to be F32[N], found 1.0"),
        ("g[N](x: F32[N])", "g[N = 3](full([2], 1.0))", "g expects 'x' to be F32[N = 3], found F3"),
        ("g[N](x: F32[N])", "g[N = 0](full([2], 1.0))", "expected a size of at least 1, found 0"),
        ("g[N](x: F32[N])", "g(full([2, 2], 1.0))", "g expects 'x' to be F32[N], found F32[2, 2]"),
        ("g(x: F32[2])", "g(full([3], 1.0))", "g expects 'x' to be F32[2], found F32[3]"),
        ("g(x: F32[2])", "g(full([2], 1))", "g expects 'x' to be F32[2], found I64[2]"),
        ("g(x: F32[2])", "g(1.0)", "g expects 'x' to be F32[2], found 1.0"),
        ("g(x: I64[])", "g(1.5)", "expected an I64 value, found 1.5"),
    ],
)
def test_arguments_that_do_not_fit(function: str, call: str, message: str) -> None:
    text = f"""fn {function} -> F32[] {{ return 1.0 }}
        fn f() -> F32[] {{ return {call} }}
        export f"""
    assert the_error(text).split(": ", 1)[1].startswith(message)


def test_an_argument_that_does_not_fit_names_the_parameter() -> None:
    (diagnostic,) = diagnostics("""fn g(x: F32[2]) -> F32[2] { return x }
fn f(y: F32[3]) -> F32[2] { return g(y) }
export f""")
    assert str(diagnostic.span).rsplit(":", 2)[1:] == ["2", "38"]
    note = diagnostic.notes[0]
    assert note.message == "'x' is declared here" and str(note.span).rsplit(":", 2)[1] == "1"


def test_explicit_dimensions_bind_what_arguments_cannot() -> None:
    text = """
        fn zeros[N]() -> F32[N] { return full([N], 0.0) }
        fn twice[M](x: F32[M]) -> F32[2 * M] { return zeros[N = 2 * M]() }
        fn f(x: F32[3]) -> F32[6] { return twice(x) }
        export f
    """
    assert result_shape(text) == (6,)


def test_each_export_has_its_own_sizes_and_one_error() -> None:
    program = """
fn f[S](x: F32[S]) -> F32[S + 1] {
  let y = x + full([3], 1.0)
  return concat(y, full([1], 0.0), axis=0)
}
export f2 = f[S = 2]
export f3 = f[S = 3]
export f4 = f[S = 4]
"""
    (diagnostic,) = diagnostics(program)  # one place, said once, with the export that found it
    assert diagnostic.message == "'+' takes operands of one shape, found F32[S = 2] and F32[3]"
    assert [note.message for note in diagnostic.notes] == ["for the export f2"]
    good = program.replace("full([3], 1.0)", "full([S], 1.0)")
    shapes = [e.signature.results[0].shape for e in checked(good).values()]
    assert shapes == [(3,), (4,), (5,)]


def test_records_nest_and_repeat() -> None:
    text = """
        dim L = 3, E = 2, D = 4
        record Expert { up: F32[D, D] bias: F32[] }
        record Layer { gain: F32[D] experts: Expert[E] one: Expert }
        record Weights { layers: Layer[L], last: Layer }
        fn pick(e: Expert) -> F32[D] { return e.up[0] + broadcast(e.bias) }
        fn row(layer: Layer, n: I64[]) -> F32[D] {
          return pick(layer.experts[n]) + pick(layer.one) + layer.gain
        }
        fn f(w: Weights, n: I64[]) -> (F32[D], F32[L, D], F32[L, E, D, D]) {
          let a = row(w.layers[n], n) + row(w.last, 1) + pick(w.layers[0].experts[n])
          let b = pick(w.layers[n, n]) + pick(w.last.experts[0])
          return (a + w.layers.experts.up[0, 1, 2], w.layers.gain, w.layers.experts.up)
        }
        export f
    """
    found = errors(text)
    assert len(found) == 1 and found[0].endswith("expected at most 1 indices, found 2 for Layer[3]")
    signature = checked(text.replace("w.layers[n, n]", "w.layers[n].experts[n]"))["f"].signature
    assert [(p.name, p.shape) for p in signature.parameters] == [
        ("w.layers.gain", (3, 4)),
        ("w.layers.experts.up", (3, 2, 4, 4)),
        ("w.layers.experts.bias", (3, 2)),
        ("w.layers.one.up", (3, 4, 4)),
        ("w.layers.one.bias", (3,)),
        ("w.last.gain", (4,)),
        ("w.last.experts.up", (2, 4, 4)),
        ("w.last.experts.bias", (2,)),
        ("w.last.one.up", (4, 4)),
        ("w.last.one.bias", ()),
        ("n", ()),
    ]


def test_a_record_is_no_other_record() -> None:
    text = """
        record A { x: F32[2] }  record B { x: F32[2] }
        fn g(a: A) -> F32[2] { return a.x }
        fn f(%s) -> F32[2] { return g(b) }
        export f
    """
    for type_, said in (
        ("b: B", "the record B"),
        ("b: A[2]", "the record A[2]; one of them is b[i]"),
        ("b: F32[2]", "F32[2]"),
    ):
        assert the_error(text % type_).endswith(f"g expects 'a' to be A, found {said}")
