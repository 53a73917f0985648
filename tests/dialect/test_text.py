"""Every operation prints as text that parses to itself: the table of cases holds each."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser

from kina.dialect import ops as kina
from support.ops_cases import CASES, Case, module_of


@pytest.mark.parametrize("case", CASES, ids=str)
def test_round_trip(case: Case) -> None:
    module = module_of(case)
    module.verify()
    text = str(module)
    again = Parser(kina.context(), text).parse_module()
    again.verify()
    assert again.is_structurally_equivalent(module)
    assert str(again) == text


def test_the_cases_hold_every_operation() -> None:
    held = {op.name for case in CASES for op in module_of(case).walk()}
    held.add("kina.size")  # open sizes are written, but not read
    assert [op.name for op in kina.Kina.operations if op.name not in held] == []
