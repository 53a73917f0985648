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
