"""Random programs, compiled, against the oracle: any number of them.

    bazel run //tests/fuzz:programs -- --programs=100000
    bazel run //tests/fuzz:programs -- --minutes=60 --seed=7 --out=/tmp/found

Each round generates programs from a seed of its own, compiles them together and compares every result with
what the oracle and the error bounds of kina/spec/numerics.md allow (enclosure.py). A program that fails is made
as small as it goes and left in a folder, with the arguments that it failed on and the command that calls it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from generator import Program, Programs
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from inputs import arrays
from trial import Fault, judge

from kina.elaborate import elaborate
from kina.syntax.source import KinaError
from support.values import dtype_name

Say: TypeAlias = Callable[[str], object]

ROUND = 200
"""Programs that are generated at a time."""
_ALL = list(HealthCheck)


def rounds(first: int, count: int) -> Iterator[tuple[int, list[Program]]]:
    """Seeds and the programs that they generate, `count` of them in all, none twice."""
    known: set[str] = set()
    for number in range(first, sys.maxsize):
        wanted = min(ROUND, count - len(known))
        if wanted <= 0:
            return
        fresh = [p for p in generated(number) if p.text not in known][:wanted]
        known.update(program.text for program in fresh)
        yield number, fresh


def generated(number: int) -> list[Program]:
    """The programs of one seed, in the order in which Hypothesis makes them."""
    programs: dict[str, Program] = {}

    @seed(number)
    @settings(_settings(), phases=[Phase.generate])
    @given(Programs())
    def collect(program: Program) -> None:
        programs.setdefault(program.text, program)

    collect()
    return list(programs.values())


def smallest(number: int, fault: Fault, folder: Path) -> Fault:
    """The smallest program that fails, of those that Hypothesis makes of a faulty one of the seed.

    The seed is played again up to the fault; from there each program is judged by itself.
    """
    found = fault
    met = False

    @seed(number)
    @settings(_settings(), phases=[Phase.generate, Phase.shrink])
    @given(Programs())
    def look(program: Program) -> None:
        nonlocal found, met
        met = met or program.text == fault.program.text
        faults = judge([program], folder) if met else []
        if faults:
            found = faults[0]
            raise AssertionError(found.what)

    try:
        look()
    except AssertionError:
        pass
    return found


def _settings() -> settings:
    return settings(
        max_examples=ROUND,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=_ALL,
        verbosity=Verbosity.quiet,
    )


def keep(fault: Fault, folder: Path) -> str:
    """Leaves a faulty program in a folder, with its arguments; what is wrong, as text."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "program.kina"
    source.write_text(fault.program.text, encoding="utf-8")
    shown, flags = [], []
    try:
        (elaborated,) = elaborate(source)
    except KinaError:
        return f"{fault.program.text}\n{fault.what}\n{source}"
    values = arrays(elaborated.signature, fault.program.inputs)
    for parameter, value in zip(elaborated.signature.parameters, values):
        path = folder / f"{parameter.name}.npy"
        np.save(path, value)
        flags.append(f"--arg {parameter.name}={path}")
        shown.append(f"{parameter.name} = {dtype_name(value.dtype)} {value.tolist()}")
    command = " ".join(["kina run", str(source), "f", *flags])
    return "\n".join([fault.program.text, *shown, "", fault.what, "", command])


def search(
    first: int, count: int, folder: Path, until: float = float("inf"), say: Say = lambda _: None
) -> tuple[int, list[str]]:
    """How many programs were tried, and what is wrong with those that fail.

    Of each round the first is made small. `say` is told how far the search is.
    """
    tried, reports = 0, list[str]()
    for number, programs in rounds(first, count):
        with tempfile.TemporaryDirectory(prefix="kina-fuzz-") as scratch:
            faults = judge(programs, Path(scratch))
            tried += len(programs)
            say(f"seed {number}: {tried} programs, {len(reports) + len(faults)} at fault")
            for fault in faults:
                say(fault.what)
            faults[:1] = [smallest(number, fault, Path(scratch)) for fault in faults[:1]]
        for i, fault in enumerate(faults):
            reports.append(keep(fault, folder / f"{number}-{i}"))
            say(reports[-1])
        if time.monotonic() > until:
            break
    return tried, reports


def main(argv: Sequence[str] | None = None) -> int:
    """Search; 0 where nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--programs", type=int, default=sys.maxsize, help="how many programs")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="how long at most")
    parser.add_argument("--seed", type=int, default=0, help="where to begin; rounds count up")
    parser.add_argument("--out", type=Path, default=Path("found"), help="where faults are kept")
    a = parser.parse_args(argv)
    if a.programs == sys.maxsize and a.minutes == float("inf"):
        a.programs = ROUND
    until = time.monotonic() + 60 * a.minutes
    # Where the command was given: `bazel run` starts it among the files of the target.
    out = Path(os.environ.get("BUILD_WORKING_DIRECTORY", os.getcwd())) / a.out
    tried, reports = search(a.seed, a.programs, out, until, lambda text: print(text, flush=True))
    print(f"{tried} programs, {len(reports)} at fault")
    return 1 if reports else 0


if __name__ == "__main__":
    raise SystemExit(main())
