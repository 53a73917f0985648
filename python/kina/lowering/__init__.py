"""From the `kina` dialect to linalg on tensors: the golden level."""

from kina.lowering.walk import lower

__all__ = ["lower"]
