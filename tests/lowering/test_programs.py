"""Random programs, compiled, against the oracle: lowering decisions that depend on each other."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import Functions, compile_modules
from programs import donate, random_program
from xdsl.dialects import func
from xdsl.dialects.builtin import f32

from kina.dialect.checks import tensor_of
from kina.oracle.interpreter import interpret
from kina.passes.simplify import simplify
from support.values import Array, small_integers

SEEDS = range(100)


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Functions:
    modules = {f"program{seed}": random_program(seed, f"program{seed}") for seed in SEEDS}
    for seed in SEEDS[::3]:
        donate(modules[f"program{seed}"], seed)
    # Every other one as the compiler does it: values that are equal are one value then.
    for seed in SEEDS[::2]:
        simplify(modules[f"program{seed}"])
    return compile_modules(modules, tmp_path_factory.mktemp("programs"), at_once=25)


@pytest.mark.parametrize("seed", SEEDS)
def test_gives_what_the_oracle_gives(seed: int, functions: Functions) -> None:
    name = f"program{seed}"
    module = random_program(seed, name)
    operands = _operands(module.body.block.first_op, seed)
    expected = interpret(module, operands)
    given = [operand.copy() for operand in operands]
    results = functions[name](*given)
    results = results if isinstance(results, tuple) else (results,)
    for result, value in zip(results, expected, strict=True):
        assert result.dtype == value.dtype
        # Whole numbers: equal whatever the order of sums.
        np.testing.assert_array_equal(result, value)
    for before, after in zip(operands, given):
        if not any(result is after for result in results):
            np.testing.assert_array_equal(after, before)


def _operands(function: object, seed: int) -> list[Array]:
    assert isinstance(function, func.FuncOp)
    generator = np.random.default_rng(seed)
    return [
        small_integers("F32", tensor_of(argument).get_shape(), seed + i, limit=2)
        if tensor_of(argument).element_type == f32
        else np.asarray(generator.integers(-1, 5))
        for i, argument in enumerate(function.body.block.args)
    ]
