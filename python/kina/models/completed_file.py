"""A file that is written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def completed(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends, and vanishes where it fails."""
    if path.exists() and not path.is_file():
        raise OSError(f"it is {'a folder' if path.is_dir() else 'no regular file'}")
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    with open(part, "xb") as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())  # some file systems find only now that they are full
            os.replace(part, path)
        except BaseException:
            part.unlink()
            raise
