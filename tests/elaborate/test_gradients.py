"""What hosts see of the gradient of an export. Expectations by hand; the messages are in tests/diagnostics."""

from __future__ import annotations

from pathlib import Path

import pytest
from written import checked, errors

from kina import abi
from kina.elaborate import elaborate
from kina.elaborate.bodies import gradients
from kina.syntax.source import KinaError

SQUARES = """
    reverseMode fn squares[S](x: F32[S, 2]) -> F32[] { return sum(x * x, axis=[0, 1]) }
"""


def test_the_gradient_takes_the_parameters_and_returns_the_value_first() -> None:
    text = """
        const eps: F32 = 0.5
        record W { a: F16[2] n: I64[] b: F32[3, 1] }
        reverseMode fn f(on: Bool[], w: W, ids: I64[4], x: BF16[]) -> F64[] {
          return cast(sum(gather(w.b, ids), axis=[0, 1]), F64)
        }
        export g = f
    """
    made = checked(text)
    assert list(made) == ["g", "g_gradient"]
    parameters = (
        abi.Parameter("on", "Bool", ()),
        abi.Parameter("w.a", "F16", (2,)),
        abi.Parameter("w.n", "I64", ()),
        abi.Parameter("w.b", "F32", (3, 1)),
        abi.Parameter("ids", "I64", (4,), index_bound=3),
        abi.Parameter("x", "BF16", ()),
    )
    value = abi.Result("F64", ())
    constants = {"eps": 0.5}
    assert made["g"].signature == abi.Signature("g", parameters, (value,), constants)
    gradient = (
        value,
        abi.Result("F16", (2,)),
        abi.Result("F32", (3, 1)),
        abi.Result("BF16", ()),
    )
    expected = abi.Signature("g_gradient", parameters, gradient, constants)
    assert made["g_gradient"].signature == expected


def test_every_export_has_a_gradient_of_its_own() -> None:
    exports = "export two = squares[S = 2]\nexport any = squares[S in 0..9]"
    made = checked(SQUARES + exports)
    assert list(made) == ["two", "two_gradient", "any", "any_gradient"]
    assert made["two_gradient"].signature.results[1].shape == (2, 2)
    (open_,) = made["any_gradient"].signature.open
    assert (open_.name, open_.least, open_.most) == ("S", 0, 9)
    assert [str(size) for size in made["any_gradient"].signature.results[1].shape] == ["S", "2"]


def test_an_imported_function_keeps_its_mark() -> None:
    made = checked('import "other.kina"\nexport squares_1 = squares[S = 1]', other=SQUARES)
    assert list(made) == ["squares_1", "squares_1_gradient"]


def test_a_function_that_calls_one_has_no_gradient_without_a_mark() -> None:
    text = SQUARES + "fn twice(x: F32[1, 2]) -> F32[] { return squares(x) * 2.0 }\nexport twice"
    assert list(checked(text)) == ["twice"]


def test_a_gradient_is_elaborated_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "program.kina"
    path.write_text(SQUARES + "export two = squares[S = 2]")
    names = ["two_gradient", "two"]
    assert [one.signature.name for one in elaborate(path, names)] == names
    with pytest.raises(KinaError, match="exports two, two_gradient; did you mean 'two_gradient'"):
        elaborate(path, ["two_gradien"])


def test_a_function_that_is_wrong_is_said_once() -> None:
    text = """
        reverseMode fn f(x: F32[4]) -> F32[] { return x }
        export f
    """
    assert len(errors(text)) == 1


def test_a_loop_is_refused_only_where_a_derivative_goes_through_it() -> None:
    text = """
        fn powers(n: I64[]) -> I64[] { return while k < n with k = 1 { yield k * 2 } }
        fn steps(x: F32[], n: I64[]) -> F32[] { return for i in 0..n with y = x { yield y + 1.0 } }
        reverseMode fn f(x: F32[], n: I64[]) -> F32[] {
          let unused = steps(x, n)
          let above  = select(steps(x, n) > 3.0, x, -x)
          return above * cast(powers(n), F32) * steps(1.0, n)
        }
        export f
    """
    assert list(checked(text)) == ["f", "f_gradient"]


def test_deep_loops_do_not_multiply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level computes those inside of it again, once: the operations grow as a square."""
    text = """
        reverseMode fn f(x: F32[]) -> F32[] { return %s }
        export f
    """
    deep = text % ("for i in 0..2 with x = x { yield " * 24 + "sin(x)" + " }" * 24)
    made = checked(deep)["f_gradient"].module
    assert sum(1 for _ in made.walk()) < 24 * 24 * 8
    monkeypatch.setattr(gradients, "MOST_GRADIENT_OPERATIONS", 1_000)
    assert "its gradient has more than 1000 operations" in "".join(errors(deep))
