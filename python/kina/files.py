"""Files that are read without harm, files that are written whole or not at all, two names of one file."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def open_regular(path: str | os.PathLike[str], most: int | None = None) -> BinaryIO:
    """A file opened to be read, of no more than `most` bytes.

    Raises:
        OSError: it cannot be opened, has more bytes, or is a folder, a pipe or a device: to open a pipe
            waits for its writer, and a device may have no end.
        ValueError: there is a NUL in the path.
    """
    _check_regular(os.stat(path))  # before the open, which a device may take for an order
    # What is at the path by now may be another file, so without waiting, and asked again.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        _check_regular(status)
        if most is not None and status.st_size > most:
            raise OSError(f"it has {status.st_size} bytes; at most {most} are expected")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _check_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        folder = stat.S_ISDIR(status.st_mode)
        raise OSError(f"it is {'a folder' if folder else 'no regular file'}")


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
