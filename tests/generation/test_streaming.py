"""Whole characters, and nothing of a stop string."""

from __future__ import annotations

import random

import pytest

from kina.generation.errors import GenerationError
from kina.generation.streaming import Detokenizer, StopFilter
from kina.models.gguf_header import read_header
from kina.models.tokenizer import read_tokenizer
from support.artifacts import smollm2_gguf


def stream(*pieces: str) -> tuple[list[str], str]:
    """What each piece, given in hexadecimal, lets out; and what the end does."""
    detokenizer = Detokenizer([bytes.fromhex(piece) for piece in pieces].__getitem__)
    return [detokenizer.push(token) for token in range(len(pieces))], detokenizer.end()


@pytest.mark.parametrize(
    ("pieces", "shown", "end"),
    [
        (("e6", "ad aa"), ["", "歪"], ""),
        (("e6 ad",), [""], "\ufffd"),
        (("f0", "9f", "99", "82"), ["", "", "", "🙂"], ""),
        (("61 e6", "62"), ["a", "\ufffdb"], ""),
        (("ff", "41"), ["\ufffd", "A"], ""),
        (("c3", "c3", "a9"), ["", "\ufffd", "é"], ""),
        (("", "41"), ["", "A"], ""),
    ],
)
def test_characters_come_out_whole(pieces, shown, end):
    assert stream(*pieces) == (shown, end)


def test_the_stream_of_any_ids_joins_to_their_decode():
    tokenizer = read_tokenizer(read_header(smollm2_gguf()))
    generator = random.Random(1)
    # Tokens of bytes that are no characters of their own make the interesting lists.
    fragments = [i for i, piece in enumerate(tokenizer.pieces) if len(piece) == 1][:300]
    for _ in range(1000):
        ids = [
            generator.choice(fragments)
            if generator.random() < 0.5
            else generator.randrange(len(tokenizer.pieces))
            for _ in range(generator.randrange(30))
        ]
        detokenizer = Detokenizer(tokenizer.token_bytes)
        pieces = [detokenizer.push(token) for token in ids]
        assert "".join(pieces) + detokenizer.end() == tokenizer.decode(ids)


def filtered(stops: list[str], *pieces: str) -> tuple[list[str], str, bool]:
    stop = StopFilter(stops)
    shown = [stop.push(piece) for piece in pieces]
    return shown, stop.end(), stop.stopped


@pytest.mark.parametrize(
    ("pieces", "shown", "end", "stopped"),
    [
        (("DEF", "G", "HI", "J"), ["", "", "", ""], "", True),
        (("DEF", "G", "X"), ["", "", "DEFGX"], "", False),
        (("DEF",), [""], "DEF", False),
        (("abcDEFGHIJxyz", "more"), ["abc", ""], "", True),
        (("DEDEFGH", "IJ"), ["DE", ""], "", True),
        (("DEFDEFGHI", "JK"), ["DEF", ""], "", True),
        (("", "D", "", "x"), ["", "", "", "Dx"], "", False),
    ],
)
def test_a_stop_string_over_several_pieces(pieces, shown, end, stopped):
    assert filtered(["DEFGHIJ"], *pieces) == (shown, end, stopped)


def test_the_first_of_several_stop_strings_ends_the_text():
    assert filtered(["\n\n", "User:"], "Hi\n", "User:", "x") == (["Hi", "\n", ""], "", True)
    assert filtered(["bc", "abcd"], "xab", "cd") == (["x", ""], "", True)
    assert filtered(["aa"], "a", "a") == (["", ""], "", True)


def test_without_stop_strings_everything_passes_at_once():
    assert filtered([], "a", "", "b") == (["a", "", "b"], "", False)


def test_an_empty_stop_string_is_refused():
    with pytest.raises(GenerationError, match="a stop string is empty"):
        StopFilter(["x", ""])


def test_any_split_of_a_text_shows_what_lies_before_the_first_stop():
    generator = random.Random(2)
    for _ in range(2000):
        text = "".join(generator.choices("ab", k=generator.randrange(12)))
        stops = ["".join(generator.choices("ab", k=generator.randrange(1, 5))) for _ in range(2)]
        found = [text.index(stop) for stop in stops if stop in text]
        cuts = sorted(generator.choices(range(len(text) + 1), k=3))
        parts = [text[i:j] for i, j in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        shown, end, stopped = filtered(stops, *parts)
        if found:
            # A stop string that ends first wins, and shows nothing from its own start on.
            assert stopped
            assert text.startswith("".join(shown))
            assert not any(stop in "".join(shown) for stop in stops)
            assert len("".join(shown)) >= min(found)
        else:
            assert ("".join(shown) + end, stopped) == (text, False)
