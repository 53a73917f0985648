"""What a host loop needs of a compiled program. `kina.load` returns one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from kina.abi import Manifest, Signature


class Program(Protocol):
    """A compiled library: its manifest, and every signature callable under its own name."""

    @property
    def manifest(self) -> Manifest:
        """The signatures with the shapes of their parameters and results."""
        ...

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """The signature `name`: NumPy arrays in, one array or a tuple of arrays out."""
        ...


def signatures(program: Program) -> dict[str, Signature]:
    """The program's signatures by name."""
    return {signature.name: signature for signature in program.manifest.signatures}
