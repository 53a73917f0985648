"""Loops and calls: carries, bounds, scopes, recursion. Expectations by hand."""

from __future__ import annotations

import numpy as np
import pytest
from written import body, checked, diagnostics, the_error

from kina.oracle.interpreter import interpret


def run(text: str, *arguments: object) -> list[np.ndarray]:
    module = checked(text)["f"].module
    return list(interpret(module, [np.asarray(a) for a in arguments]))


def test_a_loop_over_run_time_bounds() -> None:
    text = """
        fn f(lo: I64[], hi: I64[]) -> (I64[], I64[]) {
          let (sum_, count) = for i in lo..hi with sum_ = 0, count = 0 {
            yield (sum_ + i, count + 1)
          }
          return (sum_, count)
        }
        export f
    """
    # 3 + 4 + 5 + 6 = 18 over four steps; no step where lo >= hi
    for lo, hi, expected in ((3, 7, (18, 4)), (5, 5, (0, 0)), (7, 3, (0, 0))):
        assert tuple(int(r) for r in run(text, lo, hi)) == expected


def test_one_carried_value_needs_no_tuple() -> None:
    text = """
        dim N = 3
        fn f(x: F32[2]) -> F32[2] {
          return for i in 0..N with y = x { let y = y * 2 let z = y + 1 yield z }
        }
        export f
    """
    # x -> 2x + 1, three times: 8x + 7
    assert run(text, np.array([0, 1], np.float32))[0].tolist() == [7, 15]


def test_names_inside_a_loop_end_with_it() -> None:
    text = """
        fn f(x: I64[]) -> I64[] {
          let i = 100
          let y = for i in 0..3 with x = x { let inside = x + i yield inside }
          return y + i
        }
        export f
    """
    assert int(run(text, 1)[0]) == 1 + 0 + 1 + 2 + 100
    outside = text.replace("return y + i", "return inside")
    assert "unknown name 'inside'; it ended with its loop" in the_error(outside)


def test_loops_nest() -> None:
    text = """
        fn f(n: I64[]) -> I64[] {
          return for i in 0..n with a = 0 {
            yield for j in 0..i with b = a { yield b + j }
          }
        }
        export f
    """
    # sum over i < 4 of sum over j < i of j = 0 + 0 + 1 + 3
    assert int(run(text, 4)[0]) == 4


@pytest.mark.parametrize(
    ("loop", "message"),
    [
        ("for i in 0..2 with a = x { yield i }", "the loop carries 'a' as F32[2], found I64[]"),
        ("for i in 0..2 with a = x { yield (a, a) }", "the loop carries 1 value, found 2"),
        ("for i in 0..2 with a = x, b = x { yield a }", "the loop carries 2 values, found 1"),
        ("for i in 0..2 with a = 0 { yield 1.5 }", "expected an I64 value, found 1.5"),
        ("for i in 0..2 with a = (x, x) { yield a }", "a loop carries tensors, found 2 values"),
        ("for i in 0..2 with a = broadcast(x) { yield x }", "a loop carries tensors, found broad"),
        ("for i in 0..x with a = x { yield a }", "a loop's bound is a whole number or I64[], fou"),
        ("for i in 1.5..2 with a = x { yield a }", "a loop's bound is a whole number or I64[], f"),
        ("for i in 0..2 with a = x { let b = a + i yield b }", "'+' takes operands of one dtype,"),
        ("for i in 0..2 with a = x { yield a + full([3], 1.0) }", "'+' takes operands of one sha"),
    ],
)
def test_loops_that_do_not_fit(loop: str, message: str) -> None:
    found = the_error(body("F32[2]", f"return {loop}", parameters="x: F32[2]"))
    assert found.split(": ", 1)[1].startswith(message)


def test_a_while_tests_before_every_iteration() -> None:
    text = """
        fn f(n: I64[]) -> (I64[], I64[]) {
          let (n, steps) = while n > 1 with n = n, steps = 0 {
            yield (select(n % 2 == 0, n / 2, 3 * n + 1), steps + 1)
          }
          return (n, steps)
        }
        export f
    """
    # Collatz: 6 3 10 5 16 8 4 2 1
    for n, expected in ((6, (1, 8)), (1, (1, 0)), (-7, (-7, 0))):
        assert tuple(int(r) for r in run(text, n)) == expected


def test_names_inside_a_while_end_with_it() -> None:
    text = """
        fn f(x: I64[]) -> I64[] {
          let n = 100
          let y = while n < 5 with n = x { let inside = n + 1 yield inside }
          return y + n
        }
        export f
    """
    assert int(run(text, 1)[0]) == 5 + 100
    outside = text.replace("return y + n", "return inside")
    assert "unknown name 'inside'; it ended with its loop" in the_error(outside)


def test_a_condition_may_call_and_reduce() -> None:
    text = """
        fn small[N](x: F32[N], most: F32[]) -> Bool[] { return max(x, axis=0) < most }
        fn f(x: F32[2], most: F32[]) -> F32[2] {
          return while small(x, most) with x = x { yield x * 2.0 }
        }
        export f
    """
    # 3 -> 6 -> 12 is the first that is not below 10
    assert run(text, np.array([1, 3], np.float32), np.float32(10))[0].tolist() == [4, 12]


def test_loops_of_both_kinds_nest() -> None:
    text = """
        fn f(n: I64[]) -> I64[] {
          return for i in 0..n with total = 0 {
            let (k, total) = while k * k < i with k = 0, total = total { yield (k + 1, total + k) }
            yield total
          }
        }
        export f
    """
    # i = 0, 1, 2, 3, 4: k runs to 0, 1, 2, 2, 2 and adds 0, 0, 0 + 1, 0 + 1, 0 + 1
    assert int(run(text, 5)[0]) == 3


@pytest.mark.parametrize(
    ("loop", "message"),
    [
        ("while a with a = x { yield a }", "a loop's condition is Bool[], found F32[2]"),
        ("while a < 1.0 with a = x { yield a }", "a loop's condition is Bool[], found Bool[2]"),
        ("while 1 with a = x { yield a }", "expected a Bool value, found 1"),
        ("while true with a = x { yield a }", "the condition does not depend on what the loop ca"),
        ("while n < 3 with a = x, b = n { yield (a, b) }", "the condition does not depend on wha"),
        (
            "while b < 3 with a = x, b = n { yield (a, b + 1.5) }",
            "'+' expected a whole number beside I64[], found 1.5",
        ),
        ("while b < 3 with a = x, b = n { yield (b, a) }", "the loop carries 'a' as F32[2], foun"),
        ("while b < 3 with a = x, b = n { yield b }", "the loop carries 2 values, found 1"),
        (
            "while b < 3 with a = x, b = n { yield (concat(a, a, axis=0), b + 1) }",
            "the loop carries 'a' as F32[2], found F32[4]; a carry keeps its shape: begin "
            "with all of it, and update a part",
        ),
    ],
)
def test_whiles_that_do_not_fit(loop: str, message: str) -> None:
    lines = [f"let (a, b) = {loop}", "return a"]
    found = the_error(body("F32[2]", *lines, parameters="x: F32[2], n: I64[]"))
    assert found.split(": ", 1)[1].startswith(message)


def test_errors_in_a_callee_show_every_call_on_the_way() -> None:
    (diagnostic,) = diagnostics("""fn h[N](x: F32[N]) -> F32[N] {
  return x + full([5], 1.0)
}
fn g[N](x: F32[N]) -> F32[N] { return h(x) }
fn f(x: F32[4]) -> F32[4] { return g(x) }
export f""")
    assert diagnostic.message == "'+' takes operands of one shape, found F32[N = 4] and F32[5]"
    places = [
        (":".join(str(note.span).rsplit(":", 2)[1:]), note.message) for note in diagnostic.notes
    ]
    assert places == [
        ("4:39", "h is called here with N = 4"),
        ("5:36", "g is called here with N = 4"),
        ("6:1", "for the export f"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "fn f(x: F32[]) -> F32[] { return f(x) }",
            "functions do not recur: f calls f; repetition is a for",
        ),
        (
            """fn f(x: F32[]) -> F32[] { return g(x) }
               fn g(x: F32[]) -> F32[] { return h(x) }
               fn h(x: F32[]) -> F32[] { return g(x) }""",
            "functions do not recur: g calls h calls g; repetition is a for",
        ),
    ],
)
def test_recursion_is_refused_by_name(text: str, message: str) -> None:
    assert the_error(text + "\nexport f").split(": ", 1)[1] == message


def test_a_function_may_be_called_twice_in_a_row() -> None:
    text = """
        fn g(x: F32[]) -> F32[] { return x * 2 }
        fn f(x: F32[]) -> F32[] { return g(g(x)) + g(x) }
        export f
    """
    assert float(run(text, np.float32(3))[0]) == 18
