"""Every operation of the dialect, over several shapes and all the dtypes that it takes.

For any test that compares an implementation of operations with the oracle: `CASES` holds an
operation with operands (NaN, infinities, signed zeros, denormals, the extremes of integers, ids
and indices far outside), `module_of(case)` makes its dialect module, `disagreement` compares a
result under the case's tolerance. What the oracle itself must give is tests/oracle's.

    expected = interpret(module_of(case), case.operands)
    assert disagreement(actual, expected[0], case.tolerance) is None
"""

from __future__ import annotations

from support.case import EXACT, VALUE, Case, Tolerance, disagreement, module_of
from support.elementwise_cases import elementwise_cases
from support.reduction_cases import reduction_cases
from support.shape_cases import shape_cases

__all__ = ["CASES", "EXACT", "VALUE", "Case", "Tolerance", "disagreement", "module_of"]

CASES: tuple[Case, ...] = (*elementwise_cases(), *reduction_cases(), *shape_cases())
"""In a fixed order, each with a name of its own: `op-dtype-what`."""
