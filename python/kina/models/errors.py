"""The one error of this package."""

from __future__ import annotations


class ModelError(Exception):
    """A model's file cannot be used; the message names the file, the place and what was expected."""
