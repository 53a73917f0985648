"""What tests of compiled operations have in common."""

from __future__ import annotations

from kina.oracle.interpreter import interpret
from support.case import Case, disagreement, module_of
from support.compiled import Functions


def check(case: Case, functions: Functions) -> None:
    """The compiled operation gives what the oracle gives, and leaves its operands alone."""
    given = [operand.copy() for operand in case.operands]
    results = functions[case.name](*given)
    results = results if isinstance(results, tuple) else (results,)
    expected = interpret(module_of(case), case.operands)
    assert len(results) == len(expected)
    for result, value in zip(results, expected):
        assert disagreement(result, value, case.tolerance) is None
    for before, after in zip(case.operands, given):
        assert before.tobytes() == after.tobytes()
