"""Run an action as a remote worker does: in a root that holds the C library, Python and the action's inputs.

usage: unshare --user --map-root-user --mount --net --uts python3 worker.py ROOT FOLDER COMMAND ...

ROOT is where the inputs are, in FOLDER below it, and gets the system's folders of programs beside them. Nothing else
of the machine is there: no workspace, no home, no output root of Bazel's, no /etc, no network.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def main(root: Path, folder: str, *command: str) -> None:
    """Become the command."""
    system = [Path("/usr"), *(path for path in Path("/").glob("lib*")), Path("/bin")]
    if not Path(sys.base_prefix).is_relative_to("/usr"):
        system.append(Path(sys.base_prefix))
    for path in system:
        place = root / path.relative_to("/")
        if path.is_symlink():
            place.symlink_to(path.readlink())
        else:
            bind(path, place)
            subprocess.run(["mount", "-o", "remount,bind,ro", place], check=True)
    bind(Path("/proc"), root / "proc")
    (root / "dev").mkdir()
    (root / "dev/null").touch()
    subprocess.run(["mount", "--bind", "/dev/null", root / "dev/null"], check=True)
    (root / "tmp").mkdir(exist_ok=True)
    os.chroot(root)
    os.chdir(f"/{folder}")
    os.execvp(command[0], command)


def bind(path: Path, place: Path) -> None:
    """The folder `path` at `place` as well."""
    place.mkdir(parents=True)
    subprocess.run(["mount", "--rbind", path, place], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
