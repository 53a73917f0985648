"""Programs that would grow or nest without end are one clear error, and soon."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written import body, checked, the_error

from kina.syntax.source import KinaError


def doubling(depth: int, leaf: str) -> str:
    """Functions that each call the one before twice: 2^depth leaves."""
    functions = [f"fn f0(x: F32[]) -> F32[] {{ {leaf} }}"]
    for i in range(depth):
        functions.append(f"fn f{i + 1}(x: F32[]) -> F32[] {{ let y = f{i}(x) return f{i}(y) }}")
    return "\n".join([*functions, f"export f{depth}"])


@pytest.mark.parametrize("leaf", ["return x + 1", "return x"])
def test_exponential_inlining_ends(leaf: str) -> None:
    started = time.monotonic()
    found = the_error(doubling(40, leaf))
    assert "once every call is inlined" in found
    assert time.monotonic() - started < 60  # seconds; without a limit it takes days


def test_a_long_chain_of_calls_is_refused_or_taken() -> None:
    checked(chain(20))
    assert "levels deep, counted through the calls" in the_error(chain(5_000))


def chain(length: int) -> str:
    functions = ["fn f0(x: F32[]) -> F32[] { return x }"]
    functions += [f"fn f{i}(x: F32[]) -> F32[] {{ return f{i - 1}(x) }}" for i in range(1, length)]
    return "\n".join([*functions, f"export f{length - 1}"])


def test_a_long_chain_of_operators_is_no_nesting() -> None:
    checked(body("F32[]", "return " + " + ".join(["x"] * 5_000), parameters="x: F32[]"))


def test_a_long_chain_of_dimensions() -> None:
    dims = ["D0 = 1", *(f"D{i} = D{i - 1} + 1" for i in range(1, 5_000))]
    text = "dim " + ", ".join(reversed(dims))
    assert "depends on too long a chain of others" in str(_error(text))
    checked("dim " + ", ".join(dims))  # in this order each finds the one before known


def test_records_that_double_are_refused() -> None:
    records = ["record R0 { a: F32[] b: F32[] }"]
    records += [f"record R{i} {{ a: R{i - 1} b: R{i - 1} }}" for i in range(1, 60)]
    assert "has more than 10000 tensors" in str(_error("\n".join(records)))


def test_records_in_a_long_chain_are_refused_or_taken() -> None:
    def chain(length: int) -> str:
        records = ["record R0 { a: F32[] }"]
        records += [f"record R{i} {{ a: R{i - 1} }}" for i in range(1, length)]
        return "\n".join(records)

    checked(chain(20) + "fn f(r: R19) -> F32[] { return 1.0 } export f")
    assert "nested too deeply" in str(_error(chain(3_000)))


def test_many_nested_loops() -> None:
    deep = "for i in 0..2 with x = x { yield " * 30 + "x" + " }" * 30
    checked(body("F32[]", f"return {deep}", parameters="x: F32[]"))


def _error(text: str) -> KinaError:
    with pytest.raises(KinaError) as caught:
        checked(text)
    return caught.value


_PARTS = [
    *("x", "n", "w", "w.a", "w.b[n]", "1", "2.5", "true", "D", "eps", "placeholder", "nothing"),
    *("({0} + {1})", "({0} @ {1})", "({0} == {1})", "-{0}", "{0}[{1}]", "({0}, {1})", "{0}.a"),
    *("exp({0})", "sum({0}, axis=0)", "softmax({0}, axis={1})", "select({0}, {1}, {2})"),
    *("broadcast({0})", "reshape({0}, [{1}, D])", "slice({0}, at=[{1}], size=[{2}])"),
    *("gather({0}, {1})", "update({0}, {1}, at=[{2}])", "max({0}, {1})", "cast({0}, F16)"),
    *("concat({0}, {1}, axis=0)", "full([{0}], {1})", "iota([{0}], axis=0)", "g({0})"),
    *("pad({0}, low=[{1}], high=[0])", "transpose({0}, perm=[{1}])", "g[S = {0}]({1})"),
    "(for i in 0..{0} with x = {1} {{ yield {2} }})",
]


def _expressions() -> st.SearchStrategy[str]:
    leaf = st.sampled_from([part for part in _PARTS if "{" not in part])

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        shapes = st.sampled_from([part for part in _PARTS if "{" in part])
        return st.builds(lambda s, a, b, c: s.format(a, b, c), shapes, inner, inner, inner)

    return st.recursive(leaf, grow, max_leaves=12)


@settings(max_examples=400, deadline=None)
@given(expression=_expressions(), result=st.sampled_from(["F32[]", "F32[2]", "I64[D]", "W"]))
def test_any_expression_is_typed_or_refused(expression: str, result: str) -> None:
    text = f"""
        dim D = 2
        const eps: F32 = 1e-5
        record W {{ a: F32[D] b: F32[D, D] }}
        fn g[S](x: F32[S]) -> F32[S] {{ return x }}
        fn f(x: F32[D], n: I64[], w: W) -> {result} {{ return {expression} }}
        export f
        fn main() {{ f(placeholder, {expression}, ...) }}
    """
    try:
        checked(text)
    except KinaError as problem:
        assert problem.diagnostics and "error: " in str(problem)
