"""The operations of the language: how each is called and what type its result has.

One file per kind of operation; in it, a rule per operation. The dialect's verifiers hold the same
rules for what the compiler writes; here they are said in the words of the user's program.
"""

from __future__ import annotations

from collections.abc import Mapping

from kina.elaborate.bodies.operations import (
    broadcasting,
    creation,
    elementwise,
    indexing,
    reduction,
    shape,
)
from kina.elaborate.bodies.operations.arguments import Rule

RULES: Mapping[str, Rule] = {
    rule.name: rule
    for module in (elementwise, broadcasting, reduction, shape, creation, indexing)
    for rule in module.RULES
}
"""Every operation that is called by a name; `+ - * / % @` and comparisons are operators."""
