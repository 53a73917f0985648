"""The library of this workspace, called through Kina's host."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import kina

LIBRARY = Path(__file__).absolute().parent / "celsius_so/libcelsius.so"


def test_known_temperatures() -> None:
    # Ice and steam, where both scales meet, absolute zero and a body.
    module = kina.load(LIBRARY)
    celsius = np.array([0, 100, -40, -273.15, 37], np.float32)
    expected = np.array([32, 212, -40, -459.67, 98.6], np.float32)
    np.testing.assert_allclose(module.fahrenheit(celsius), expected, rtol=1e-6, atol=1e-5)
