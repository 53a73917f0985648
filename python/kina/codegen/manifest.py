"""What a library says of itself."""

from __future__ import annotations

from collections.abc import Sequence

from kina.abi import Manifest, Signature
from kina.codegen.targets import Target

COMPILER = "kina 0.1.0, LLVM 22.1.8"
"""The version of this compiler, as it stands in every manifest."""


def manifest(program: str, signatures: Sequence[Signature], target: Target) -> Manifest:
    """The manifest of these signatures, compiled for `target`."""
    return Manifest(program, target.name, target.triple, tuple(signatures), COMPILER)
