"""What a host can do wrong, as exceptions with one clear message."""

from __future__ import annotations


class LoadError(Exception):
    """A file that cannot be loaded as a Kina library; the message names it and says why."""


class CallError(ValueError):
    """A call that a signature does not take.

    The message names the signature, the parameter, what was expected and what was found. The
    library was not entered, and no buffer was written.
    """
