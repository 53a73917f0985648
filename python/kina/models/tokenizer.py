"""The tokenizer that a GGUF file carries: text to ids, and ids to the bytes they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from gguf.constants import TokenType
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from kina.models.errors import ModelError
from kina.models.gguf_header import GGUFHeader

_MODEL: Final = "gpt2"
_PRE_TOKENIZER: Final = "smollm"
_END_KEYS: Final = ("eos_token_id", "eot_token_id", "eom_token_id")


def _byte_alphabet() -> Mapping[str, int]:
    """The byte behind each of the 256 characters that stand for bytes in a byte-level vocabulary.

    GPT-2's table: printable Latin-1 stands for itself, every other byte, in order, for U+0100 onward.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    alphabet = {chr(byte): byte for byte in printable}
    return alphabet | {chr(0x100 + index): byte for index, byte in enumerate(others)}


_BYTES: Final = _byte_alphabet()


@dataclass(frozen=True)
class TextTokenizer:
    """Byte-level BPE over a model's own vocabulary. Make one with `read_tokenizer`."""

    path: str
    """The file, for messages."""
    pieces: Sequence[str]
    """The vocabulary: token id to its text, bytes written in the byte alphabet."""
    bos: int | None
    """The token that the file wants before every text; None where it wants none."""
    ends: frozenset[int]
    """The tokens that end a text."""
    _backend: Tokenizer
    _unspeakable: frozenset[int]
    """Bytes that no token of the vocabulary stands for."""

    def encode(self, text: str, *, parse_special: bool = True) -> list[int]:
        """The ids of `text`, after the beginning-of-sequence token where the file asks for it.

        `parse_special`: control tokens written in the text (`<|im_start|>`) become those tokens;
        otherwise they are text like any other. Raises ModelError where the text holds a byte that the
        vocabulary cannot express, and where no token at all would come out.
        """
        try:
            missing = self._unspeakable.intersection(text.encode())
        except UnicodeEncodeError as error:
            raise ModelError(f"the text is not Unicode: {error.reason}") from error
        if missing:
            raise ModelError(
                f"{self.path}: the vocabulary has no token for the byte 0x{min(missing):02x} "
                "of the text"
            )
        self._backend.encode_special_tokens = not parse_special
        ids: list[int] = self._backend.encode(text, add_special_tokens=False).ids
        if self.bos is not None and ids[:1] != [self.bos]:
            ids.insert(0, self.bos)
        if not ids:
            raise ModelError("the prompt is empty, and this model begins no text of its own")
        return ids

    def token_bytes(self, token: int) -> bytes:
        """The bytes that one token adds to a text; control tokens add their name."""
        piece = self.pieces[token]
        try:
            return bytes(map(_BYTES.__getitem__, piece))
        except KeyError:  # not in the byte alphabet: an added token, written as it is
            return piece.encode()

    def decode(self, tokens: Iterable[int]) -> str:
        """The text of `tokens`; what is not UTF-8 in it becomes U+FFFD."""
        return b"".join(map(self.token_bytes, tokens)).decode(errors="replace")


def read_tokenizer(header: GGUFHeader) -> TextTokenizer:
    """The tokenizer in a GGUF header.

    Raises ModelError for a kind of tokenizer that Kina does not run and for a vocabulary that
    contradicts itself.
    """
    vocabulary = _Vocabulary(header)
    kind = header.metadata.get("tokenizer.ggml.model")
    pre = header.metadata.get("tokenizer.ggml.pre")
    if kind != _MODEL or pre != _PRE_TOKENIZER:
        raise vocabulary.error(
            f"the tokenizer is {kind!r} with pre-tokenizer {pre!r}; "
            f"Kina runs {_MODEL!r} with {_PRE_TOKENIZER!r}"
        )
    pieces = vocabulary.strings("tokens")
    types = vocabulary.types(len(pieces))
    ids = {piece: token for token, piece in enumerate(pieces)}
    if len(ids) != len(pieces):
        twice = next(p for token, p in enumerate(pieces) if ids[p] != token)
        raise vocabulary.error(f"token {twice!r} is in the vocabulary twice")
    backend = Tokenizer(models.BPE(vocab=ids, merges=vocabulary.merges(ids)))
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    backend.decoder = decoders.ByteLevel()
    for kind_of_token, special in ((TokenType.CONTROL, True), (TokenType.USER_DEFINED, False)):
        backend.add_tokens(
            [
                AddedToken(pieces[token], special=special, normalized=False)
                for token in np.flatnonzero(types == kind_of_token)
            ]
        )
    adds_bos = header.metadata.get("tokenizer.ggml.add_bos_token", False)
    bos = vocabulary.token("bos_token_id", len(pieces)) if adds_bos else None
    if adds_bos and bos is None:
        raise vocabulary.error("the file asks for a beginning-of-sequence token and names none")
    ends = (vocabulary.token(key, len(pieces)) for key in _END_KEYS)
    return TextTokenizer(
        path=str(header.path),
        pieces=pieces,
        bos=bos,
        ends=frozenset(end for end in ends if end is not None),
        _backend=backend,
        _unspeakable=frozenset(byte for char, byte in _BYTES.items() if char not in ids),
    )


class _Vocabulary:
    """The `tokenizer.ggml` keys of a header, checked."""

    def __init__(self, header: GGUFHeader) -> None:
        self._header = header

    def error(self, message: str) -> ModelError:
        return ModelError(f"{self._header.path}: {message}")

    def strings(self, key: str) -> list[str]:
        value = self._header.metadata.get(f"tokenizer.ggml.{key}")
        if not isinstance(value, list) or not value:
            raise self.error(f"metadata key 'tokenizer.ggml.{key}' is no array of strings")
        return value

    def types(self, count: int) -> np.ndarray:
        value = self._header.metadata.get("tokenizer.ggml.token_type")
        if not isinstance(value, np.ndarray) or value.shape != (count,):
            raise self.error(
                f"metadata key 'tokenizer.ggml.token_type' does not give a type to {count} tokens"
            )
        return value

    def merges(self, ids: Mapping[str, int]) -> list[tuple[str, str]]:
        merges = []
        for line in self.strings("merges"):
            left, _, right = line.partition(" ")
            if left not in ids or right not in ids or left + right not in ids:
                raise self.error(f"merge {line!r} is not between tokens of the vocabulary")
            merges.append((left, right))
        return merges

    def token(self, key: str, count: int) -> int | None:
        value = self._header.metadata.get(f"tokenizer.ggml.{key}")
        if value is None:
            return None
        if type(value) is not int or not 0 <= value < count:
            raise self.error(
                f"metadata key 'tokenizer.ggml.{key}' is {value!r}; an id below {count} is expected"
            )
        return value
