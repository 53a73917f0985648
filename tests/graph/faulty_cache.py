"""A cache of build results with a fault: each fault is a way to answer what a good cache has or has not."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from served import answer


@dataclass(frozen=True)
class Answer:
    """What the cache says to a request."""

    status: int
    body: bytes = b""
    length: int | None = None
    """What it says that the length is."""
    seconds_per_byte: float = 0.0


@dataclass(frozen=True)
class Request:
    """A request, and what a good cache answers."""

    method: str
    path: str
    good: Answer

    @property
    def is_file(self) -> bool:
        return self.path.startswith("/cas/")


Fault = Callable[[Request], Answer | None]
"""The answer to a request; None for none at all, ever."""


@dataclass
class Faulty:
    """A cache that serves with a fault."""

    url: str
    requests: list[str] = field(default_factory=list)
    """The method and path of every request so far."""


def garbage(size: int) -> bytes:
    """Bytes that are no entry: in no message of the protocol does a field have the number 0."""
    return b"\x00" + os.urandom(size)


@contextmanager
def faulty(fault: Fault, good: str | None) -> Iterator[Faulty]:
    """Serve, with a good cache behind the fault where there is one; without it nothing is known."""
    stop = threading.Event()
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_request(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            seen.append(f"{self.command} {self.path}")
            known = Answer(404 if self.command == "GET" else 201)
            if good and self.command == "GET":
                known = Answer(*answer(good + self.path))
            del body
            chosen = fault(Request(self.command, self.path, known))
            if chosen is None:
                stop.wait()
                self.close_connection = True
                return
            length = len(chosen.body) if chosen.length is None else chosen.length
            self.send_response(chosen.status)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.close_connection = length != len(chosen.body)
            if not chosen.seconds_per_byte:
                self.wfile.write(chosen.body)
                return
            for byte in chosen.body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                if stop.wait(chosen.seconds_per_byte):
                    return

        do_GET = do_PUT = handle_request

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # the client went away

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Faulty(f"http://127.0.0.1:{server.server_port}", seen)
    finally:
        stop.set()
        server.shutdown()
        thread.join()
        server.server_close()
