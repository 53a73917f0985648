"""Compose the schedule of a signature out of the files in `schedules/`.

The schedule of a signature holds the text of what applies to its operations and nothing else: an
edit of one file there changes the schedules of the signatures that it serves, no others.
"""

from __future__ import annotations

import re
from importlib import resources
from string import Template

from kina.codegen.contraction import Contraction, tiling
from kina.codegen.targets import Target

_OP = re.compile(r'kina\.op = "(\w+)"')
_ANY = "!transform.any_op"


def schedule(module: str, target: Target) -> str:
    """The transform script for a module at the golden level, as text.

    Args:
        module: the module's text; the attribute `kina.op` names its contractions.
        target: what the code is for.
    """
    sequences, includes = [], []
    for name in dict.fromkeys(_OP.findall(module)):
        op = Contraction.parse(name)
        sequence = None if op is None else _sequence(op, target)
        if sequence is not None:
            sequences.append(sequence)
            includes.append(_template("each").substitute(name=name))
    # Where the arguments tell how they lie, so do the results; elsewhere all are C-contiguous.
    layout = "InferLayoutMap" if "bufferization.buffer_layout" in module else "IdentityLayoutMap"
    return _template("main").substitute(
        sequences="\n".join(sequences), includes="".join(includes), layout=layout
    )


def _sequence(op: Contraction, target: Target) -> str | None:
    tiles = tiling(op, target)
    if tiles is None:
        return None
    batched = op.batched
    if tiles.registers is None:
        order = [0, 1, 3, 2] if batched else [0, 2, 1]
        return _template("rows").substitute(
            name=op.name, threads=_threads(tiles.threads), order=_list(order)
        )
    tile = [*([1] if batched else []), *tiles.registers]
    # Columns outside rows: the right operand's rows, the larger operand of a model, are read once.
    order = [0, 2, 1, 3] if batched else [1, 0, 2]
    if tiles.rows_first:
        order.sort()
    loops = len(tile) if op.transposed else len(order)
    return _template("dot" if op.transposed else "outer").substitute(
        name=op.name,
        threads=_threads(tiles.threads),
        loops=loops,
        last=loops - 1,
        tile=_list(tile),
        order=_list(order),
        loop_types=", ".join([_ANY] * loops),
        walk=_list([*(0 for _ in tile), tiles.lanes]),
    )


def _threads(block: tuple[int, ...] | None) -> str:
    if block is None:
        return "%block = transform.merge_handles %op : !transform.any_op"
    return _template("threads").substitute(sizes=_list([*block, 0])).strip()


def _list(numbers: list[int]) -> str:
    return ", ".join(str(number) for number in numbers)


def _template(name: str) -> Template:
    file = resources.files("kina.codegen") / "schedules" / f"{name}.mlir"
    return Template(file.read_text(encoding="utf-8"))
