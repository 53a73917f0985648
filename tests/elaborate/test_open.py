"""Dimensions that an export leaves open: their typing, what hosts see of them, and what is refused.

Expectations by hand.
"""

from __future__ import annotations

import numpy as np
import pytest
from written import checked, errors, the_error

from kina.dialect.closing import closed
from kina.oracle.interpreter import interpret
from kina.passes.simplify import simplify

DECODE = """
dim H = 2
fn append[S](past: F32[H, S], new: F32[H, 1]) -> (F32[H, S + 1], F32[H]) {
  let next = concat(past, new, axis=1)
  return (next, sum(next, axis=1))
}
"""


def shapes(text: str) -> tuple[list[str], list[str]]:
    """The parameters and results of the one export, as hosts see them."""
    (export,) = checked(text).values()
    signature = export.signature
    return (
        [f"{p.dtype}{[str(n) for n in p.shape]}" for p in signature.parameters],
        [f"{r.dtype}{[str(n) for n in r.shape]}" for r in signature.results],
    )


def test_an_open_dimension_stays_in_the_signature() -> None:
    text = DECODE + "export append_any = append[S in 1..31]"
    assert shapes(text) == (
        ["F32['2', 'S']", "F32['2', '1']"],
        ["F32['2', 'S + 1']", "F32['2']"],
    )
    (symbol,) = checked(text)["append_any"].signature.open
    assert (symbol.name, symbol.least, symbol.most) == ("S", 1, 31)


@pytest.mark.parametrize(
    ("parameters", "expression", "size"),
    [
        ("x: F32[S], y: F32[T]", "concat(x, y, x, axis=0)", "2 * S + T"),
        ("x: F32[S, T]", "reshape(x, [T, S])", "T, S"),
        ("x: F32[S, 6]", "reshape(x, [2 * S, 3])", "2 * S, 3"),
        ("x: F32[S, T]", "reshape(x, [S * T])", "S * T"),
        ("x: F32[S, 2], y: F32[2, T]", "x @ y", "S, T"),
        ("x: F32[S, T]", "transpose(x)", "T, S"),
        ("x: F32[S], y: F32[S]", "x + y * 2.0", "S"),
        ("x: F32[1, T], y: F32[S, 1]", "broadcast(x, [S, T]) + broadcast(y, [S, T])", "S, T"),
        ("x: F32[S + 2]", "slice(x, at=[1], size=[S])", "S"),
        ("x: F32[S]", "pad(x, low=[1], high=[S + 1])", "2 * S + 2"),
        ("x: F32[2 * S]", "slice(x, at=[S], size=[2 * S / 2])", "S"),
        ("x: F32[S, T]", "softmax(x, axis=1)", "S, T"),
        ("x: F32[S, T], i: I64[T]", "gather(x, i)", "T, T"),
        ("x: F32[S]", "iota([2, S], axis=1, dtype=F32)", "2, S"),
        ("x: F32[S], y: F32[T]", "full([S, T], 0.0)", "S, T"),
    ],
)
def test_the_shapes_of_operations(parameters: str, expression: str, size: str) -> None:
    generics = [g for g in "ST" if g in parameters.replace("F32", "")]
    dims = ", ".join(f"{g} in 1..9" for g in generics)
    text = f"""fn f[{", ".join(generics)}]({parameters}) -> F32[{size}] {{ return {expression} }}
        export f[{dims}]"""
    _, (result,) = shapes(text)
    assert result == f"F32{size.split(', ')}"


def test_a_function_is_called_with_open_sizes() -> None:
    text = """
        fn twice[N](x: F32[2 * N]) -> F32[4 * N] { return concat(x, x, axis=0) }
        fn f[S](x: F32[2 * S + 2]) -> F32[4 * S + 4] { return twice(x) }
        export f[S in 0..9]"""
    assert shapes(text) == (["F32['2 * S + 2']"], ["F32['4 * S + 4']"])


def test_an_open_size_is_a_number_too() -> None:
    """S is 3: 3, 4 and 3 % 2, whether it is even, and 2 / sqrt(4)."""
    text = """fn f[S](x: F32[S]) -> (I64[], F32[S], I64[], Bool[], F32[]) {
        return (S, x * 0.0 + (S + 1), S % 2, S % 2 == 0, 2.0 / sqrt(S + 1))
    }
    export f[S in 1..9]"""
    results = interpret(checked(text)["f"].module, [np.zeros(3, np.float32)])
    assert [r.tolist() for r in results] == [3, [4, 4, 4], 1, False, 1]


@pytest.mark.parametrize("size", [1, 2, 31])
def test_each_size_is_the_program_of_that_size(size: int) -> None:
    open_ = checked(DECODE + "export append[S in 1..31] donate(past)")["append"].module
    fixed = checked(DECODE + f"export append[S = {size}] donate(past)")["append"].module
    at_size = closed(open_, {"S": size})
    for module in (at_size, fixed):
        module.verify()
        simplify(module)
    assert str(at_size) == str(fixed)


# Growing in place


@pytest.mark.parametrize(
    "line",
    [
        "return concat(x, y, axis=1)",
        "return concat(x, y, y, axis=1)",
        "return pad(x, low=[0, 0], high=[0, 2], value=1.0)",
        "return update(pad(x, low=[0, 0], high=[0, 1]), y, at=[0, S])",
        "return for i in 0..2 with a = concat(x, y, axis=1) { yield update(a, y, at=[0, i]) }",
    ],
)
def test_a_donated_parameter_grows_in_place(line: str) -> None:
    grown = 2 if "y, y" in line or "2]," in line else 1
    text = f"""fn f[S](x: F32[2, S], y: F32[2, 1]) -> F32[2, S + {grown}] {{ {line} }}
        export f[S in 2..9] donate(x)
        export g = f[S in 2..9]"""
    exports = checked(text)
    (x, y), (result,) = exports["f"].signature.parameters, exports["f"].signature.results
    assert [str(n) for n in x.shape] == ["2", f"S + {grown}"] and x.donated
    assert result.alias == "x" and result.shape == x.shape and not y.donated
    past, new = np.arange(6, dtype=np.float32).reshape(2, 3), np.full((2, 1), 7, np.float32)
    buffer = np.full((2, 3 + grown), -1, np.float32)
    buffer[:, :3] = past
    (expected,) = interpret(exports["g"].module, [past, new])
    (found,) = interpret(exports["f"].module, [buffer, new])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "line",
    [
        "return concat(y, x, axis=1)",
        "return pad(x, low=[0, 1], high=[0, 0])",
        "return concat(x * 2.0, y, axis=1)",
        "let z = update(x, y, at=[0, 0]) return concat(z, y, axis=1)",
    ],
)
def test_other_growth_is_not_in_place(line: str) -> None:
    text = f"""fn f[S](x: F32[2, S], y: F32[2, 1]) -> F32[2, S + 1] {{ {line} }}
export f[S in 1..9] donate(x)"""
    assert the_error(text) == (
        "2:28: no result is an update of 'x', F32[2, S]; a donated parameter is returned once, "
        "rewritten by update(...), or as the front of concat(...) or pad(...)"
    )


# What is refused

F = "fn f[S](x: F32[S]) -> F32[S] { return x }\nexport f"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{F}[S in 4..2]", "2:18: expected a size of at least 4, found 2"),
        (f"{F}[S in -1..2]", "2:15: expected a size of at least 0, found -1"),
        (f"{F}[S in 1..N]", "2:18: unknown dimension 'N'"),
        (f"{F}[T in 1..2]", "2:10: f has no dimension 'T'"),
        (f"{F}[S in 1]", "2:16: expected '..' and the greatest size, found ']'"),
        (f"{F}[S in 1..2**3]", "2:20: expected"),
        (
            "fn f[S](x: F32[2]) -> F32[S] { return full([S], 1.0) }\nexport f[S in 1..4]",
            "2:10: no parameter of f has a size that tells S, such as S or S + 1",
        ),
        (
            "fn f[S](x: F32[S * S]) -> F32[S] { return full([S], 1.0) }\nexport f[S in 1..4]",
            "2:10: no parameter of f has a size that tells S, such as S or S + 1",
        ),
        (
            "fn f[S](x: F32[S - 3]) -> F32[S - 3] { return x }\nexport f[S in 1..4]",
            "1:16: expected a size of at least 0, found S - 3; S - 3 can be -2",
        ),
        (
            "fn f[S](x: F32[S]) -> F32[S / 2] { return slice(x, at=[0], size=[S / 2]) }"
            "\nexport f[S in 1..4]",
            "1:27: S / 2 is no whole number for every S in 1..4",
        ),
        (
            "fn f[S](x: F32[S]) -> F32[3] { return slice(x, at=[0], size=[3]) }"
            "\nexport f[S in 1..4]",
            "1:61: slice takes a block that fits, found 3 along axis 0 of F32[S]; S can be 1",
        ),
        (
            "fn f[S](x: F32[S], y: F32[4]) -> F32[S] { return x + y }\nexport f[S in 1..4]",
            "1:52: '+' takes operands of one shape, found F32[S] and F32[4]",
        ),
        (
            "fn f[S](x: F32[S]) -> I64[] { return argmax(x, axis=0) }\nexport f[S in 0..4]",
            "1:45: argmax takes an axis of at least 1, found axis 0 of F32[S]; S can be 0",
        ),
        (
            "fn f[S](x: F32[S, 2], i: I64[]) -> F32[2] { return gather(x, i) }\nexport f[S in 0..4]",
            "1:59: gather takes a table of at least one row, found F32[S, 2]; S can be 0",
        ),
        (
            "fn f[S](x: F32[S]) -> F32[] { return x[4] }\nexport f[S in 1..9]",
            "1:40: indexing F32[S]: index 4 is out of range 0..S - 1; S - 1 can be 0",
        ),
        (
            "fn f[S](x: F32[S]) -> F32[] { return sum(x, axis=S) }\nexport f[S in 1..9]",
            "1:50: sum expected an axis known at compile time, found S",
        ),
        (
            "fn f[S](x: F32[S, S]) -> F32[S, S] { return x }\nexport f[S in 1..10000000000]",
            "1:12: F32[S, S] is larger than any memory (140737488355328 bytes)",
        ),
    ],
)
def test_what_cannot_be_open(text: str, message: str) -> None:
    found = errors(text)
    assert found[0].startswith(message), found


def test_a_call_in_main_leaves_the_size_to_the_host() -> None:
    checked(DECODE + "export any = append[S in 1..31]\nfn main() { any(placeholder, ...) }")
