"""Results that share, fold or come back: each lies in a buffer of its own, or in its donated parameter's."""

import numpy as np
import pytest

import kina
from kina.codegen.targets import target
from kina.codegen.tools import find_tools
from kina.compiler import compile_program
from kina.runtime.module import Module

PROGRAM = """
fn same(x: F32[4]) -> (F32[4], F32[4]) { return (x, x) }
fn folds(x: F32[4]) -> (F32[4], F32[4], F32[4]) {
  return (x * 1.0, max(x, x), select(x == x, x, x))
}
fn twice(x: F32[4]) -> (F32[4], F32[4]) {
  let y = x + x
  return (y, y)
}
fn views(x: F32[4]) -> (F32[4], F32[2, 2], F32[2], F32[2, 2]) {
  let y = x + x
  return (y, reshape(y, [2, 2]), slice(y, at=[1], size=[2]), transpose(reshape(y, [2, 2])))
}
fn loop(x: F32[4], n: I64[]) -> (F32[4], F32[4], F32[4]) {
  let (a, b) = for i in 0..n with a = x, b = x { yield (a, b + 1.0) }
  return (a, b, a)
}
fn swap(x: F32[4], y: F32[4], n: I64[]) -> (F32[4], F32[4]) {
  let (a, b) = for i in 0..n with a = x, b = y { yield (b, a) }
  return (a, b)
}
fn scalars(a: Bool[], n: I64[]) -> (Bool[], I64[], I64[]) { return (not(a), n + 1, n) }
fn update_and_read(x: F32[4], i: I64[]) -> (F32[4], F32[2], F32[]) {
  let y = update(x, full([1], 9.0), at=[i])
  return (y, slice(x, at=[1], size=[2]), sum(x, axis=0))
}
export same
export folds
export twice
export views
export loop
export swap
export scalars
export kept = update_and_read
export donated = update_and_read donate(x)
fn replaced(x: F32[4], y: F32[4]) -> F32[4] { return update(x, y, at=[0]) }
fn replaced_in_loop(x: F32[4], y: F32[4], n: I64[]) -> F32[4] {
  return for i in 0..n with x = x { yield update(x, y, at=[0]) }
}
fn replaced_scalar(x: F32[], y: F32[]) -> F32[] { return update(x, y, at=[]) }
fn reshaped(x: F32[4], i: I64[]) -> (F32[4], F32[4]) {
  let y = update(x, full([1], 9.0), at=[i])
  return (y, reshape(y, [4]))
}
fn back(x: F32[]) -> F32[] { return x }
export replaced donate(x)
export replaced_in_loop donate(x)
export replaced_scalar donate(x)
export reshaped donate(x)
export back donate(x)
"""

X = np.array([0, 1, 2, 3], np.float32)


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Module:
    folder = tmp_path_factory.mktemp("results")
    source = folder / "results.kina"
    source.write_text(PROGRAM)
    compile_program(source, folder / "results.so", target(), find_tools())
    return kina.load(folder / "results.so")


def equal(found: tuple[np.ndarray, ...], *expected: object) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


def test_a_parameter_that_comes_back_is_copied(module: Module) -> None:
    first, second = module.same(X)
    equal((first, second), X, X)
    assert not np.shares_memory(first, X) and not np.shares_memory(first, second)


def test_what_folds_to_a_parameter_is_written(module: Module) -> None:
    equal(module.folds(X), X, X, X)


def test_one_value_returned_twice(module: Module) -> None:
    equal(module.twice(X), 2 * X, 2 * X)


def test_views_of_one_value(module: Module) -> None:
    y = 2 * X
    equal(module.views(X), y, y.reshape(2, 2), y[1:3], y.reshape(2, 2).T)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_carry_that_does_not_change(module: Module, count: int) -> None:
    equal(module.loop(X, count), X, X + count, X)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_carries_that_swap(module: Module, count: int) -> None:
    a, b = (X, -X) if count % 2 == 0 else (-X, X)
    equal(module.swap(X, -X, count), a, b)


def test_scalars(module: Module) -> None:
    equal(module.scalars(np.array(True), 41), False, 42, 41)


@pytest.mark.parametrize("name", ["kept", "donated"])
def test_an_update_and_what_was_there_before(module: Module, name: str) -> None:
    x = X.copy()
    found = getattr(module, name)(x, 2)
    equal(found, [0, 1, 9, 3], [1, 2], 6)
    assert np.shares_memory(found[0], x) == (name == "donated")
    np.testing.assert_array_equal(x, [0, 1, 9, 3] if name == "donated" else X)


def test_a_donated_parameter_that_is_replaced_whole(module: Module) -> None:
    """Simplified, such a program no longer shows an update; the manifest said so before."""
    x, y = X.copy(), -X
    assert module.replaced(x, y) is x
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("count", [0, 2])
def test_a_donated_parameter_that_a_loop_replaces_whole(module: Module, count: int) -> None:
    x, y = X.copy(), -X
    assert module.replaced_in_loop(x, y, count) is x
    np.testing.assert_array_equal(x, y if count else X)


def test_a_donated_scalar(module: Module) -> None:
    x = np.array(1, np.float32)
    assert module.replaced_scalar(x, 2.0) is x
    assert x == 2
    assert module.back(x) is x
    assert x == 2


def test_another_result_of_the_donated_parameter(module: Module) -> None:
    """Only one of them is the donated buffer, also where simplifying makes them one value."""
    x = X.copy()
    first, second = module.reshaped(x, 2)
    assert first is x and not np.shares_memory(first, second)
    equal((first, second), [0, 1, 9, 3], [0, 1, 9, 3])
