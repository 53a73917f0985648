"""The C header of a compiled program, for C and C++."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kina.abi import MANIFEST_SYMBOL, Manifest, Parameter, Result, Signature

_PREAMBLE = """\
 *
 * Each function takes one pointer to a descriptor for every parameter, then one for every result
 * that has a buffer of its own. The caller owns all memory. Every tensor is C-contiguous: `aligned`
 * (and `allocated`, the same) point to its first element, `offset` is 0, `sizes` are those below,
 * strides count elements. An element is aligned to its own size; a Bool is one byte, 0 or 1.
 * Parameters are only read, except donated ones, which the call overwrites and whose memory no
 * other argument may share. Indices outside their range are clamped.
 *
 * A name among the sizes is a dimension that the caller chooses, within the bounds above the
 * function. A donated parameter of such a size may be the front of a larger buffer: its strides
 * are then those of the buffer, but for the last, which is 1.
 */
"""


def header(manifest: Manifest) -> str:
    """The text of the header: descriptor types, and a prototype for every signature."""
    return "".join(_parts(manifest))


def _parts(manifest: Manifest) -> Iterator[str]:
    guard = f"KINA_{_identifier(manifest.program).upper()}_H"
    yield f"/* {_comment(manifest.program)}: made by {_comment(manifest.compiler)}"
    yield f" for {_comment(manifest.target_cpu)}. Kina C ABI {manifest.abi}.\n"
    yield _PREAMBLE
    yield f"#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\n"
    for rank in sorted({len(t.shape) for s in manifest.signatures for t in _passed(s)}):
        yield _descriptor(rank)
    yield '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    yield f"\n/* What the library says of itself, as JSON. */\nextern const char {MANIFEST_SYMBOL}[];\n"
    for signature in manifest.signatures:
        yield _prototype(signature)
    yield f"\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n"


def _passed(signature: Signature) -> list[Parameter | Result]:
    """The tensors that have a descriptor, in the order of the C call."""
    return [*signature.parameters, *(r for r in signature.results if r.alias is None)]


def _descriptor(rank: int) -> str:
    # Headers of several programs can be included together, so each type has a guard of its own.
    arrays = f"  int64_t sizes[{rank}];\n  int64_t strides[{rank}];\n" if rank else ""
    name = f"kina_tensor_{rank}"
    return (
        f"#ifndef KINA_TENSOR_{rank}\n#define KINA_TENSOR_{rank}\n"
        f"typedef struct {name} {{\n"
        "  void *allocated;\n  void *aligned;\n  int64_t offset;\n"
        f"{arrays}}} {name};\n#endif\n\n"
    )


def _prototype(signature: Signature) -> str:
    lines = [
        f"    const kina_tensor_{len(tensor.shape)} * /* {_describe(tensor)} */"
        for tensor in _passed(signature)
    ]
    open_ = "".join(
        f"\n/* {signature.name}: {s.name} in {s.least} .. {s.most}. */" for s in signature.open
    )
    aliases = "".join(
        f"\n/* Result {index} of {signature.name} is in the buffer of {result.alias}. */"
        for index, result in enumerate(signature.results)
        if result.alias is not None
    )
    arguments = ",\n".join(lines) if lines else "    void"
    return f"{open_}{aliases}\nvoid {signature.symbol}(\n{arguments});\n"


def _describe(tensor: Parameter | Result) -> str:
    type_ = f"{tensor.dtype}[{', '.join(map(str, tensor.shape))}]"
    if isinstance(tensor, Result):
        return f"result: {type_}"
    bound = f", in 0 .. {tensor.index_bound - 1}" if tensor.index_bound is not None else ""
    return f"{tensor.name}: {type_}{bound}{', donated' if tensor.donated else ''}"


def _identifier(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "_", name)


def _comment(text: str) -> str:
    """Text that cannot end a comment."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("\n", " ")
