"""What is allowed is what numerics.md says, no less and no more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from enclosure import allows, enclosures
from interval import Interval

from kina.elaborate import elaborate
from support.values import Array

F32 = np.float32


def allowed(tmp_path: Path, function: str, *arguments: Array) -> Interval:
    """What `fn f` of this text may give."""
    source = tmp_path / "f.kina"
    source.write_text(f"fn f{function}\nexport f\n")
    (exported,) = elaborate(source)
    (result,) = enclosures(exported.module, arguments)
    return result


def steps(x: float, count: int) -> Array:
    """`count` floats of F32 above x, or below it."""
    value = np.asarray(x, F32)
    for _ in range(abs(count)):
        value = np.asarray(np.nextafter(value, F32(np.inf * count)))
    return value


def test_what_rounds_once_has_one_value(tmp_path: Path) -> None:
    x = np.array([0.1, 1e38, -0.0, np.nan], F32)
    found = allowed(tmp_path, "(x: F32[4]) -> F32[4] { return (x * 3.0 + x) / x }", x)
    with np.errstate(all="ignore"):
        right = (x * F32(3) + x) / x
    assert allows(found, right).all()
    assert not allows(found, np.nextafter(right, F32(9)))[:2].any()
    assert not allows(found, np.zeros(4, F32)).any()


@pytest.mark.parametrize(("count", "right"), [(0, True), (2, True), (-2, True), (4, False)])
def test_exp_errs_by_two_units(tmp_path: Path, count: int, right: bool) -> None:
    # e is 2.718281828459045; the nearest F32 is 0.35 units away.
    found = allowed(tmp_path, "(x: F32[]) -> F32[] { return exp(x) }", np.asarray(1, F32))
    assert allows(found, steps(2.718281828459045, count)) == right


def test_the_error_is_carried_on(tmp_path: Path) -> None:
    # A unit of 5.4 is two units of 2.7; the difference of equals is no more than both errors.
    text = "(x: F32[]) -> F32[] { return exp(x) + exp(x) - 5.4365635 }"
    found = allowed(tmp_path, text, np.asarray(1, F32))
    unit = 2.0**-21
    assert allows(found, np.asarray(0, F32)) and allows(found, np.asarray(2 * unit, F32))
    assert not allows(found, np.asarray(6 * unit, F32))


def test_sums_are_of_any_order(tmp_path: Path) -> None:
    x = np.array([1e8, 1, -1e8], F32)
    found = allowed(tmp_path, "(x: F32[3]) -> F32[] { return sum(x, axis=0) }", x)
    assert allows(found, np.asarray(0, F32)) and allows(found, np.asarray(1, F32))
    assert not allows(found, np.asarray(100, F32))


def test_sums_of_whole_numbers_are_exact(tmp_path: Path) -> None:
    x = np.array([[1, -2, 3], [4, 5, 6]], F32)
    found = allowed(tmp_path, "(x: F32[2, 3]) -> F32[2, 2] { return x @ transpose(x) }", x)
    assert allows(found, np.array([[14, 12], [12, 77]], F32)).all()
    assert not allows(found, steps(14, 1)).any()


def test_what_may_overflow_on_the_way(tmp_path: Path) -> None:
    x = np.array([3e38, 3e38, -3e38], F32)
    found = allowed(tmp_path, "(x: F32[3]) -> F32[] { return sum(x, axis=0) }", x)
    assert allows(found, np.asarray(np.inf, F32)) and allows(found, np.asarray(3e38, F32))
    assert not allows(found, np.asarray(np.nan, F32))
    assert not allows(found, np.asarray(-3e38, F32))


def test_what_is_not_known_for_sure_decides_nothing(tmp_path: Path) -> None:
    one, e = np.asarray(1, F32), np.asarray(2.7182817, F32)
    text = "(x: F32[], y: F32[]) -> I64[] { return select(exp(x) < y, full([], 3), full([], 5)) }"
    close = allowed(tmp_path, text, one, e)
    assert allows(close, np.asarray(3)) and allows(close, np.asarray(5))
    far = allowed(tmp_path, text, one, np.asarray(3, F32))
    assert allows(far, np.asarray(3)) and not allows(far, np.asarray(5))


def test_argmax_is_exact_unless_two_are_as_large(tmp_path: Path) -> None:
    text = "(x: F32[3]) -> I64[] { return argmax(exp(x), axis=0) }"
    clear = allowed(tmp_path, text, np.array([0, 2, 1], F32))
    assert [bool(allows(clear, np.asarray(i))) for i in range(3)] == [False, True, False]
    close = allowed(tmp_path, text, np.array([0, 2, steps(2, 1)], F32))
    assert [bool(allows(close, np.asarray(i))) for i in range(3)] == [False, True, True]


def test_a_masked_row_is_zeros(tmp_path: Path) -> None:
    x = np.array([[-np.inf, -np.inf], [0, 0], [0, np.nan]], F32)
    found = allowed(tmp_path, "(x: F32[3, 2]) -> F32[3, 2] { return softmax(x, axis=1) }", x)
    right = np.array([[0, 0], [0.5, 0.5], [np.nan, np.nan]], F32)
    assert allows(found, right).all()
    assert not allows(found, np.array([[0.5, 0.5], [0.501, 0.499], [0, 0]], F32)).any()


def test_an_index_that_is_not_known_for_sure(tmp_path: Path) -> None:
    text = "(x: I8[4], t: F32[]) -> I8[] { return x[cast(exp(t), I64)] }"
    x = np.array([10, 20, 30, 40], np.int8)
    # exp(log(2)) is near 2: truncated, 1 or 2.
    found = allowed(tmp_path, text, x, np.asarray(np.log(2), F32))
    assert [bool(allows(found, value)) for value in x] == [False, True, True, False]


def test_loops_carry_intervals(tmp_path: Path) -> None:
    text = "(x: F32[]) -> F32[] { return for i in 0..3 with y = x { yield exp(y) } }"
    found = allowed(tmp_path, text, np.asarray(0, F32))
    right = np.exp(np.exp(1.0))
    assert allows(found, np.asarray(right, F32))
    assert not allows(found, np.asarray(right * (1 + 1e-5), F32))


def test_zeros_have_signs(tmp_path: Path) -> None:
    text = "(x: F32[], y: F32[]) -> F32[] { return max(x, y) }"
    found = allowed(tmp_path, text, np.asarray(-0.0, F32), np.asarray(0.0, F32))
    assert allows(found, np.asarray(0.0, F32)) and not allows(found, np.asarray(-0.0, F32))


def test_a_product_that_underflows_is_a_zero_of_either_sign(tmp_path: Path) -> None:
    """-1e-60 is below F32: fused with the sum it stays -0.0, added to 0.0 it does not."""
    a, b = np.full((1, 1), 1e-30, F32), np.full((1, 1), -1e-30, F32)
    product = "(a: F32[1, 1], b: F32[1, 1]) -> F32[1, 1] { return sin(a @ b) }"
    found = allowed(tmp_path, product, a, b)
    for zero in (0.0, -0.0):
        assert allows(found, np.full((1, 1), zero, F32)).all()
