"""Whether a library is, bit for bit, the file that the linker made.

The dynamic linker trusts the tables of the file that it maps, and the processor its code: a bit that
flipped on the way ends the process, or a number is wrong. So the linker's last step puts the SHA-256
of the file in which the digest's own 32 bytes are 0 into the symbol `kina_digest`, and a host
compares it before it loads. It protects from accidents; whoever changes a library on purpose can
seal it again.
"""

from __future__ import annotations

import hashlib

from kina import elf
from kina.abi import DIGEST_SYMBOL

SIZE = 32
"""Bytes of the digest."""


def sealed(data: bytes) -> bytes:
    """The library with its digest in place.

    Raises:
        ElfError: the bytes are no shared object, or have no room for a digest.
    """
    start = _place(elf.read_shared_object(data))
    return data[:start] + _digest(data, start) + data[start + SIZE :]


def check(library: elf.SharedObject) -> None:
    """Refuse a library that is not as it was linked; ElfError."""
    start = _place(library)
    if library.data[start : start + SIZE] != _digest(library.data, start):
        raise elf.ElfError(
            "it is damaged: its bytes are not those that were linked; compile it anew, or copy it again"
        )


def _place(library: elf.SharedObject) -> int:
    symbol = library.exported(DIGEST_SYMBOL)
    if symbol is None or symbol.size != SIZE:
        raise elf.ElfError(
            f"it has no symbol {DIGEST_SYMBOL} of {SIZE} bytes: it is damaged, or of another version "
            "of Kina; compile it anew"
        )
    return library.file_offset(symbol)


def _digest(data: bytes, start: int) -> bytes:
    hashed = hashlib.sha256(data[:start])
    hashed.update(bytes(SIZE))
    hashed.update(data[start + SIZE :])
    return hashed.digest()
