"""Compiled operations that move elements, and loops, against the oracle, over several shapes and all dtypes."""

from __future__ import annotations

import pytest
from against_oracle import check

from support.case import Case
from support.compiled import Functions, compile_cases
from support.shape_cases import shape_cases

CASES = tuple(shape_cases())


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Functions:
    return compile_cases(CASES, tmp_path_factory.mktemp("shape"))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_gives_what_the_oracle_gives(case: Case, functions: Functions) -> None:
    check(case, functions)
