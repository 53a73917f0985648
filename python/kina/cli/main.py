"""The `kina` command: one subcommand per module of this package."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final, NoReturn, Protocol

from kina.cli import console

COMMANDS: Final[Mapping[str, str]] = {
    "check": "report what is wrong with a program",
    "fmt": "lay programs out, as all programs are",
    "emit": "show what the compiler makes of a program, at any stage",
    "compile": "make a program a shared library",
    "inspect": "show what a compiled program says of itself, and its sizes",
    "run": "call a program on .npy files",
    "generate": "write text with a compiled model",
    "export-weights": "make the weights of a model a flat file, for hosts without Python",
}
"""Every subcommand and what it does; its module is imported only when it is asked for."""


class Command(Protocol):
    """What the module of a subcommand offers."""

    VALUES: Sequence[str]
    """Its flags whose value may begin with a dash."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare its flags."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do its work and return the exit code; UserError for what the user can mend."""


class UserError(Exception):
    """The command cannot do what it was asked to; its message is all that is shown."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        console.complain(f"{self.prog}: {message} (see {self.prog} --help)")
        raise SystemExit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv`, the process's own arguments by default; the exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    name = argv[0] if argv else ""
    console.keep_standard_files()
    try:
        return _run(argv)
    except SystemExit as end:  # --help, or flags that argparse does not take
        return end.code if isinstance(end.code, int) else 1
    except UserError as error:
        console.complain(f"kina {name}: {error}")
        return 1
    except KeyboardInterrupt:
        return console.INTERRUPTED
    except BrokenPipeError:
        return console.BROKEN_PIPE
    except console.OutputError as error:
        console.complain(f"kina {name}: {error}")
        return 1
    except Exception as error:
        if os.environ.get("KINA_TRACEBACK"):
            raise
        message = " ".join(f"{type(error).__name__}: {error}".split())
        console.complain(f"kina {name}: internal error, KINA_TRACEBACK=1 shows where: {message}")
        return 70


def load_command(name: str) -> Command:
    """The module of a subcommand, called as the subcommand with `_` for `-`.

    One more `_` ends the name of a module of Python's: where this folder is the script's, and so
    the first that Python looks in, ours would be taken for it.
    """
    module = name.replace("-", "_")
    command: Command = import_module(
        f"kina.cli.{module}_" if module in sys.stdlib_module_names else f"kina.cli.{module}"
    )
    return command


def _run(argv: list[str]) -> int:
    name = argv[0] if argv else ""
    if name not in COMMANDS:
        return _without_command(argv)
    command = load_command(name)
    parser = _Parser(prog=f"kina {name}", description=COMMANDS[name], allow_abbrev=False)
    command.add_arguments(parser)
    return command.run(_parse(parser, _joined(argv[1:], command.VALUES)))


def _parse(parser: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    if {"-h", "--help"} & set(argv):
        console.write_all(parser.format_help())
        raise SystemExit(0)
    return parser.parse_args(argv)


def _without_command(argv: list[str]) -> int:
    usage = "usage: kina COMMAND [FLAGS]\n\n" + "".join(
        f"  {name:14}  {text}\n" for name, text in COMMANDS.items()
    )
    if argv[:1] in (["-h"], ["--help"]):
        console.write_all(usage + "\n`kina COMMAND --help` lists its flags.\n")
        return 0
    asked = f"unknown command {argv[0]!r}" if argv else "a command is expected"
    console.complain(f"kina: {asked}; there are {', '.join(COMMANDS)}")
    return 2


def _joined(argv: list[str], flags: Sequence[str]) -> list[str]:
    """`--flag value` as `--flag=value` for `flags`, so that a value may look like a flag."""
    joined: list[str] = []
    rest = iter(argv)
    for argument in rest:
        value = next(rest, None) if argument in flags else None
        joined.append(argument if value is None else f"{argument}={value}")
    return joined
