"""Tell whether a URL is a cache of build results that answers.

usage: probe.py URL

Ends with 0 where it is. Otherwise writes why not, one line, and ends with 1: what answers every question with success,
or with nothing, would have a build wait for each action, or take an empty answer for a result.
"""

from __future__ import annotations

import base64
import http.client
import secrets
import signal
import sys
import urllib.error
import urllib.parse
import urllib.request
from types import FrameType

SECONDS = 5


class TooSlow(Exception):
    """The cache took longer than SECONDS."""


def problem(url: str) -> str | None:
    """Why Bazel should not use the cache at this URL."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https"):
        return None  # gRPC: Bazel itself sees, when it connects, whether there is a cache
    # A key that nobody can have stored: a cache does not know it.
    host = parts.netloc.rpartition("@")[2]
    key = f"{parts.scheme}://{host}{parts.path.rstrip('/')}/ac/{secrets.token_hex(32)}"
    request = urllib.request.Request(key)
    if parts.username is not None:
        user = f"{parts.username}:{parts.password or ''}"
        words = base64.b64encode(urllib.parse.unquote(user).encode())
        request.add_header("Authorization", f"Basic {words.decode()}")
    try:
        with urllib.request.urlopen(request) as answer:
            return f"it answers {answer.status} for what nobody has stored"
    except urllib.error.HTTPError as answer:
        return None if answer.code < 500 else f"it answers {answer.code} {answer.reason}"
    except TooSlow:
        return f"no answer within {SECONDS} seconds"
    except (OSError, ValueError, http.client.HTTPException) as failure:
        return str(getattr(failure, "reason", failure)) or type(failure).__name__


def main(url: str) -> int:
    """Write the problem, if there is one."""

    def give_up(signal_number: int, frame: FrameType | None) -> None:
        raise TooSlow

    # Over all: a timeout of the connection would start anew with every byte.
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    if complaint := problem(url):
        print(complaint, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
