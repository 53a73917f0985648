"""Diagnostics are `file:line:col: error: message`, the line, a caret. Expectations by hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kina.syntax.source import Diagnostic, KinaError, Note, SourceFile, error, read_source


def shown(text: str, start: int, end: int, name: str = "a.kina") -> str:
    return str(Diagnostic("wrong", SourceFile(name, text).span(start, end)))


def test_line_column_line_and_caret() -> None:
    assert shown("one\ntwo three\n", 8, 13) == (
        "a.kina:2:5: error: wrong\n  two three\n      ^~~~~"
    )


def test_tabs_stay_so_that_the_caret_lines_up_at_any_tab_width() -> None:
    assert shown("\tlet\tx", 5, 6) == "a.kina:1:6: error: wrong\n  \tlet\tx\n  \t   \t^"


def test_columns_count_characters_and_carets_count_cells() -> None:
    # U+6F22 and U+5B57 take two cells each, U+00E9 one, and U+0301 combines into none.
    assert shown("漢字 é x", 5, 6) == "a.kina:1:6: error: wrong\n  漢字 é x\n         ^"
    assert shown("e\u0301 x", 3, 4).splitlines()[2] == "    ^"
    assert shown("漢字", 0, 2).splitlines()[2] == "  ^~~~"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_line_end_counts_once(line_end: str) -> None:
    text = f"ab{line_end}cd"
    start = text.index("d")
    assert shown(text, start, start + 1) == "a.kina:2:2: error: wrong\n  cd\n   ^"


def test_a_span_over_lines_is_marked_to_the_end_of_its_first() -> None:
    assert shown("abc\ndef", 1, 6) == "a.kina:1:2: error: wrong\n  abc\n   ^~"


def test_the_end_of_the_file_has_a_caret_too() -> None:
    assert shown("ab", 2, 2) == "a.kina:1:3: error: wrong\n  ab\n    ^"
    assert shown("ab\n", 3, 3) == "a.kina:2:1: error: wrong\n  \n  ^"


def test_a_long_line_is_cut_around_the_place() -> None:
    message, line, caret = shown("a" * 500_000 + "X" + "b" * 500_000, 500_000, 500_001).split("\n")
    assert message == "a.kina:1:500001: error: wrong"
    assert len(line) < 200 and line.startswith("  …a") and line.endswith("b…")
    assert line[caret.index("^")] == "X"


def test_a_long_message_is_cut_in_the_middle() -> None:
    message = "unknown name '" + "x" * 5_000_000 + "'"
    found = str(Diagnostic(message, SourceFile("a.kina", "").span(0, 0)))
    expected = "a.kina:1:1: error: unknown name '" + "x" * 486 + " … " + "x" * 499 + "'"
    assert found == expected


def test_control_characters_reach_no_terminal() -> None:
    text = shown("a\x1b[2Jb\x00", 0, 1, name="x\ny\udcff.kina")
    assert all(character.isprintable() or character == "\n" for character in text)
    assert text.count("\n") == 2
    text.encode("utf-8")


def test_notes_follow_with_their_own_place() -> None:
    source = SourceFile("a.kina", "f\ng")
    diagnostic = Diagnostic("wrong", source.span(0, 1), (Note("because", source.span(2, 3)),))
    assert str(diagnostic).split("\n")[3:] == ["a.kina:2:1: note: because", "  g", "  ^"]


def test_many_errors_are_cut() -> None:
    span = SourceFile("a.kina", "x").span(0, 1)
    text = str(KinaError([Diagnostic(f"wrong {i}", span) for i in range(23)]))
    assert text.count("error:") == 20
    assert text.endswith("... and 3 more errors")
    assert str(error("wrong", span)) == "a.kina:1:1: error: wrong\n  x\n  ^"


def test_a_byte_that_is_not_utf8_is_shown_in_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.kina"
    path.write_bytes("dim É = 1\n  ".encode() + b"\xff\xfe dim B")
    with pytest.raises(KinaError) as caught:
        read_source(path, "bad.kina")
    line = str(caught.value).splitlines()
    assert line[0] == "bad.kina:2:3: error: expected UTF-8 text, found the byte 0xff"
    assert line[2] == "    ^"


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bom.kina"
    path.write_bytes(b"\xef\xbb\xbfdim")
    assert read_source(path).text == "dim"


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.kina")  # to open it would wait for a writer
    for path in (
        tmp_path / "missing.kina",
        tmp_path,
        tmp_path / "nul\0.kina",
        tmp_path / "pipe.kina",
        Path("/dev/zero"),
    ):
        with pytest.raises(KinaError) as caught:
            read_source(path)
        assert "error: cannot read the file: " in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_file_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.kina"
    path.touch()
    os.truncate(path, 8 << 30)  # without a byte on the disk
    with pytest.raises(KinaError, match=f"it has {8 << 30} bytes; at most {16 << 20} are expected"):
        read_source(path)
