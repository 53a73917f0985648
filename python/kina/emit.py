"""The stages from a program's text to the golden level, by itself: they need none of those behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kina.abi import Signature
from kina.codegen.schedule import schedule
from kina.codegen.targets import Target
from kina.elaborate import Elaborated, elaborate
from kina.lowering import lower
from kina.passes.simplify import simplify


@dataclass(frozen=True)
class Emitted:
    """One signature at the golden level: linalg on tensors, and the schedule for it."""

    signature: Signature
    module: str
    schedule: str


def emit(source: Path, target: Target, exports: Sequence[str] | None = None) -> list[Emitted]:
    """Check a program and lower its exports, all of them or those that are named.

    Raises KinaError with every diagnostic of the program.
    """
    return [emit_one(elaborated, target) for elaborated in elaborate(source, exports)]


def emit_one(elaborated: Elaborated, target: Target) -> Emitted:
    """Lower one signature, whose dialect module is used up."""
    simplify(elaborated.module)
    module = str(lower(elaborated.module)) + "\n"
    return Emitted(elaborated.signature, module, schedule(module, target))
