"""The meaning of products that sum over an axis."""

from __future__ import annotations

import numpy as np

from kina.oracle.arrays import Array, widen
from kina.oracle.elementwise import cast


def matmul(a: Array, b: Array) -> Array:
    """`[batch.., M, K] @ [batch.., K, N] -> [batch.., M, N]`; a batch of 1 stretches.

    F16 and BF16 accumulate in F32 and round once; the order of the sum is the BLAS library's.
    """
    return cast(np.matmul(widen(a), widen(b)), a.dtype)
