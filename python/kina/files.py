"""Files that are written whole or not at all, and two names of one file."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def completed(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends, and vanishes where it fails.

    A link at `path` stays one: the file that it leads to is replaced.
    """
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        raise OSError(f"it is {'a folder' if place.is_dir() else 'no regular file'}")
    part = place.with_name(f".{secrets.token_hex(8)}.part")
    with open(part, "xb") as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())  # some file systems find only now that they are full
            os.replace(part, place)
        except BaseException:
            part.unlink()
            raise


def same_file(path: Path, other: Path) -> bool:
    """Whether both are names of one file; not so where one of them is not there."""
    try:
        return path.samefile(other)
    except OSError:
        return False
