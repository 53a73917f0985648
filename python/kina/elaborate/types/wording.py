"""Types and sizes in the words of the program, for messages."""

from __future__ import annotations

from collections.abc import Sequence

from kina.dialect.dtypes import Tensor, dtype_name, type_shape
from kina.sizes import Open, Size, least
from kina.syntax import tree
from kina.syntax.source import Span

_LONGEST_QUOTE = 30


def show_tensor(type_: Tensor, names: Sequence[str]) -> str:
    """A type with the program's own names for its sizes: `F32[T = 4, 2]`."""
    return dtype_name(type_.element_type) + show_shape(type_shape(type_), names)


def show_shape(shape: Sequence[Size], names: Sequence[str] = ()) -> str:
    """A shape, each size with the name that the program has for it, if it has one."""
    named = names or [str(size) for size in shape]
    return "[" + ", ".join(show_size(size, name) for size, name in zip(shape, named)) + "]"


def show_size(size: Size, name: str) -> str:
    """`T = 4`, or `4` where the program writes the number itself or too much."""
    return f"{name} = {size}" if name not in ("", str(size)) else str(size)


def lowest(size: Size) -> str:
    """What an open size can be at the least, for the end of a message; nothing for a number."""
    return f"; {size} can be {least(size)}" if isinstance(size, Open) else ""


def written_sizes(sizes: Sequence[tree.Expression]) -> tuple[str, ...]:
    """Sizes as the program writes them; a long one is empty."""
    return tuple(quoted(size.span, "") for size in sizes)


def quoted(span: Span, otherwise: str = "..") -> str:
    """A short piece of the program as a message may repeat it; a long one as something else."""
    short = span.end - span.start <= _LONGEST_QUOTE
    return span.text if short and span.text.isprintable() else otherwise
