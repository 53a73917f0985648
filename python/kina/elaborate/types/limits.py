"""How large a program may grow; beyond, one error says so, where else memory or time would end.

The limits lie far above what a model takes: one of SmolLM2's signatures takes 200 operations.
"""

from __future__ import annotations

from kina.syntax.source import Diagnostic, KinaError, Span

LARGEST_TENSOR = 2**47
"""Bytes that a tensor may take: the address space of today's processors."""

MOST_OPERATIONS = 50_000
"""Operations of a signature, once every call is inlined."""

MOST_GRADIENT_OPERATIONS = 5 * MOST_OPERATIONS
"""Operations of a gradient: those of its function again, and about two more for each."""

MOST_STEPS = 150_000
"""Expressions that are evaluated for a signature, those of inlined functions at each call."""

DEEPEST = 80
"""Levels of nesting while a signature is elaborated, counted through the calls."""


class TooLarge(KinaError):
    """The program grows or nests without end: there is no point in looking for more errors."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__([Diagnostic(message, span)])
