"""Gradients beside differences of the function's own values, as the oracle computes both in F64."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from kina.elaborate import Elaborated, elaborate
from kina.oracle.interpreter import interpret
from support.values import DTYPES, Array, shape_at

STEP = 1e-3
TOLERANCE = 1e-8
"""Of a difference of fourth order: its error is about the step's fourth power, 1e-12, times the
fifth derivative; what is summed is rounded at 1e-16 and divided by the step."""


@dataclass(frozen=True)
class Case:
    """`result` is the shape of `value`, an expression over `parameters`, after `lines`."""

    name: str
    parameters: str
    result: str
    value: str
    lines: Sequence[str] = ()
    given: Mapping[str, object] = field(default_factory=dict)
    """Arguments that are not drawn: integers, and where it matters floats."""

    def __str__(self) -> str:
        return self.name


def program(case: Case, dims: str = "", range_: str = "") -> str:
    """A program whose loss is a sum of the case's value, each element with a weight of its own."""
    sizes = case.result.strip("[]")
    axes = ", ".join(str(i) for i in range(len(sizes.split(",")))) if sizes else ""
    weighted = f"sum(y * weights, axis=[{axes}])" if axes else "y * weights"
    lines = "\n  ".join([*case.lines, f"let y = {case.value}"])
    parameters = f"{case.parameters}, weights: F64{case.result}"
    head = f"reverseMode fn f{dims}({parameters}) -> F64[] {{"
    return f"{head}\n  {lines}\n  return {weighted}\n}}\nexport loss = f{range_}\n"


def signatures(text: str, **others: str) -> dict[str, Elaborated]:
    """The exports of a program; `others` are files beside it, named without `.kina`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in others.items():
            (Path(folder) / f"{name}.kina").write_text(content, encoding="utf-8")
        path = Path(folder) / "program.kina"
        path.write_text(text, encoding="utf-8")
        return {one.signature.name: one for one in elaborate(path)}


def assert_gradient(
    made: Mapping[str, Elaborated],
    given: Mapping[str, object],
    sizes: Mapping[str, int],
    step: float = STEP,
) -> None:
    """The gradient is the slope along random directions, of each parameter by itself."""
    loss, gradient = made.values()
    gradient.module.verify()
    values = arguments(loss, given, sizes)
    value, *cotangents = interpret(gradient.module, values)
    assert value == interpret(loss.module, values)[0]
    by = [i for i, x in enumerate(values) if x.dtype == np.float64]
    for i, cotangent in zip(by, cotangents, strict=True):
        assert (cotangent.dtype, cotangent.shape) == (values[i].dtype, values[i].shape)
        for seed in range(2):
            direction = np.random.default_rng([seed, i]).standard_normal(values[i].shape)

            def at(distance: float) -> float:
                moved = [*values[:i], values[i] + distance * direction, *values[i + 1 :]]
                return float(interpret(loss.module, moved)[0])

            near, far = at(step) - at(-step), at(2 * step) - at(-2 * step)
            slope = (8 * near - far) / (12 * step)
            found = float(np.sum(cotangent * direction))
            scale = max(1.0, float(np.abs(cotangent * direction).sum()))
            assert abs(found - slope) <= TOLERANCE * scale, (i, found, slope)


def arguments(
    loss: Elaborated, given: Mapping[str, object], sizes: Mapping[str, int]
) -> list[Array]:
    """What is given; else floats in -2..2, or in 0.5..2 where the name begins with `positive`."""
    result = []
    for i, parameter in enumerate(loss.signature.parameters):
        shape, dtype = shape_at(parameter.shape, sizes), DTYPES[parameter.dtype]
        least = 0.5 if re.match("positive", parameter.name) else -2
        drawn = np.random.default_rng([i, *shape]).uniform(least, 2, shape)
        result.append(np.asarray(given.get(parameter.name, drawn)).astype(dtype))
    return result
