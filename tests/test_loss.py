"""StoryLM-0's loss and its gradient, compiled: against NumPy, PyTorch and the oracle, and a training loop.

The weights are those of the other tests, the text is one in which tokens come again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kina
from kina.elaborate import elaborate
from kina.oracle.interpreter import interpret
from reference import storylm0
from support.artifacts import storylm0_library, storylm0_source
from support.interpreted import assert_as_interpreted

WEIGHTS = storylm0.patterned_weights()
TEXT = np.array([[3, 7, 5, 2, 3, 7, 1, 0, 3]])
LENGTHS = [1, 2, 5, 8]
# Sums of a few dozen float32 products of magnitude 1, in whatever order.
TOLERANCE = {"rtol": 0, "atol": 1e-5}
STEP = 1e-3
# Differences of fourth order: the fourth power of the step, times a fifth derivative of magnitude 10.
DIFFERENCES = {"rtol": 0, "atol": 1e-10}

Weights = Mapping[str, Any]


@pytest.fixture(scope="module")
def program():
    return kina.load(storylm0_library("loss"))


@pytest.fixture(scope="module")
def gradient_in_f64():
    """The gradient of the program's copy in F64, as the oracle computes it."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("forward", "loss"):
            source = storylm0_source(name)
            text = source.read_text(encoding="utf-8").replace("F32", "F64")
            (Path(folder) / source.name).write_text(text, encoding="utf-8")
        (made,) = elaborate(Path(folder) / "storylm0_loss.kina", ["loss_gradient"])
    return made.module


def parts(length: int) -> tuple[np.ndarray, np.ndarray]:
    """Tokens of the text, and those that follow them."""
    return TEXT[:, :length], TEXT[:, 1 : length + 1]


def cross_entropy(weights: Weights, length: int) -> float:
    """The mean of -log(softmax(logits)[next]), in the dtype of the weights."""
    tokens, following = parts(length)
    logits = storylm0.forward(np, weights, tokens)[0]
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return float(-np.log(shares[np.arange(length), following[0]]).mean())


def slopes(weights: Weights, length: int) -> dict[str, np.ndarray]:
    """The gradient of `cross_entropy` by differences, element by element, in float64."""
    exact = {name: array.astype(np.float64) for name, array in weights.items()}
    result = {}
    for name, array in exact.items():
        result[name] = np.zeros(array.shape)
        for place in np.ndindex(array.shape):

            def at(distance: float) -> float:
                moved = array.copy()
                moved[place] += distance
                return cross_entropy({**exact, name: moved}, length)

            near, far = at(STEP) - at(-STEP), at(2 * STEP) - at(-2 * STEP)
            result[name][place] = (8 * near - far) / (12 * STEP)
    return result


def test_the_signatures(program):
    names = [signature.name for signature in program.manifest.signatures]
    assert names == ["loss", "loss_gradient", "loss_5", "loss_5_gradient"]
    value, gradient = program.manifest.signatures[:2]
    assert gradient.parameters == value.parameters
    floats = [p for p in value.parameters if p.dtype == "F32"]
    assert [p.name for p in floats] == [f"w.{name}" for name in WEIGHTS]
    found = [(r.dtype, r.shape) for r in gradient.results]
    assert found == [("F32", ()), *((p.dtype, p.shape) for p in floats)]


@pytest.mark.parametrize("length", LENGTHS)
def test_the_loss_is_numpys(program, length):
    expected = cross_entropy(WEIGHTS, length)
    np.testing.assert_allclose(program.loss(WEIGHTS, *parts(length)), expected, **TOLERANCE)
    value, *_ = program.loss_gradient(WEIGHTS, *parts(length))
    np.testing.assert_allclose(value, expected, **TOLERANCE)


@pytest.mark.parametrize("length", LENGTHS)
def test_the_gradient_is_the_slope(program, gradient_in_f64, length):
    expected = slopes(WEIGHTS, length)
    _, *compiled = program.loss_gradient(WEIGHTS, *parts(length))
    arguments = [array.astype(np.float64) for array in WEIGHTS.values()]
    _, *exact = interpret(gradient_in_f64, [*arguments, *parts(length)])
    for name, found, precise in zip(WEIGHTS, compiled, exact, strict=True):
        np.testing.assert_allclose(precise, expected[name], **DIFFERENCES, err_msg=name)
        np.testing.assert_allclose(found, expected[name], **TOLERANCE, err_msg=name)


def test_one_length_by_itself_gives_what_the_open_one_gives(program):
    one = program.loss_5_gradient(WEIGHTS, *parts(5))
    for found, expected in zip(one, program.loss_gradient(WEIGHTS, *parts(5)), strict=True):
        np.testing.assert_allclose(found, expected, **TOLERANCE)


@pytest.mark.parametrize("length", LENGTHS)
def test_pytorch_gives_the_same_gradient(program, length):
    torch = pytest.importorskip("torch")
    weights = {n: torch.from_numpy(a.copy()).requires_grad_() for n, a in WEIGHTS.items()}
    tokens, following = (torch.from_numpy(part.copy()) for part in parts(length))
    logits = storylm0.forward(torch, weights, tokens)
    loss = torch.nn.functional.cross_entropy(logits[0], following[0])
    loss.backward()
    value, *gradient = program.loss_gradient(WEIGHTS, *parts(length))
    np.testing.assert_allclose(value, loss.detach().numpy(), **TOLERANCE)
    for name, found in zip(WEIGHTS, gradient, strict=True):
        np.testing.assert_allclose(found, weights[name].grad.numpy(), **TOLERANCE, err_msg=name)


def test_training_by_the_host_lowers_the_loss(program):
    """Plain gradient descent: every step of this size goes down, and the text is learnt."""
    weights, losses = {name: array.copy() for name, array in WEIGHTS.items()}, []
    for _ in range(40):
        loss, *gradient = program.loss_gradient(weights, *parts(8))
        losses.append(float(loss))
        for name, slope in zip(weights, gradient, strict=True):
            weights[name] = weights[name] - np.float32(0.1) * slope
    assert all(later < earlier for earlier, later in zip(losses, losses[1:]))
    # A guess among all eight tokens costs log(8) = 2.08.
    assert losses[0] > np.log(8) and losses[-1] < 0.5 * np.log(8)


def test_every_signature_gives_what_the_oracle_gives(program):
    assert_as_interpreted(program, storylm0_source("loss"))
