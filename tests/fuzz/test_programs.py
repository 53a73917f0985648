"""Random programs on all of the language: each gives what the oracle and the error bounds allow.

`bazel run //tests/fuzz:programs -- --minutes=60` looks at any number of them.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from generator import Program
from programs import generated, keep, rounds, search, smallest
from trial import Fault, judge
from xdsl.ir import Operation

from kina.dialect import ops as kina
from kina.elaborate import elaborate
from kina.lowering import elementwise
from kina.oracle.interpreter import interpret
from kina.oracle.meaning import MEANINGS
from support.values import ALL

COUNT = 500


@pytest.fixture(scope="module")
def programs() -> Sequence[Program]:
    """Those that the test compiles."""
    return [program for _, fresh in rounds(0, COUNT) for program in fresh]


def test_programs_give_what_the_oracle_allows(tmp_path: Path) -> None:
    tried, reports = search(0, COUNT, tmp_path / "found")
    assert tried == COUNT
    assert not reports, "\n\n".join(reports)


def test_programs_draw_on_all_of_the_language(programs: Sequence[Program], tmp_path: Path) -> None:
    source, found = tmp_path / "program.kina", set[type[Operation]]()
    for program in programs:
        source.write_text(program.text)
        (exported,) = elaborate(source)
        found.update(type(op) for op in exported.module.walk())
    missing = {op.__name__ for op in {*MEANINGS, kina.ForOp, kina.WhileOp} - found}
    assert not missing, f"a builder in builders.py is missing, or is drawn too rarely: {missing}"
    text = "\n".join(program.text for program in programs)
    forms = [
        *ALL,
        r"fn g\d+\(",
        r"fn g\d+\[",
        r"donate\(",
        r"w\.piece\.",
        r"w\.pieces\[",
        "const",
        "dim",
    ]
    assert [form for form in forms if not re.search(form, text)] == []
    assert len({program.text for program in programs}) == COUNT


def test_a_program_behind_a_prefix_is_the_same(programs: Sequence[Program], tmp_path: Path) -> None:
    source, part = tmp_path / "program.kina", tmp_path / "part.kina"
    for program in programs[:60]:
        source.write_text(program.text)
        (alone,) = elaborate(source)
        declared, _, exported = program.text.rpartition("export f = ")
        part.write_text(declared)
        source.write_text(f'import "part.kina" as p\nexport f = p.{exported}')
        (behind,) = elaborate(source)
        assert behind.signature == alone.signature
        assert str(behind.module) == str(alone.module)


def test_a_seed_makes_the_same_programs() -> None:
    assert [p.text for p in generated(3)] == [p.text for p in generated(3)]


def test_a_fault_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {**elementwise.MEANINGS, kina.ErfOp: elementwise.MEANINGS[kina.TanhOp]}
    monkeypatch.setattr(elementwise, "MEANINGS", wrong)
    faults = judge([program for program in generated(1) if "erf(" in program.text], tmp_path)
    assert any("of the compiled program" in fault.what for fault in faults)


def test_a_faulty_program_is_made_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the fault is; here one of every program with an erf."""

    def judged(programs: Sequence[Program], folder: Path) -> list[Fault]:
        return [Fault(program, "wrong") for program in programs if "erf(" in program.text]

    monkeypatch.setattr("programs.judge", judged)
    fault = max(judged(generated(1), tmp_path), key=lambda fault: len(fault.program.text))
    assert fault.program.text.count("\n") > 20
    found = smallest(1, fault, tmp_path)
    # No line can go, and at most one that feeds the erf or is fed by it is left.
    body = found.program.text.partition("{")[2].partition("}")[0].strip().splitlines()
    assert len(body) <= 3 and "return" in body[-1]
    assert sum("erf(" in line for line in body) == 1
    # `kina run` calls it with its arguments.
    report = keep(found, tmp_path / "kept")
    command = report.splitlines()[-1].split()
    assert command[:2] == ["kina", "run"] and "wrong" in report
    result = str(tmp_path / "result")
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-P", "-m", "kina.cli", *command[1:], "--interpret", "--out", result]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths})
    (exported,) = elaborate(tmp_path / "kept/program.kina")
    names = [parameter.name for parameter in exported.signature.parameters]
    arguments = [np.load(tmp_path / f"kept/{name}.npy") for name in names]
    if all(x.dtype != np.dtype("V2") for x in arguments):
        (right, *_) = interpret(exported.module, arguments)
        np.testing.assert_array_equal(np.load(tmp_path / "result0.npy"), right)


def test_a_program_that_crashes_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call runs in a process of its own: here one that ends at the second program."""
    programs = generated(2)[:3]
    calls = iter(range(3))

    def call(*_: object) -> str:
        if next(calls) == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return "told"

    monkeypatch.setattr("trial._call", call)
    faults = judge(programs, tmp_path)
    assert [fault.program for fault in faults] == programs
    assert faults[0].what == "told" and "-9" in faults[1].what
