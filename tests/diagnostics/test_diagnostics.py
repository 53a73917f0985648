"""The message of every wrong program of the table, to the letter."""

from __future__ import annotations

import re

import pytest
from table import PAGES, Case, cases, said

TABLE = [case for page in PAGES for case in cases(page)]


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case.title)
def test_the_message_is_the_one_of_the_table(case: Case) -> None:
    assert said(case) == case.message


def test_the_table_has_many_cases_and_no_title_twice() -> None:
    titles = [case.title for case in TABLE]
    assert len(titles) >= 100
    assert sorted(set(titles)) == sorted(titles)


def test_no_word_of_the_compilers_own_reaches_a_reader() -> None:
    inner = re.compile(r"mlir|xdsl|ssa|tensor<|traceback|kina\.\w+\(|NoneType", re.IGNORECASE)
    assert [case.title for case in TABLE if inner.search(case.message)] == []
