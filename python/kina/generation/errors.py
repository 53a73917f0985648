"""The one error of this package."""

from __future__ import annotations


class GenerationError(Exception):
    """A request cannot be served; the message says what was asked and what is possible."""
