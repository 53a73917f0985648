"""What may be meant by names that are not found."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from itertools import islice

from kina.syntax.lexer import shortened

_MOST = 1000
"""Candidates to look through; with more of them, many wrong names would take minutes."""

_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("matmul", "dot", "mm", "bmm"), "a @ b"),
    **dict.fromkeys(("where", "if_else"), "select(condition, a, b)"),
    **dict.fromkeys(("arange", "range"), "iota([N], axis=0)"),
    **dict.fromkeys(("zeros", "zeros_like", "ones", "ones_like"), "full([N], 0.0)"),
    **dict.fromkeys(("cat", "stack", "concatenate", "append"), "concat(a, b, axis=0)"),
    **dict.fromkeys(("permute", "swapaxes"), "transpose(x, perm=[1, 0])"),
    **dict.fromkeys(("view", "flatten", "squeeze", "unsqueeze"), "reshape(x, [2, 3])"),
    **dict.fromkeys(("expand", "repeat", "tile", "broadcast_to"), "broadcast(x, [2, 3])"),
    **dict.fromkeys(("astype", "convert", "to", "float", "int"), "cast(x, F32)"),
    **dict.fromkeys(("embedding", "take", "index_select"), "gather(table, ids)"),
    **dict.fromkeys(("power", "pown"), "pow(a, b)"),
    **dict.fromkeys(("maximum", "reduce_max", "amax"), "max(a, b) or max(x, axis=0)"),
    **dict.fromkeys(("minimum", "reduce_min", "amin"), "min(a, b) or min(x, axis=0)"),
    **dict.fromkeys(("reduce_sum", "cumsum"), "sum(x, axis=0)"),
    **dict.fromkeys(("average", "reduce_mean"), "mean(x, axis=0)"),
    "relu": "max(x, 0.0)",
    "silu": "x * sigmoid(x)",
    "neg": "-x",
}

_TYPES_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("float64", "double"), "F64"),
    **dict.fromkeys(("float32", "float"), "F32"),
    **dict.fromkeys(("float16", "half"), "F16"),
    **dict.fromkeys(("bfloat16",), "BF16"),
    **dict.fromkeys(("int64", "int", "long"), "I64"),
    **dict.fromkeys(("int32",), "I32"),
    **dict.fromkeys(("int8",), "I8"),
    **dict.fromkeys(("boolean",), "Bool"),
}


def called_here(name: str) -> str:
    """`; write ...` for an operation by the name that it has elsewhere, or nothing."""
    return f"; write {_ELSEWHERE[name]}" if name in _ELSEWHERE else ""


def type_here(name: str) -> str:
    """`; write F32` for a dtype by the name that it has elsewhere, or nothing."""
    dtype = _TYPES_ELSEWHERE.get(name.lower())
    return f"; write {dtype}" if dtype is not None else ""


def called_dtype(name: str) -> str:
    """The same for a value, which `half` may be and `float16` is not."""
    return type_here(name) if name[-1].isdigit() else ""


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the closest candidate, or nothing where none is close."""
    name = name[:200]  # the match takes quadratic time
    known = list(islice(candidates, _MOST + 1))
    if len(known) > _MOST:
        return ""
    options = {candidate.lower(): candidate for candidate in sorted(known)}
    close = difflib.get_close_matches(name.lower(), options, n=1, cutoff=0.6)
    return f"; did you mean '{shortened(options[close[0]])}'?" if close else ""
