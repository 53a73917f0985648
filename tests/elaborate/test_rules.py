"""The typing rule of every operation: the types that it gives, and what it refuses, in words.

Expectations by hand, from the rules that the language reference states.
"""

from __future__ import annotations

import pytest
from written import body, checked, errors, the_error

PARAMETERS = ", ".join(
    [
        "x: F32[2, 3]",
        "y: F32[2, 3]",
        "row: F32[3]",
        "tall: F32[2, 1]",
        "wide: F32[2, 4]",
        "s: F32[]",
        "d: F64[2, 3]",
        "h: F16[2, 3]",
        "b: BF16[2, 3]",
        "i: I64[2, 3]",
        "j: I32[2, 3]",
        "k: I8[2, 3]",
        "p: Bool[2, 3]",
        "n: I64[]",
        "m: F32[3, 4]",
        "batch: F32[5, 2, 3]",
        "unit: F32[1, 3, 4]",
        "cube: F32[5, 3, 4]",
        "r5: F32[1, 1, 1, 2, 3]",
    ]
)

# What each expression is, or why it is none.
GOOD = {
    "+ - * / % of equal types": [
        *((f"x {operator} y", "F32[2, 3]") for operator in "+-*/%"),
        *(
            (f"{v} + {v}", f"{t}[2, 3]")
            for v, t in zip("dhbijk", "F64 F16 BF16 I64 I32 I8".split())
        ),
        ("i / i % i", "I64[2, 3]"),
        ("-x", "F32[2, 3]"),
        ("-k", "I8[2, 3]"),
    ],
    "constants take dtype and shape": [
        ("x + 1", "F32[2, 3]"),
        ("2.5 * h", "F16[2, 3]"),
        ("b - 1.5", "BF16[2, 3]"),
        ("1 - k", "I8[2, 3]"),
        ("x * inf", "F32[2, 3]"),
        ("1 + 2", "I64[]"),
        ("1 + 2.5", "F32[]"),
        ("1.0 / 3", "F32[]"),
        ("-inf", "F32[]"),
        ("true", "Bool[]"),
        ("1 < 2", "Bool[]"),
        ("p == true", "Bool[2, 3]"),
    ],
    "comparisons": [
        *((f"x {operator} y", "Bool[2, 3]") for operator in ("==", "!=", "<", "<=", ">", ">=")),
        ("i < 3", "Bool[2, 3]"),
        ("p == p", "Bool[2, 3]"),
    ],
    "broadcast": [
        ("x + broadcast(row)", "F32[2, 3]"),
        ("broadcast(s) * x", "F32[2, 3]"),
        ("x / broadcast(tall)", "F32[2, 3]"),
        ("x == broadcast(row)", "Bool[2, 3]"),
        ("max(x, broadcast(row))", "F32[2, 3]"),
        ("broadcast(row, [4, 3])", "F32[4, 3]"),
        ("broadcast(tall, [5, 2, 3])", "F32[5, 2, 3]"),
        ("broadcast(1.0, [2])", "F32[2]"),
        ("select(broadcast(x < y), batch, 0)", "F32[5, 2, 3]"),
    ],
    "two operands by name": [
        ("max(x, y)", "F32[2, 3]"),
        ("min(i, 3)", "I64[2, 3]"),
        ("pow(x, 2)", "F32[2, 3]"),
        ("pow(2.0, h)", "F16[2, 3]"),
        ("and(p, x < y)", "Bool[2, 3]"),
        ("or(p, false)", "Bool[2, 3]"),
        ("not(p)", "Bool[2, 3]"),
    ],
    "one operand": [
        *(
            (f"{name}({v})", f"{t}[2, 3]")
            for name in (
                "exp log sqrt rsqrt tanh sigmoid sin cos erf abs floor ceil round trunc sign".split()
            )
            for v, t in (("x", "F32"), ("d", "F64"), ("h", "F16"), ("b", "BF16"))
        ),
        ("abs(k)", "I8[2, 3]"),
        ("sign(k)", "I8[2, 3]"),
        *((f"{name}({v})", "Bool[2, 3]") for name in ("isnan", "isinf") for v in "xdhb"),
        ("sqrt(2)", "F32[]"),
        ("tanh(0.5)", "F32[]"),
    ],
    "select": [
        ("select(p, x, y)", "F32[2, 3]"),
        ("select(p, x, -inf)", "F32[2, 3]"),
        ("select(p, 1, 0)", "I64[2, 3]"),
        ("select(p, 1, 0.5)", "F32[2, 3]"),
        ("select(p, p, false)", "Bool[2, 3]"),
        ("select(true, x, y)", "F32[2, 3]"),
    ],
    "cast": [
        *((f"cast(x, {t})", f"{t}[2, 3]") for t in "F64 F32 F16 BF16 I64 I32 I8 Bool".split()),
        ("cast(p, I64)", "I64[2, 3]"),
        ("cast(1, F32)", "F32[]"),
    ],
    "@": [
        ("x @ m", "F32[2, 4]"),
        ("batch @ broadcast(m)", "F32[5, 2, 4]"),
        ("batch @ unit", "F32[5, 2, 4]"),
        ("batch @ cube", "F32[5, 2, 4]"),
        ("broadcast(x) @ cube", "F32[5, 2, 4]"),
    ],
    "reductions": [
        ("sum(x, axis=0)", "F32[3]"),
        ("sum(x, axis=-1)", "F32[2]"),
        ("mean(x, axis=1, keepdims=true)", "F32[2, 1]"),
        ("max(batch, axis=[0, 2])", "F32[2]"),
        ("min(batch, axis=[2, 0], keepdims=true)", "F32[1, 2, 1]"),
        ("sum(i, axis=[0, 1])", "I64[]"),
        ("max(k, axis=0)", "I8[3]"),
        ("softmax(h, axis=-1)", "F16[2, 3]"),
        ("argmax(x, axis=0)", "I64[3]"),
        ("argmax(j, axis=1)", "I64[2]"),
    ],
    "shapes": [
        ("reshape(x, [3, 2])", "F32[3, 2]"),
        ("reshape(x, [1, 6, 1])", "F32[1, 6, 1]"),
        ("reshape(s, [1, 1])", "F32[1, 1]"),
        ("reshape(full([1], 2.0), [])", "F32[]"),
        ("transpose(x)", "F32[3, 2]"),
        ("transpose(batch)", "F32[5, 3, 2]"),
        ("transpose(batch, perm=[2, 0, 1])", "F32[3, 5, 2]"),
        ("concat(x, y, axis=0)", "F32[4, 3]"),
        ("concat(x, wide, tall, axis=-1)", "F32[2, 8]"),
        ("concat(p, axis=0)", "Bool[2, 3]"),
        ("pad(x, low=[0, 1], high=[2, 0])", "F32[4, 4]"),
        ("pad(x, low=[0, 1], high=[2, 0], value=-inf)", "F32[4, 4]"),
        ("pad(i, low=[0, 0], high=[1, 1], value=n)", "I64[3, 4]"),
        ("pad(p, low=[0, 0], high=[1, 1])", "Bool[3, 4]"),
    ],
    "creation": [
        ("iota([2, 3], axis=1)", "I64[2, 3]"),
        ("iota([4], axis=0, dtype=F32)", "F32[4]"),
        ("full([2], 1)", "I64[2]"),
        ("full([2], 1.5)", "F32[2]"),
        ("full([2], 1, dtype=BF16)", "BF16[2]"),
        ("full([2, 2], s)", "F32[2, 2]"),
        ("full([2], true)", "Bool[2]"),
        ("full([], 1.0)", "F32[]"),
    ],
    "indexing": [
        ("x[0]", "F32[3]"),
        ("x[n]", "F32[3]"),
        ("x[1, 2]", "F32[]"),
        ("batch[n, 0]", "F32[3]"),
        ("x[i[0, 0]]", "F32[3]"),
        ("slice(x, at=[0, 1], size=[2, 2])", "F32[2, 2]"),
        ("slice(x, at=[n, n + 1], size=[1, 2])", "F32[1, 2]"),
        ("update(x, tall, at=[0, 2])", "F32[2, 3]"),
        ("update(x, full([1, 1], s), at=[n, n])", "F32[2, 3]"),
        ("gather(x, i)", "F32[2, 3, 3]"),
        ("gather(row, n)", "F32[]"),
        ("gather(x, j)", "F32[2, 3, 3]"),
        ("gather(x, 1)", "F32[3]"),
        ("gather(k, n)", "I8[3]"),
    ],
}


@pytest.mark.parametrize(
    ("expression", "type_"), [pair for pairs in GOOD.values() for pair in pairs]
)
def test_result_types(expression: str, type_: str) -> None:
    # The declared result is part of the check: another type would be refused.
    program = checked(body(type_, f"return {expression}", parameters=PARAMETERS))
    (result,) = program["f"].signature.results
    assert f"{result.dtype}[{', '.join(map(str, result.shape))}]" == type_


BAD = {
    "elementwise": [
        ("x + d", "'+' takes operands of one dtype, found F32[2, 3] and F64[2, 3]; write cast(x"),
        ("x * i", "'*' takes operands of one dtype, found F32[2, 3] and I64[2, 3]; write cast(i"),
        ("x + row", "'+' takes operands of one shape, found F32[2, 3] and F32[3]; write broadcast"),
        ("x + wide", "'+' takes operands of one shape, found F32[2, 3] and F32[2, 4]"),
        ("x + s", "'+' takes operands of one shape, found F32[2, 3] and F32[]; write broadcast(s)"),
        ("p + p", "'+' takes numbers, found Bool[2, 3]"),
        ("p + 1", "expected a Bool value, found 1"),
        ("i + 1.5", "'+' expected a whole number beside I64[2, 3], found 1.5; write cast(i, F32)"),
        ("k + 200", "I8 holds -128 to 127, found 200"),
        ("j * 3000000000", "I32 holds -2147483648 to 2147483647, found 3000000000"),
        ("h * 70000.0", "F16 holds -65504 to 65504, found 70000.0"),
        ("x * 1e39", "F32 holds -3.40282e+38 to 3.40282e+38, found 1e+39"),
        ("x + true", "expected an F32 value, found true"),
        ("true + 1", "'+' takes numbers, found true"),
        ("true < 1", "'<' compares values of one dtype, found true and 1"),
        ("-p", "'-' takes numbers, found Bool[2, 3]"),
        ("-true", "'-' takes a number, found true"),
        ("x == i", "'==' takes operands of one dtype, found F32[2, 3] and I64[2, 3]"),
        ("max(x, i)", "max takes operands of one dtype, found F32[2, 3] and I64[2, 3]"),
        ("pow(i, i)", "pow takes floats, found I64[2, 3]"),
        ("and(x, y)", "and takes Bools, found F32[2, 3]"),
        ("not(x)", "not takes Bools, found F32[2, 3]"),
        ("exp(i)", "exp takes floats, found I64[2, 3]"),
        ("abs(p)", "abs takes numbers, found Bool[2, 3]"),
        ("tanh(1)", "tanh takes floats, found I64[]"),
        ("exp([1, 2])", "a list is an argument of an operation"),
        ("exp((x, y))", "exp expected a tensor, found 2 values"),
        ("x + (x, y)", "'+' expected a tensor, found 2 values"),
    ],
    "select": [
        ("select(x, x, y)", "select expected a Bool condition, found F32[2, 3]"),
        ("select(p, x, i)", "select takes operands of one dtype, found F32[2, 3] and I64[2, 3]"),
        ("select(p, x, row)", "select takes operands of one shape, found Bool[2, 3] and F32[3]"),
        ("select(p, 1, true)", "expected values of one dtype, found 1 and true"),
    ],
    "cast": [
        ("cast(x, F23)", "unknown name 'F23'; did you mean 'F32'?"),
        ("cast(x, 3)", "expected a dtype, one of F64, F32, F16, BF16, I64, I32, I8, Bool"),
        ("cast(x, s)", "expected a dtype, one of F64, F32, F16, BF16, I64, I32, I8, Bool"),
    ],
    "broadcast": [
        ("x + broadcast(wide)", "F32[2, 4] does not broadcast to [2, 3]: aligned on the right"),
        ("broadcast(x) + row", "F32[2, 3] does not broadcast to [3]: aligned on the right"),
        ("broadcast(x) + broadcast(y)", "'+' expected an operand with a shape beside it, found br"),
        ("broadcast(x) + 1", "'+' expected an operand with a shape beside it, found broadcast of"),
        ("exp(broadcast(x))", "exp expected a tensor, found broadcast of F32[2, 3]; broadcast ta"),
        ("-broadcast(x)", "'-' expected a tensor, found broadcast of F32[2, 3]; broadcast takes"),
        ("broadcast(x, [2])", "F32[2, 3] does not broadcast to [2]: aligned on the right, sizes"),
        ("broadcast(x, 2)", "expected a list in brackets: broadcast(x) or broadcast(x, [2, 3])"),
        ("broadcast(x)", "f returns: expected F32[], found broadcast of F32[2, 3]"),
        ("x + broadcast(i)", "'+' takes operands of one dtype, found F32[2, 3] and I64[2, 3]"),
    ],
    "@": [
        (
            "x @ y",
            "'@' sums over axes of one size, found F32[2, 3] and F32[2, 3]: 3 columns on the left, "
            "2 rows on the right; write x @ transpose(y)",
        ),
        ("x @ row", "'@' takes operands of rank 2 or more, found F32[2, 3] and F32[3]"),
        ("i @ i", "'@' takes floats, found I64[2, 3] and I64[2, 3]"),
        ("x @ transpose(d)", "'@' takes operands of one dtype, found F32[2, 3] and F64[3, 2]"),
        ("r5 @ batch", "'@' sums over axes of one size, found F32[1, 1, 1, 2, 3] and F32[5, 2, 3]"),
        ("broadcast(batch) @ m", "broadcast adds axes and removes none, found F32[5, 2, 3] for ra"),
        ("batch @ full([4, 3, 2], 1.0)", "'@' takes equal or unit batches, found F32[5, 2, 3] an"),
        ("x @ broadcast(cube)", "broadcast adds axes and removes none, found F32[5, 3, 4] for ra"),
        ("broadcast(x) @ broadcast(m)", "'@' expected an operand with a shape beside it, found"),
        ("x @ 2", "'@' expected a tensor, found 2"),
    ],
    "reductions": [
        ("sum(x, axis=2)", "sum: axis 2 is out of range for rank 2"),
        ("sum(x, axis=-3)", "sum: axis -3 is out of range for rank 2"),
        ("sum(s, axis=0)", "sum: axis 0 is out of range for rank 0"),
        ("sum(x, axis=[0, 0])", "sum: axis 0 is given twice"),
        ("sum(x, axis=[0, -2])", "sum: axis 0 is given twice"),
        ("sum(x, axis=[])", "sum needs at least one axis"),
        ("sum(x, axis=n)", "sum expected an axis known at compile time, found I64[]"),
        ("sum(x, axis=1.0)", "sum expected an axis known at compile time, found 1.0"),
        ("sum(p, axis=0)", "sum takes numbers, found Bool[2, 3]"),
        ("mean(i, axis=0)", "mean takes floats, found I64[2, 3]"),
        ("sum(x, axis=0, keepdims=1)", "sum expected true or false, found 1"),
        ("max(x)", "max takes two operands, or one and axis=: max(a, b) or max(x, axis=0)"),
        ("max(x, y, axis=0)", "max takes two operands, or one and axis=: max(a, b) or max(x"),
        ("max(x, keepdims=true)", "max needs axis=: max(a, b) or max(x, axis=0)"),
        ("softmax(i, axis=0)", "softmax takes floats, found I64[2, 3]"),
        ("softmax(x, axis=[0])", "softmax takes one axis, found a list"),
        ("argmax(p, axis=0)", "argmax takes numbers, found Bool[2, 3]"),
        ("argmax(x, axis=5)", "argmax: axis 5 is out of range for rank 2"),
        ("top_k(p, k=1, axis=0)", "top_k takes numbers, found Bool[2, 3]"),
        ("top_k(x, k=1, axis=2)", "top_k: axis 2 is out of range for rank 2"),
        ("top_k(x, k=4, axis=1)", "top_k: k = 4 is out of range 1..3, the size of axis 1 of F32["),
        ("top_k(x, k=0, axis=-1)", "top_k: k = 0 is out of range 1..3, the size of axis 1 of F32"),
        ("top_k(x, k=n, axis=0)", "top_k expected a whole number known at compile time, found I6"),
        ("top_k(x, k=1, axis=0)", "f declares 1 result, found 2"),
    ],
    "shapes": [
        ("reshape(x, [4, 2])", "reshape keeps the number of elements, found F32[2, 3] to [4, 2]:"),
        ("reshape(x, [n, 6])", "reshape expected a whole number known at compile time, found I64"),
        ("reshape(x, [-1, 6])", "expected a size of at least 1, found -1"),
        ("reshape(x, [0])", "expected a size of at least 1, found 0"),
        ("reshape(x, 6)", "expected a list in brackets: reshape(x, [2, 3])"),
        ("transpose(row)", "transpose swaps the last two axes, found F32[3]"),
        ("transpose(x, perm=[0, 0])", "transpose expected each of 0..1 once, found [0, 0] for F"),
        ("transpose(x, perm=[0])", "transpose expected each of 0..1 once, found [0] for F32[2, 3]"),
        (
            "concat(x, wide, axis=0)",
            "concat along axis 0 takes equal sizes along the others, found F32[2, 4]",
        ),
        (
            "concat(x, i, axis=0)",
            "concat takes operands of one dtype, found I64[2, 3] beside F32[2, 3]; write",
        ),
        (
            "concat(x, row, axis=0)",
            "concat takes operands of one rank, found F32[3] beside F32[2, 3]",
        ),
        ("concat(x, y, axis=2)", "concat: axis 2 is out of range for rank 2"),
        ("pad(x, low=[0], high=[0, 0])", "pad needs one number per axis: expected 2 for F32[2, 3"),
        ("pad(x, low=[0, -1], high=[0, 0])", "pad adds and removes nothing, found low -1"),
        ("pad(x, low=[0, 0], high=[0, 0], value=i)", "pad expected F32[], found I64[2, 3]"),
        ("pad(i, low=[0, 0], high=[0, 0], value=0.5)", "expected an I64 value, found 0.5"),
        ("iota([2], axis=1)", "iota: axis 1 is out of range for rank 1"),
        ("iota([2], axis=0, dtype=Bool)", "iota makes numbers, found Bool"),
        ("iota([2, 0], axis=0)", "expected a size of at least 1, found 0"),
        ("full([0], 1.0)", "expected a size of at least 1, found 0"),
        ("broadcast(s, [0])", "expected a size of at least 1, found 0"),
        ("full([2], x)", "full expected a scalar, found F32[2, 3]"),
        ("full([2], s, dtype=F16)", "full expected F16[], found F32[]; write cast(s, F16)"),
        ("full([2], 1.5, dtype=I8)", "expected an I8 value, found 1.5"),
        ("full([1000000, 1000000, 1000], 1.0)", "F32[1000000, 1000000, 1000] is larger than any"),
        ("broadcast(s, [1000000, 1000000, 1000])", "F32[1000000, 1000000, 1000] is larger than"),
        ("top_k(full([1000000, 30000000], 1, dtype=I8), k=30000000, axis=1)", "I64[1000000, 30"),
        ("iota([1000000, 1000000, 1000], axis=0)", "I64[1000000, 1000000, 1000] is larger than"),
    ],
    "indexing": [
        ("x[2]", "indexing F32[2, 3]: index 2 is out of range 0..1"),
        ("x[-1]", "indexing F32[2, 3]: index -1 is out of range 0..1"),
        ("x[0, 0, 0]", "expected at most 2 indices, found 3 for F32[2, 3]"),
        ("x[1.0]", "indexing F32[2, 3] expected a whole number or an I64[] index, found 1.0"),
        ("x[j[0, 0]]", "indexing F32[2, 3] expected a whole number or an I64[] index, found I32[]"),
        ("x[i]", "indexing F32[2, 3] expected a whole number or an I64[] index, found I64[2, 3]"),
        ("s[0]", "expected at most 0 indices, found 1 for F32[]"),
        ("(x, y)[0]", "expected a tensor to index, found 2 values"),
        ("slice(x, at=[0], size=[1, 1])", "slice needs one index per axis: expected 2, found 1"),
        ("slice(x, at=[0, 0], size=[1])", "slice needs one size per axis, found [1] for F32[2, 3]"),
        (
            "slice(x, at=[0, 0], size=[3, 1])",
            "slice takes a block that fits, found 3 along axis 0 of",
        ),
        ("slice(x, at=[0, 2], size=[1, 2])", "slice along axis 1: index 2 is out of range 0..1"),
        ("slice(x, at=[0, s], size=[1, 2])", "slice along axis 1 expected a whole number or an I"),
        ("slice(x, at=[0, 0], size=[0, 1])", "expected a size of at least 1, found 0"),
        ("slice(x, at=0, size=[1, 2])", "expected a list in brackets: slice(x, at=[0, 0], size="),
        ("update(x, row, at=[0, 0])", "update takes a block of the tensor's rank, found F32[3] f"),
        ("update(x, i, at=[0, 0])", "update takes operands of one dtype, found F32[2, 3] and I64"),
        ("update(x, tall, at=[0, 3])", "update along axis 1: index 3 is out of range 0..2"),
        ("gather(x, k)", "gather takes I32 or I64 ids, found I8[2, 3]"),
        ("gather(s, n)", "gather takes a table of at least one axis, found F32[]"),
        ("gather(x, 1.5)", "gather takes I32 or I64 ids, found F32[]"),
    ],
}


@pytest.mark.parametrize(
    ("expression", "message"), [pair for pairs in BAD.values() for pair in pairs]
)
def test_refusals(expression: str, message: str) -> None:
    found = the_error(body("F32[]", f"return {expression}", parameters=PARAMETERS))
    position, said = found.split(": ", 1)
    assert said.startswith(message)
    assert position.startswith("2:")


@pytest.mark.parametrize(
    ("expression", "column"),
    [
        ("x + row", 10),  # the operator
        ("x @ y", 10),
        ("exp(i)", 12),  # the operand
        ("sum(x, axis=2)", 20),  # the axis
        ("reshape(x, [4, 2])", 19),  # the shape
        ("k + 200", 12),  # the constant
        ("slice(x, at=[0, 2], size=[1, 2])", 24),  # the index
        ("max(x, i)", 8),  # the call
    ],
)
def test_the_caret_stands_where_the_mistake_is(expression: str, column: int) -> None:
    found = the_error(body("F32[]", f"return {expression}", parameters=PARAMETERS))
    assert found.startswith(f"2:{column}: ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "let a = broadcast(s)",
            "expected a value with a shape, found broadcast of F32[]; write broadcast(s) where it is"
            " used, or broadcast(s, [..])",
        ),
        ("let a = (x, y)", "expected one value, found 2; take them apart with let (a, b) = ..."),
        ("let (a, b) = x", "expected 2 values for 2 names, found 1"),
        ("let (a, b) = (x, y, s)", "expected 2 values for 2 names, found 3"),
        ("let (a, b) = (x, (y, s))", "expected one value, found 2; take them apart with let (a"),
    ],
)
def test_let(line: str, message: str) -> None:
    found = the_error(body("F32[]", line, "return s", parameters=PARAMETERS))
    assert found.split(": ", 1)[1].startswith(message)


@pytest.mark.parametrize(
    ("result", "value", "message"),
    [
        ("F32[2]", "x", "f returns: expected F32[2], found F32[2, 3]"),
        ("F64[2, 3]", "x", "f returns: expected F64[2, 3], found F32[2, 3]; write cast(x, F64)"),
        ("F32[2, 3]", "1.0", "f returns: expected F32[2, 3], found 1.0; write full([2, 3], 1.0)"),
        ("I64[]", "1.5", "expected an I64 value, found 1.5"),
        ("(F32[], F32[])", "s", "f declares 2 results, found 1"),
        ("F32[]", "(s, s)", "f declares 1 result, found 2"),
        (
            "(F32[], F32[2])",
            "(s, s)",
            "f returns: expected F32[2], found F32[]; write broadcast(s, [2])",
        ),
    ],
)
def test_results(result: str, value: str, message: str) -> None:
    found = errors(body(result, f"return {value}", parameters=PARAMETERS))
    assert len(found) == 1 and found[0].split(": ", 1)[1] == message


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        ("top_k(x, k=1, axis=0)", "[1, 3]"),
        ("top_k(x, k=3, axis=-1)", "[2, 3]"),
        ("top_k(batch, k=two, axis=1)", "[5, 2, 3]"),
    ],
)
def test_top_k_gives_two_results(call: str, shape: str) -> None:
    lines = ("let two = 2", f"let (values, indices) = {call}", "return (values, indices)")
    program = checked(body(f"(F32{shape}, I64{shape})", *lines, parameters=PARAMETERS))
    assert len(program["f"].signature.results) == 2


def test_scalars_are_returned_from_constants() -> None:
    program = checked(body("(F32[], I8[], Bool[])", "return (1, 2, true)"))
    assert [r.dtype for r in program["f"].signature.results] == ["F32", "I8", "Bool"]
