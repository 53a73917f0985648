"""How many threads a call computes with."""

from __future__ import annotations

import operator
import os

MAX_THREADS = 256
"""More help no program; and where threads run out, the OpenMP runtime ends the process."""

_default: int | None = None


def set_threads(threads: int | None) -> None:
    """Set how many threads the calls of all libraries use; None for every core.

    A library with a count of its own (`Module.set_threads`) keeps that.

    Raises:
        TypeError: the count is no integer.
        ValueError: it is not in 1 to `MAX_THREADS`.
    """
    global _default
    _default = checked(threads)


def default_threads() -> int:
    """What `set_threads` asked for, or else the cores that this process may use."""
    return _default if _default is not None else min(len(os.sched_getaffinity(0)), MAX_THREADS)


def checked(threads: int | None) -> int | None:
    """The count, where it is one; else TypeError or ValueError."""
    if threads is None:
        return None
    if isinstance(threads, bool):
        raise TypeError(f"expected a number of threads, found {threads}")
    try:
        count = operator.index(threads)
    except TypeError:
        raise TypeError(f"expected a number of threads, found {threads!r}") from None
    if not 1 <= count <= MAX_THREADS:
        raise ValueError(f"expected 1 to {MAX_THREADS} threads, found {count}")
    return count
