"""Programs compiled together, called in a process of their own, and their results judged by the oracle."""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

import numpy as np
from enclosure import allows, enclosures
from generator import Program
from inputs import arrays
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr

from kina import abi
from kina.codegen.link import LinkError
from kina.codegen.tools import ToolError
from kina.elaborate import elaborate
from kina.lowering import lower
from kina.oracle.interpreter import interpret
from kina.passes.simplify import simplify
from kina.runtime import load
from kina.runtime.npy import nested
from support.compiled import build, merged
from support.values import Array

AT_ONCE = 50
"""Programs in one module: most of what a tool takes is its start."""
_SECONDS = 300
"""For a call, which takes milliseconds."""


@dataclass(frozen=True)
class Trial:
    """A program that was checked, with its arguments and what the oracle says of them."""

    program: Program
    name: str
    """Of its signature, among those of the other programs."""
    signature: abi.Signature
    lowered: ModuleOp
    module: ModuleOp
    arguments: Sequence[Array]
    expected: Sequence[Array]


@dataclass(frozen=True)
class Fault:
    """A program that the compiler does wrong."""

    program: Program
    what: str


Library: TypeAlias = tuple[Path, Sequence[Trial]]


def judge(programs: Sequence[Program], folder: Path) -> list[Fault]:
    """Compile programs and call them: those whose results the oracle does not allow."""
    trials: list[Trial] = []
    faults: list[Fault] = []
    for number, program in enumerate(programs):
        try:
            trials.append(_tried(program, f"f{number}", folder))
        except Exception as problem:
            # Whatever the compiler or the oracle does but its work is a find.
            faults.append(Fault(program, f"{type(problem).__name__}: {problem}"))
    parts = [trials[i : i + AT_ONCE] for i in range(0, len(trials), AT_ONCE)]
    with ThreadPoolExecutor(2) as pool:
        built = list(pool.map(_built, parts, [folder / f"part{i}.so" for i in range(len(parts))]))
    for libraries, refused in built:
        faults += refused
        for path, part in libraries:
            faults += _called(path, part)
    return faults


def _tried(program: Program, name: str, folder: Path) -> Trial:
    source = folder / "program.kina"
    source.write_text(program.text, encoding="utf-8")
    (elaborated,) = elaborate(source)
    module = elaborated.module
    arguments = arrays(elaborated.signature, program.inputs)
    expected = interpret(module, arguments)
    lowered = module.clone()
    (function,) = lowered.ops
    assert isinstance(function, func.FuncOp)
    function.properties["sym_name"] = StringAttr(name)
    simplify(lowered)
    signature = replace(elaborated.signature, name=name)
    return Trial(program, name, signature, lower(lowered), module, arguments, expected)


def _built(trials: Sequence[Trial], path: Path) -> tuple[list[Library], list[Fault]]:
    """The programs as one library; each as one where the tools refuse some of them."""
    try:
        text = merged([trial.lowered.clone() for trial in trials])
        build(text, [trial.signature for trial in trials], path)
        return [(path, trials)], []
    except (ToolError, LinkError) as problem:
        if len(trials) == 1:
            return [], [Fault(trials[0].program, str(problem))]
    alone = [_built([trial], path.with_name(f"{trial.name}.so")) for trial in trials]
    libraries = [library for built, _ in alone for library in built]
    return libraries, [fault for _, refused in alone for fault in refused]


def _called(path: Path, trials: Sequence[Trial]) -> list[Fault]:
    """Calls the programs of a library in a child; in another one after a call that ends it."""
    faults: list[Fault] = []
    left = list(trials)
    while left:
        for answer in _answers(path, tuple(left)):
            trial = left.pop(0)
            what = answer if isinstance(answer, str) else _judged(trial, answer)
            if what is not None:
                faults.append(Fault(trial.program, what))
    return faults


def _answers(path: Path, trials: Sequence[Trial]) -> Iterator[Sequence[Array] | str]:
    """What each program gives, or what is wrong with that, up to one that does not return."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        _call_all(path, trials, there)
    there.close()
    for _ in trials:
        try:
            answer = here.recv() if here.poll(_SECONDS) else None
        except EOFError:
            answer = None
        if answer is None:
            break
        yield answer
    os.kill(child, signal.SIGKILL)  # which does nothing to a child that has ended
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    here.close()
    if answer is None:
        yield f"the call does not return: the process ended with {ended}"


def _call_all(path: Path, trials: Sequence[Trial], results: Connection) -> None:
    """In the child: sends what each program gives, and ends the process."""
    try:
        library = load(path)
        for trial in trials:
            try:
                results.send(_call(library, trial))
            except Exception as problem:
                results.send(f"{type(problem).__name__}: {problem}")
    finally:
        os._exit(0)


def _call(library: object, trial: Trial) -> Sequence[Array] | str:
    given = [argument.copy() for argument in trial.arguments]
    found = getattr(library, trial.name)(**nested(trial.signature, given))
    results = found if isinstance(found, tuple) else (found,)
    for parameter, before, after in zip(trial.signature.parameters, trial.arguments, given):
        if not parameter.donated and before.tobytes() != after.tobytes():
            return f"the argument {parameter.name} has changed"
    return results


def _judged(trial: Trial, results: Sequence[Array]) -> str | None:
    try:
        return disagreement(trial, results)
    except Exception:
        return traceback.format_exc()


def disagreement(trial: Trial, results: Sequence[Array]) -> str | None:
    """What is wrong with the results, or None."""
    expected = trial.expected
    types = [(x.dtype, x.shape) for x in results], [(x.dtype, x.shape) for x in expected]
    if types[0] != types[1]:
        return f"the results are {types[0]}, not {types[1]}"
    allowed = enclosures(trial.module, trial.arguments)
    for i, (right, found, oracle) in enumerate(zip(allowed, results, expected)):
        for who, result in (("the oracle", oracle), ("the compiled program", found)):
            wrong = np.argwhere(~allows(right, result))
            if len(wrong):
                at = tuple(map(int, wrong[0]))
                low, high, nan = right.low[at], right.high[at], right.nan[at]
                return (
                    f"result {i} of {who}, at {list(at)}: {result[at]!r}; "
                    f"right is {low!r} to {high!r}{' or NaN' if nan else ''}\n"
                    f"compiled: {found.tolist()}\noracle: {oracle.tolist()}"
                )
    return None
