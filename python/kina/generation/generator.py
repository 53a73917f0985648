"""From a prompt's text to the text that follows it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

from kina.generation.cached_model import CachedModel, cached_model
from kina.generation.errors import GenerationError
from kina.generation.loop import Generation
from kina.generation.program import Program, signatures
from kina.generation.sampling import sampling_from
from kina.generation.streaming import Detokenizer, StopFilter
from kina.models.config import check_program, is_tied, read_config
from kina.models.gguf_header import read_header
from kina.models.tokenizer import TextTokenizer, read_tokenizer
from kina.models.weights import load_weights
from kina.runtime import load


class Options(TypedDict, total=False):
    """What `Generator.stream` and `Generator.generate` take beside the prompt and the number of tokens."""

    temperature: float | None
    top_k: int | None
    top_p: float | None
    seed: int
    stop: Sequence[str]
    use_cache: bool
    parse_special: bool


class TextStream:
    """The new text of one request in pieces of whole characters. Iterate over it once."""

    def __init__(
        self, generation: Generation, tokenizer: TextTokenizer, stop: Sequence[str]
    ) -> None:
        self.generation = generation
        """The tokens behind the text: their number, the time they took, why they ended."""
        self._tokenizer = tokenizer
        self._stop = StopFilter(stop)

    def __iter__(self) -> Iterator[str]:
        detokenizer = Detokenizer(self._tokenizer.token_bytes)
        for token in self.generation:
            yield from self._shown(detokenizer.push(token))
            if self._stop.stopped:
                self.generation.reason = "stop"
                return
        yield from self._shown(detokenizer.end())
        if self._stop.stopped:
            self.generation.reason = "stop"
        yield from self._shown_at_end()

    def _shown(self, text: str) -> Iterator[str]:
        shown = self._stop.push(text)
        if shown:
            yield shown

    def _shown_at_end(self) -> Iterator[str]:
        rest = self._stop.end()
        if rest:
            yield rest


@dataclass(frozen=True)
class Generator:
    """A model and its tokenizer. `load_generator` makes one from files."""

    model: CachedModel
    tokenizer: TextTokenizer

    def stream(
        self,
        prompt: str,
        max_new_tokens: int = 200,
        *,
        temperature: float | None = None,
        top_k: int | None = None,
        top_p: float | None = None,
        seed: int = 0,
        stop: Sequence[str] = (),
        use_cache: bool = True,
        parse_special: bool = True,
    ) -> TextStream:
        """The text after `prompt`, as it is made. Greedy unless a filter is given.

        The text ends before an end-of-sequence token, before the first of the strings `stop`, after
        `max_new_tokens` tokens or with the context; `parse_special` reads control tokens written in the
        prompt as such. Raises GenerationError or ModelError where the request cannot be served.
        """
        generation = Generation(
            self.model,
            self.tokenizer.encode(prompt, parse_special=parse_special),
            max_new_tokens=max_new_tokens,
            sampling=sampling_from(temperature, top_k, top_p, seed),
            ends=self.tokenizer.ends,
            use_cache=use_cache,
        )
        return TextStream(generation, self.tokenizer, stop)

    def generate(self, prompt: str, max_new_tokens: int = 200, **options: Unpack[Options]) -> str:
        """The whole text that `stream` gives in pieces."""
        return "".join(self.stream(prompt, max_new_tokens, **options))


def load_generator(
    library: str | os.PathLike[str], gguf: str | os.PathLike[str], threads: int | None = None
) -> Generator:
    """The model that a compiled `library` computes with the weights of a GGUF file.

    Raises LoadError, ModelError or GenerationError where one of the two cannot be used, or not with
    the other.
    """
    return generator_from(load(library, threads), gguf)


def generator_from(program: Program, gguf: str | os.PathLike[str]) -> Generator:
    """As `load_generator`, for a program that is loaded already."""
    header = read_header(gguf)
    config = read_config(header)
    decode = signatures(program).get("decode")
    if decode is None:
        raise GenerationError(f"the program {program.manifest.program!r} has no signature 'decode'")
    check_program(config, decode)
    tokenizer = read_tokenizer(header)
    if len(tokenizer.pieces) != config.vocab_size:
        raise GenerationError(
            f"{header.path}: {len(tokenizer.pieces)} tokens have names, "
            f"the model gives logits for {config.vocab_size}"
        )
    weights = load_weights(header, config, tied=is_tied(decode))
    return Generator(cached_model(program, weights, config.context_length), tokenizer)
