"""Kina: a small tensor language, its ahead-of-time compiler, and the host that runs its programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kina.runtime import load, set_threads

__all__ = ["load", "set_threads"]


def __getattr__(name: str) -> Any:
    # The runtime brings NumPy, which the compiler's front end does without.
    if name in __all__:
        from kina import runtime

        return getattr(runtime, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
