"""Standard output and error, used so that neither a locale nor a closed file can spoil them."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from typing import Final

INTERRUPTED: Final = 128 + signal.SIGINT
"""The exit code after Ctrl-C, as shells have it."""
BROKEN_PIPE: Final = 128 + signal.SIGPIPE
"""The exit code after the reader of standard output went away, as shells have it."""

_STDOUT: Final = 1
_STDERR: Final = 2
_ATOMIC_CHARACTERS: Final = 1024
"""At most 4096 bytes of UTF-8, which a pipe takes whole or not at all."""


class OutputError(Exception):
    """Standard output cannot be written; the message says why."""


def keep_standard_files() -> None:
    """Put /dev/null in the place of a standard file that was closed before the start.

    Otherwise the next file opened would take its number, and be taken for it.
    """
    for descriptor in (0, _STDOUT, _STDERR):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one


def write(text: str) -> None:
    """Write to standard output as UTF-8, whatever the locale, and at once.

    Nothing is lost inside a character when the process ends. Raises BrokenPipeError where the reader
    went away, and OutputError where the output is closed or full.
    """
    for start in range(0, len(text), _ATOMIC_CHARACTERS):
        data = text[start : start + _ATOMIC_CHARACTERS].encode(errors="replace")
        while data:
            data = data[_write_some(data) :]


def _write_some(data: bytes) -> int:
    try:
        return os.write(_STDOUT, data)
    except BrokenPipeError:
        raise
    except BlockingIOError:
        select.select([], [_STDOUT], [])
        return 0
    except OSError as error:
        raise OutputError(f"standard output cannot be written: {error.strerror}") from error


def require_output() -> None:
    """Raise OutputError where standard output was closed before the start."""
    if sys.stdout is None:
        raise OutputError("standard output is closed")


def write_all(text: str) -> None:
    """`write`, for text that is the whole output."""
    require_output()
    write(text)


def complain(line: str) -> None:
    """Write one line to standard error; where that is closed or full, nothing can be said."""
    try:
        os.write(_STDERR, f"{line}\n".encode(errors="surrogateescape"))
    except OSError:
        pass


def exit_on_interrupt() -> None:
    """From now on Ctrl-C ends the process at once, also in the middle of compiled code.

    Python's own handler would wait for that code to return. The signal also writes to a pipe, and a
    thread waits there instead; the process writes whole characters in single calls, so none is cut.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

    def wait() -> None:
        while os.read(reader, 1) != bytes([signal.SIGINT]):
            pass
        os._exit(INTERRUPTED)

    threading.Thread(target=wait, daemon=True).start()
