"""Errors that need no sizes: unknown names, forms of calls, duplicates. Expectations by hand."""

from __future__ import annotations

import pytest
from written import body, checked, diagnostics, errors, the_error

RECORDS = """
dim L = 2, D = 4
record Layer { wq: F32[D, D] gain: F32[D] }
record Weights { embed: F32[D] layers: Layer[L] }
"""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("return wieght", "2:8: unknown name 'wieght'; did you mean 'weight'?"),
        ("return zzz", "2:8: unknown name 'zzz'"),
        ("return exq(weight)", "2:8: unknown function 'exq'; did you mean 'exp'?"),
        (
            "return softmx(weight, axis=0)",
            "2:8: unknown function 'softmx'; did you mean 'softmax'?",
        ),
        ("return weight(1)", "2:8: expected a function, found the value 'weight'"),
        ("return exp", "2:8: expected a value; 'exp' is called as exp(x)"),
        ("return F32", "2:8: expected a value, found the dtype F32"),
        ("return f", "2:8: expected a value, found a function 'f'"),
        ("return placeholder", "2:8: placeholder stands for an argument of a function that main"),
        ("return f(...)", "2:8: '...' stands for the placeholders of a call in main"),
    ],
)
def test_unknown_names(line: str, message: str) -> None:
    found = the_error(body("F32[4]", line, parameters="weight: F32[4]"))
    assert found.startswith(message)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("exp(x, x)", "exp takes 1 operand, found 2: exp(x)"),
        ("exp()", "exp takes 1 operand, found 0: exp(x)"),
        ("pow(x)", "pow takes 2 operands, found 1: pow(a, b)"),
        ("select(x, x)", "select takes 3 operands, found 2: select(condition, a, b)"),
        ("max(x, x, x)", "max takes 1 to 2 operands, found 3: max(a, b) or max(x, axis=0)"),
        ("concat(axis=0)", "concat takes at least 1 operand, found 0: concat(a, b, axis=0)"),
        ("softmax(x)", "softmax needs axis=: softmax(x, axis=-1)"),
        ("sum(x)", "sum needs axis=: sum(x, axis=0) or sum(x, axis=[0, 1], keepdims=true)"),
        ("argmax(x)", "argmax needs axis=: argmax(x, axis=-1)"),
        ("top_k(x, axis=0)", "top_k needs k=: top_k(x, k=2, axis=-1)"),
        ("slice(x, at=[0])", "slice needs size=: slice(x, at=[0, 0], size=[1, 2])"),
        ("softmax(x, axs=0)", "softmax has no keyword 'axs'; did you mean 'axis'?; it is called"),
        ("softmax(x, axis=0, axis=0)", "'axis' is given twice"),
        ("softmax(axis=0, x)", "operands come before keywords: softmax(x, axis=-1)"),
        ("exp[T = 1](x)", "exp is an operation and takes no dimensions"),
        ("exp(...)", "'...' stands for arguments of a function"),
    ],
)
def test_forms_of_operations(call: str, message: str) -> None:
    found = the_error(body("F32[4]", f"return {call}", parameters="x: F32[4]"))
    assert found.split(": ", 1)[1].startswith(message)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("g(x)", "g takes 2 arguments, found 1: g(a, b)"),
        ("g(x, x, x)", "g takes 2 arguments, found 3: g(a, b)"),
        ("g(x, b=x)", "g takes its arguments in order, without keywords"),
        ("g[N = 1](x, x)", "g has no dimension 'N'"),
        ("h[NN = 1](x)", "h has no dimension 'NN'; did you mean 'N'?"),
        ("h[N = Q](x)", "unknown dimension 'Q'"),
        ("h[N = 4, N = 4](x)", "duplicate name 'N'"),
    ],
)
def test_forms_of_calls(call: str, message: str) -> None:
    text = f"""
        fn g(a: F32[4], b: F32[4]) -> F32[4] {{ return a + b }}
        fn h[N](a: F32[N]) -> F32[N] {{ return a }}
        fn f(x: F32[4]) -> F32[4] {{ return {call} }}
        export f
    """
    assert the_error(text).split(": ", 1)[1].startswith(message)


def test_functions_that_no_export_reaches_are_checked_too() -> None:
    found = errors("""
fn generic[S](x: F32[S]) -> F32[S] {
  let y = nothing
  return z
}
fn plain(x: F32[4]) -> F32[4] { return x + 1 + full([5], 1.0) }
""")
    assert found == ["3:11: unknown name 'nothing'", "4:10: unknown name 'z'"]
    found = errors("fn plain(x: F32[4]) -> F32[4] { return x + full([5], 1.0) }")
    assert found == ["1:42: '+' takes operands of one shape, found F32[4] and F32[5]"]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("dim A = 1, A = 2", ["1:12: duplicate name 'A'"]),
        ("dim a = 1 const a: F32 = 1.0", ["1:17: duplicate name 'a'"]),
        ("record R { a: F32[] a: F32[] }", ["1:21: duplicate name 'a'"]),
        ("fn f(x: F32[], x: F32[]) -> F32[] { return x }", ["1:16: duplicate name 'x'"]),
        ("fn f[S, S](x: F32[S]) -> F32[S] { return x }", ["1:9: duplicate name 'S'"]),
        (
            "dim S = 1 fn f[S](x: F32[S]) -> F32[S] { return x }",
            ["1:16: duplicate name 'S': it is a dimension already"],
        ),
        (
            "dim S = 1 fn f(S: F32[]) -> F32[] { return S }",
            ["1:16: duplicate name 'S': it is a dimension already"],
        ),
        (
            "const e: F32 = 1.0 fn f(x: F32[]) -> F32[] { let e = x return e }",
            ["1:50: duplicate name 'e': it is a constant already"],
        ),
        (
            "fn f[S](S: F32[]) -> F32[] { return S }",
            ["1:9: duplicate name 'S'"],
        ),
        ("fn f(x: F32[]) -> F32[] { let (a, a) = f(x) return x }", ["1:35: duplicate name 'a'"]),
        ("dim sum = 1", ["1:5: 'sum' is already the name of an operation"]),
        ("dim F32 = 1", ["1:5: 'F32' is already the name of a dtype"]),
        (
            "fn f(x: F32[]) -> F32[] { return x } fn f(x: F32[]) -> F32[] { return x }",
            ["1:41: duplicate name 'f'"],
        ),
        ("fn main() { } fn main() { }", ["1:18: duplicate name 'main'"]),
        (
            "fn f(x: F32[]) -> F32[] { return x } export f export f",
            ["1:54: duplicate name 'f'"],
        ),
        (
            "fn f(x: F32[]) -> F32[] { return x } fn g(x: F32[]) -> F32[] { return x } export f = g",
            ["1:82: duplicate name 'f': it is a function already"],
        ),
        (
            "fn f(x: F32[]) -> F32[] { return for i in 0..2 with i = x { yield i } }",
            ["1:53: duplicate name 'i'"],
        ),
        (
            "fn f(x: F32[]) -> F32[] { return while x < 1 with x = x, x = x { yield x } }",
            ["1:58: duplicate name 'x'"],
        ),
        (
            "dim N = 1 fn f(x: F32[]) -> F32[] { return while N < 1 with N = x { yield N } }",
            ["1:61: duplicate name 'N': it is a dimension already"],
        ),
    ],
)
def test_duplicate_names(text: str, messages: list[str]) -> None:
    found = errors(text)
    assert len(found) == len(messages)
    for one, message in zip(found, messages):
        assert one.startswith(message)


def test_a_duplicate_names_the_first() -> None:
    (diagnostic,) = diagnostics("dim A = 1\ndim A = 2")
    assert [(str(n.span).rsplit("/")[-1], n.message) for n in diagnostic.notes] == [
        ("program.kina:1:5", "it is declared here first")
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fn f(x: F23[]) -> F32[] { return x }", "1:9: unknown type 'F23'; did you mean 'F32'?"),
        ("fn f(x: Weigths) -> F32[] { return 1.0 }", "1:9: unknown type 'Weigths'; did you mean"),
        ("fn f(x: F32) -> F32[] { return x }", "1:9: expected a shape after F32; a scalar is writ"),
        ("fn f(x: F32[E]) -> F32[] { return 1.0 }", "1:13: unknown dimension 'E'"),
        ("fn f(x: F32[Layer]) -> F32[] { return 1.0 }", "1:13: expected a dimension, found a reco"),
        ("const e: F23 = 1.0", "1:10: expected a dtype, found 'F23'; did you mean 'F32'?"),
        ("const e: F32[] = 1.0", "1:10: a constant is a scalar; its type is written F32"),
        ("record R { r: R }", "1:8: the record R contains itself"),
        ("record R { r: S } record S { r: R[2] }", "1:8: the record R contains itself"),
        ("record R { }", "1:8: expected at least one field"),
        ("record R { r: Layers }", "1:15: unknown type 'Layers'; did you mean 'Layer'?"),
    ],
)
def test_types(text: str, message: str) -> None:
    (found, *_) = errors(text + RECORDS)
    assert found.startswith(message)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("w.embd", "the record Weights has no field 'embd'; did you mean 'embed'?"),
        ("w.layers[0].wk", "the record Layer has no field 'wk'; it has wq, gain"),
        ("w.layers.gian", "the record Layer has no field 'gian'; did you mean 'gain'?"),
        ("w.embed.x", "expected a record before '.x', found F32[D = 4]"),
        (
            "w + 1.0",
            "'+' expected a tensor, found the record Weights; its tensors are fields, as w.embed",
        ),
        (
            "exp(w.layers)",
            "exp expected a tensor, found the record Layer[2]; its tensors are fields, as w.layers.wq",
        ),
        (
            "exp(w.layers[0])",
            "exp expected a tensor, found the record Layer; its tensors are fields, as w.layers[0].wq",
        ),
    ],
)
def test_fields(expression: str, message: str) -> None:
    text = f"{RECORDS} fn f(w: Weights) -> F32[D] {{ return {expression} }} export f"
    assert the_error(text).split(": ", 1)[1] == message


def test_a_field_of_a_name_bound_by_let_is_checked_in_generic_functions() -> None:
    text = f"""{RECORDS}
fn f[S](w: Weights, x: F32[S]) -> F32[S] {{
  let layer = w.layers[0]
  return x + layer.gains
}}"""
    assert the_error(text).split(": ", 1)[1].startswith("the record Layer has no field 'gains'")


@pytest.mark.parametrize(
    ("export", "message"),
    [
        ("export g", "unknown function 'g'"),
        ("export free = f[S = 1]", "'free' names something that compiled code calls or brings"),
        ("export floorf = f[S = 1]", "'floorf' names something that compiled code calls"),
        ("export kina_manifest = f[S = 1]", "'kina_manifest' names something that compiled code"),
        ("export omp_get = f[S = 1]", "'omp_get' names something that compiled code calls or"),
        ("export _mlir_ciface_f = f[S = 1]", "'_mlir_ciface_f' names something that compiled"),
        ("export a = ff", "unknown function 'ff'; did you mean 'f'?"),
        ("export a = f", "export a leaves the dimension S of f without a value; write f[S = 1]"),
        ("export a = f[S = 1, T = 2]", "f has no dimension 'T'"),
        ("export a = f[S = 1, S = 2]", "duplicate name 'S'"),
        ("export a = f[S = D]", "unknown dimension 'D'"),
        ("export a = f[S = 0]", "expected a size of at least 1, found 0"),
        ("export a = f[S = 1 - 3]", "expected a size of at least 1, found 1 - 3 = -2"),
        ("export a = f[S = 1] donate(y)", "f has no parameter 'y'"),
        ("export a = f[S = 1] donate(x, x)", "duplicate name 'x'"),
    ],
)
def test_exports(export: str, message: str) -> None:
    text = f"fn f[S](x: F32[S]) -> F32[S] {{ return x }} {export}"
    assert the_error(text).split(": ", 1)[1].startswith(message)


def test_main_calls_exports_with_placeholders() -> None:
    text = """
        fn f[S](x: F32[S], n: I64[]) -> F32[S] { return x }
        export f3 = f[S = 3]
        fn main() { %s }
    """
    for call in (
        "f3(placeholder, ...)",
        "f3(...)",
        "f3(placeholder, placeholder)",
        "f[S = 4](...)",
        "f(full([5], 1.0), ...)",
        "let y = f3(...) f(y, 1)",
    ):
        checked(text % call)
    for call, message in (
        ("f3(placeholder)", "f takes 2 arguments, found 1: f(x, n)"),
        ("f(...)", "the arguments of f leave its dimension S open; give it: f[S = ...](...)"),
        ("f4(...)", "unknown function 'f4'; did you mean 'f'?"),
        ("exp(placeholder)", "placeholder stands for an argument of a function that main calls"),
        ("f3(full([4], 1.0), ...)", "f expects 'x' to be F32[S = 3], found F32[4]"),
    ):
        assert the_error(text % call).split(": ", 1)[1] == message


def test_only_main_calls_an_export() -> None:
    text = """fn f[S](x: F32[S]) -> F32[S] { return x }
export f3 = f[S = 3]
fn g(x: F32[3]) -> F32[3] { return f3(x) }"""
    assert the_error(text) == "3:36: only main calls an export; call f"


def test_independent_errors_come_together() -> None:
    found = errors("dim A = 7 / 2, B = A * C record R { x: F32[0] y: Nothing }")
    assert [message.split(": ")[0] for message in found] == ["1:9", "1:24", "1:44", "1:50"]


def test_independent_errors_of_one_function_come_together() -> None:
    found = errors(
        body(
            "F32[4]",
            "let a = x + full([5], 1.0)",
            "let b = a * 2",
            "let c = exp(full([4], 1))",
            "let d = c + b",
            "return d",
            parameters="x: F32[4]",
        )
    )
    assert [message.split(": ")[0] for message in found] == ["2:11", "4:13"]


def test_locals_may_be_called_as_operations_are() -> None:
    checked(body("F32[]", "let max = max(x, axis=0)", "return max", parameters="x: F32[4]"))
