"""Close matches for names that are not found."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from itertools import islice

from kina.syntax.lexer import shortened

_MOST = 1000
"""Candidates to look through; with more of them, many wrong names would take minutes."""


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the closest candidate, or nothing where none is close."""
    name = name[:200]  # the match takes quadratic time
    known = list(islice(candidates, _MOST + 1))
    if len(known) > _MOST:
        return ""
    options = {candidate.lower(): candidate for candidate in sorted(known)}
    close = difflib.get_close_matches(name.lower(), options, n=1, cutoff=0.6)
    return f"; did you mean '{shortened(options[close[0]])}'?" if close else ""
