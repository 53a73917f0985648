"""The cache of build results of tools/remote_cache, on loopback, for the time of a test."""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nested import WORKSPACE

SERVE = WORKSPACE / "tools/remote_cache/serve"


@dataclass(frozen=True)
class Cache:
    """A cache that serves."""

    read: str
    """URL for everybody."""
    write: str
    """URL for those whom the others trust."""
    folder: Path

    def entries(self, kind: str) -> list[str]:
        """What it holds: the keys of `ac`, or the digests of `cas`."""
        return sorted(path.name for path in (self.folder / "store" / kind).iterdir())


@contextmanager
def served(folder: Path, launcher: tuple[str, ...] = ()) -> Iterator[Cache]:
    """Serve from a folder, by a process behind `launcher`."""
    read, write = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    command = [*launcher, str(SERVE), f"--read={read}", f"--write={write}", f"--folder={folder}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            # Where nginx is missing it is installed first.
            for line in process.stderr:
                if ", to read at " in line:
                    break
                print(line, end="")
            else:
                raise AssertionError(f"the cache does not start: {process.wait()}")
            wait(f"http://{write}/")
            yield Cache(f"http://{read}", f"http://{write}", folder)
        finally:
            process.terminate()


def wait(url: str) -> None:
    """Until something answers."""
    for _ in range(100):
        if answer(url)[0]:
            return
        time.sleep(0.1)
    raise AssertionError(f"nothing answers at {url}")


def answer(url: str, method: str = "GET", body: bytes | None = None) -> tuple[int, bytes]:
    """Status and body of a request; status 0 where nothing answers."""
    request = urllib.request.Request(url, body, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as found:
            return found.status, found.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()
    except OSError:
        return 0, b""


def free_port() -> int:
    """A port of loopback at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
