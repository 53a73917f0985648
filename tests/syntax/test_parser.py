"""Trees and syntax errors. Expectations by hand, from the grammar in kina.syntax.parser."""

from __future__ import annotations

import pytest

from kina.syntax import tree
from kina.syntax.parser import parse
from kina.syntax.source import KinaError, SourceFile


def show(node: tree.Expression) -> str:
    """An expression with every grouping written out."""
    match node:
        case tree.Name(text=text):
            return text
        case tree.Number(value=value) | tree.Boolean(value=value):
            return str(value)
        case tree.Placeholder():
            return "placeholder"
        case tree.TupleExpression(parts=parts):
            return "(" + ", ".join(map(show, parts)) + ")"
        case tree.ListExpression(parts=parts):
            return "[" + ", ".join(map(show, parts)) + "]"
        case tree.Negation(operand=operand):
            return f"(-{show(operand)})"
        case tree.Binary(operator=operator, left=left, right=right):
            return f"({show(left)} {operator} {show(right)})"
        case tree.Call(callee=callee, dims=dims, arguments=arguments, rest=rest):
            bound = ", ".join(f"{b.name.text}={show(b.value)}" for b in dims)
            given = [
                (f"{a.keyword.text}=" if a.keyword else "") + show(a.value) for a in arguments
            ] + ["..."] * rest
            return f"{callee.text}" + (f"[{bound}]" if bound else "") + f"({', '.join(given)})"
        case tree.FieldAccess(base=base, field=field):
            return f"{show(base)}.{field.text}"
        case tree.IndexAccess(base=base, indices=indices):
            return f"{show(base)}[{', '.join(map(show, indices))}]"
        case tree.For(index=index, lower=lower, upper=upper, carry=carry):
            bound = ", ".join(f"{b.name.text}={show(b.value)}" for b in carry)
            return f"for {index.text} in {show(lower)}..{show(upper)} with {bound}"
        case tree.While(condition=condition, carry=carry):
            bound = ", ".join(f"{b.name.text}={show(b.value)}" for b in carry)
            return f"while {show(condition)} with {bound}"


def items(text: str) -> tuple[tree.Item, ...]:
    return parse(SourceFile("a.kina", text)).items


def expression(text: str) -> tree.Expression:
    (item,) = items(f"dim x = {text}")
    assert isinstance(item, tree.Dim) and item.value is not None
    return item.value


def errors(text: str) -> list[str]:
    with pytest.raises(KinaError) as caught:
        parse(SourceFile("a.kina", text))
    return [
        ":".join(map(str, d.span.source.line_and_column(d.span.start))) + ": " + d.message
        for d in caught.value.diagnostics
    ]


@pytest.mark.parametrize(
    ("text", "tree_"),
    [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a * b @ c / d % e", "((((a * b) @ c) / d) % e)"),
        ("-a @ b", "((-a) @ b)"),
        ("--a", "(-(-a))"),
        ("-a.b[1]", "(-a.b[1])"),
        ("a + b == c * d", "((a + b) == (c * d))"),
        ("(a == b) != c", "((a == b) != c)"),
        ("(a, (b), c)", "(a, b, c)"),
        ("f[T = 1](x)[i, j].g", "f[T=1](x)[i, j].g"),
        ("softmax(x, axis=3)", "softmax(x, axis=3)"),
        ("slice(x, at=[0, p + 1], size=[1, 2],)", "slice(x, at=[0, (p + 1)], size=[1, 2])"),
        ("f(placeholder, ...)", "f(placeholder, ...)"),
        ("f(...)", "f(...)"),
        ("inf - nan", "(inf - nan)"),
        ("for i in a + 1..n with k = a { yield k }", "for i in (a + 1)..n with k=a"),
        ("while a + 1 < n with a = 0, b = c { yield (a, b) }", "while ((a + 1) < n) with a=0, b=c"),
        ("while f(a) with a = b { yield a } + 1", "(while f(a) with a=b + 1)"),
    ],
)
def test_precedence(text: str, tree_: str) -> None:
    assert show(expression(text)) == tree_


def test_spans_cover_exactly_the_text() -> None:
    text = "dim x = f(a)  + (b * -c)[1]"
    node = expression(text.removeprefix("dim x = "))
    assert isinstance(node, tree.Binary)
    source = node.span.source.text

    def covered(part: tree.Expression) -> str:
        return source[part.span.start : part.span.end]

    assert covered(node) == "f(a)  + (b * -c)[1]"
    assert covered(node.left) == "f(a)"
    assert covered(node.right) == "(b * -c)[1]"
    assert isinstance(node.right, tree.IndexAccess)
    assert covered(node.right.base) == "(b * -c)"
    assert source[node.operator_span.start : node.operator_span.end] == "+"


def test_every_item() -> None:
    found = items("""
        import "llama.kina" with L = 30, eps = 1e-5
        dim B = 1, D = H * Dh, T
        const eps: F32 = 1e-5, base: F32
        record Weights { embed: F32[V, D]  layers: Layer[L], norm: F32[D] }
        fn f[S, T](w: Weights, x: F32[]) -> (F32[S], I64[]) {
          let y = x
          let (a, b) = g(y)
          return (a, b)
        }
        fn main() { f(placeholder, ...) }
        export f1 = f[S = 1, T = 2] donate(x, y)
        export f
    """)
    assert [type(item).__name__ for item in found] == [
        *("Import", "Dim", "Dim", "Dim", "Const", "Const", "Record"),
        *("Function", "Function", "Export", "Export"),
    ]
    import_, function, main, export = found[0], found[7], found[8], found[9]
    assert isinstance(import_, tree.Import) and import_.path == "llama.kina"
    assert [binding.name.text for binding in import_.bindings] == ["L", "eps"]
    assert isinstance(function, tree.Function)
    assert [g.text for g in function.generics] == ["S", "T"]
    assert [type(s).__name__ for s in function.body] == ["Let", "Let", "Return"]
    assert isinstance(main, tree.Function) and isinstance(main.body[0], tree.Evaluate)
    assert isinstance(export, tree.Export) and export.function.text == "f"
    assert [name.text for name in export.donated] == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "1:1: expected dim, const, part, record, fn, export or import, found 'x'"),
        ("dim", "1:4: expected the name of a dimension, found the end of the file"),
        ("dim for = 1", "1:5: expected the name of a dimension, found the keyword 'for'"),
        ("dim a = ", "1:9: expected an expression, found the end of the file"),
        ("dim a = 1 +", "1:12: expected an expression, found the end of the file"),
        ("dim a = (1", "1:11: expected ',' or ')', found the end of the file"),
        ("dim a = ()", "1:10: expected an expression, found ')'"),
        ("dim a = 1 < 2 < 3", "1:15: comparisons do not chain; write and(a < b, b < c)"),
        ("dim a = x[0].y(1)", "1:9: only a function's name can be called; write y(x[0], ...)"),
        ("const e = 1.0", "1:9: expected ':' and the constant's dtype, found '='"),
        ("record R { a F32[] }", "1:14: expected ':' and the type of 'a', found 'F32'"),
        ("record R { a: F32[2 }", "1:21: expected ',' or ']', found '}'"),
        ("record R { a: F32[]", "1:20: expected the name of a field or '}', found the end of"),
        ("fn f(x: F32[]) { return x }", "1:16: expected '->' and the type of the result"),
        ("fn f() -> F32[] { }", "1:19: expected 'return' at the end of this fn"),
        ("fn f() -> F32[] { let x = 1.0 }", "1:31: expected 'return' at the end of this fn"),
        ("fn f() -> F32[] { x }", "1:19: expected 'let' or 'return', found 'x'"),
        ("fn f() -> F32[] { return 1.0 2.0 }", "1:30: expected '}' after 'return', found '2.0'"),
        ("fn f() -> F32[] { yield 1.0 }", "1:19: 'yield' ends a for or a while; this"),
        ("fn f() -> F32[] { return 1.0", "1:17: expected '}' to close the '{' of this fn"),
        ("fn f() -> F32[] { let x = 1.0", "1:17: expected '}' to close the '{' of this fn"),
        ("fn f() -> () { return 1.0 }", "1:11: expected at least one type"),
        ("fn main() -> F32[] { }", "1:4: main takes no dimensions and no parameters and has no"),
        ("fn main() { return 1.0 }", "1:13: 'return' ends a fn; this is main"),
        ("fn main() { let (a) = f() }", "1:13: expected at least two names between"),
        ("dim a = for i in 0..2 { yield i }", "1:23: expected 'with' and what the loop carries"),
        ("dim a = for i in 0 with k = 0 { yield k }", "1:20: expected '..' and the loop's upper"),
        ("dim a = while x { yield x }", "1:17: expected 'with' and what the loop carries, found"),
        ("dim a = while with x = 0 { yield x }", "1:15: expected an expression, found the keyword"),
        (
            "dim a = while x with { yield x }",
            "1:22: expected the name of a carried value, found '{'",
        ),
        ("dim a = while x with x = 0 { }", "1:30: expected 'yield' at the end of this while"),
        ("dim a = while x with x = 0 { return x }", "1:30: 'return' ends a fn; this is a while"),
        ("dim a = 99999999999999999999", "1:9: expected an integer of at most 92233720368547758"),
        ("dim a = 1e999", "1:9: expected a number that F64 can hold; infinity is written inf"),
        ("export a = f[S]", "1:15: expected '=', found ']'"),
        ("import model.kina", '1:8: expected the path of a file, as in "model.kina", found'),
        ("dim a = f[S = 1]", "1:17: expected '(' and arguments, found the end of the file"),
        ("dim a = x[]", "1:9: expected at least one index"),
    ],
)
def test_syntax_errors(text: str, message: str) -> None:
    found = errors(text)
    assert len(found) == 1
    assert found[0].startswith(message)


def test_several_errors_in_one_run() -> None:
    found = errors("""dim = 1
fn f(x: F32[]) -> F32[] {
  let = x
  let y = for i in 0..2 with k = x { let k = * yield k }
  let z = (x
  return z
}
record R { a: }
dim b = 2 $
""")
    assert [message.split(": ")[0] for message in found] == [
        "1:5",
        "3:7",
        "4:46",
        "6:3",
        "8:15",
        "9:11",
    ]


def test_many_errors_end() -> None:
    assert len(errors("dim = 1\n" * 10_000)) == 50


def test_a_function_may_be_marked() -> None:
    marked, plain = items(
        "reverseMode fn f(x: F32[]) -> F32[] { return x } fn g() -> F32[] { return 1.0 }"
    )
    assert isinstance(marked, tree.Function) and marked.reverse_mode
    assert isinstance(plain, tree.Function) and not plain.reverse_mode


def test_a_mark_is_a_keyword_and_stands_before_fn() -> None:
    found = "expected 'fn' after reverseMode, found the keyword 'dim'"
    assert errors("reverseMode dim N = 1") == [f"1:13: {found}"]
    found = "expected the name of a dimension, found the keyword 'reverseMode'"
    assert errors("dim reverseMode")[0] == f"1:5: {found}"
