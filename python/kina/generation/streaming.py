"""From tokens as they come to text that may be shown: whole characters, and nothing of a stop string."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence

from kina.generation.errors import GenerationError


class Detokenizer:
    """Joins the bytes of tokens and gives out whole characters.

    The pieces and the end together are the decode of all the bytes: what is not UTF-8 becomes U+FFFD.
    """

    def __init__(self, token_bytes: Callable[[int], bytes]) -> None:
        self._token_bytes = token_bytes
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def push(self, token: int) -> str:
        """The characters that are whole once `token` is known; may be empty."""
        return self._decoder.decode(self._token_bytes(token))

    def end(self) -> str:
        """U+FFFD where the tokens ended inside a character, else nothing."""
        return self._decoder.decode(b"", final=True)


class StopFilter:
    """Passes text on up to the first stop string, holding back what may turn out to begin one."""

    def __init__(self, stops: Sequence[str]) -> None:
        if not all(stops):
            raise GenerationError("a stop string is empty; at least one character is expected")
        self._stops = tuple(stops)
        self._held = ""
        self.stopped = False
        """Whether a stop string came; no text passes after it."""

    def push(self, text: str) -> str:
        """The text that is now known to lie before any stop string."""
        if self.stopped:
            return ""
        text = self._held + text
        found = [at for at in map(text.find, self._stops) if at >= 0]
        if found:
            self.stopped = True
            self._held = ""
            return text[: min(found)]
        keep = self._possible_start(text)
        self._held = text[keep:]
        return text[:keep]

    def end(self) -> str:
        """What was held back and turned out to begin no stop string."""
        text, self._held = self._held, ""
        return text

    def _possible_start(self, text: str) -> int:
        """Where the longest end of `text` begins that a stop string begins with."""
        longest = max(map(len, self._stops), default=1) - 1
        for at in range(max(0, len(text) - longest), len(text)):
            if any(stop.startswith(text[at:]) for stop in self._stops):
                return at
        return len(text)
