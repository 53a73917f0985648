"""Run a command as on another machine: another host name, and no network but the loopback.

usage: unshare --user --map-user=UID --map-group=GID --keep-caps --net --uts python3 far_away.py HOST COMMAND ...
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import sys

# netdevice(7): a request is an interface's name and what to set, here its flags.
_SET_FLAGS, _UP, _REQUEST = 0x8914, 0x1, "16sh22x"


def main(host: str, *command: str) -> None:
    """Become the machine `host`, then the command."""
    socket.sethostname(host)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack(_REQUEST, b"lo", _UP))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
