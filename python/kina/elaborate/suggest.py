"""Close matches for names that are not found."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from kina.syntax.lexer import shortened


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the closest candidate, or nothing where none is close."""
    name = name[:200]  # the match takes quadratic time
    options = {candidate.lower(): candidate for candidate in sorted(candidates)}
    close = difflib.get_close_matches(name.lower(), options, n=1, cutoff=0.6)
    return f"; did you mean '{shortened(options[close[0]])}'?" if close else ""
