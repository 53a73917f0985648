"""The Kina side of the benchmark: a compiled model on the weights of a GGUF file."""

from __future__ import annotations

import sys

import worker

from kina.generation.cached_model import Cache
from kina.generation.generator import load_generator


class Kina:
    """The model as `kina generate` runs it."""

    name = "kina"

    def __init__(self, library: str, gguf: str) -> None:
        self._model = load_generator(library, gguf).model
        self.vocabulary: int = self._model.weights["embed"].shape[0]
        self.set_threads = self._model.program.set_threads
        self.new_cache = self._model.new_cache

    def best_token(self, tokens: list[int], cache: Cache) -> int:
        """Append `tokens` to the cache; the most probable token after them."""
        return int(self._model.forward(tokens, cache).argmax())


if __name__ == "__main__":
    worker.serve(Kina(*sys.argv[1:]))
