"""Text of any kind is compiled or refused in one well-formed message, soon and in little memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from malformed import MEMORY, ROOT, Outcome, judge, malformed, refused_by_mlir
from mutants import corpus, neighbours

CASES = 2500
SECONDS = 300
"""Of processor time for one command; none takes more than a few."""


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def test_mutants() -> None:
    """In a process of its own, whose memory is bounded."""
    command = [sys.executable, str(Path(__file__).absolute().parent / "malformed.py")]
    done = subprocess.run(
        [*command, f"--cases={CASES}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    refused, compiled = (
        sum(int(line.split()[at]) for line in done.stdout.splitlines() if line.startswith("seed"))
        for at in (2, 4)
    )
    # Nearly all have something wrong with them; that some have not shows that the changes are small.
    assert refused + compiled >= 2000 and compiled >= 50


def test_the_corpus_is_right(tmp_path: Path) -> None:
    """So that what is wrong with a mutant is what was changed, and enough is there to change."""
    texts, outcome = corpus(ROOT), Outcome()
    neighbours(ROOT, tmp_path)
    assert len(texts) >= 40
    assert [judge(text, tmp_path / "mutant.kina", outcome) for text in texts] == [None] * len(texts)
    assert outcome.compiled > 30


def test_messages_of_another_form_are_faults() -> None:
    good = "a.kina:1:2: error: expected a name\n  fn 1\n     ^\nnote: so it is"
    assert malformed(good) is None
    for bad in ("expected a name", good + "\nTraceback", good.replace("a name", "<class 'int'>")):
        assert malformed(bad) is not None
    assert malformed("a.kina:1:2: error: a\x1b[2J") is not None


def test_what_mlir_refuses_is_a_fault() -> None:
    assert refused_by_mlir(["module {}", "module {}"]) is None
    assert "mlir-opt refuses" in str(refused_by_mlir(["module {}", "module {"]))


@dataclass(frozen=True)
class Giant:
    """A program that is large or deep, in files, and what `kina check a.kina` says of it."""

    files: Mapping[str, str | bytes]
    says: str = ""
    """Nothing where it compiles."""


def one(text: str, says: str = "") -> Giant:
    return Giant({"a.kina": text}, says)


def body(expression: str, says: str = "") -> Giant:
    return one(f"fn f(x: F32[2]) -> F32[2] {{ return {expression} }}\nexport f\n", says)


def chain(length: int) -> dict[str, str | bytes]:
    """Files that each import the next."""
    files = {f"b{i}.kina": f'import "b{i + 1}.kina"' for i in range(length)}
    return {**files, "a.kina": 'import "b0.kina"', f"b{length}.kina": "dim D = 1"}


FUNCTION = "fn f{0}(x: F32[2]) -> F32[2] {{ return x + {0} }}\n"
GIANTS = {
    "ten thousand functions": one("".join(map(FUNCTION.format, range(10_000))) + "export f9999"),
    "a thousand exports": one("".join(map((FUNCTION + "export f{0}\n").format, range(1000)))),
    "ten thousand errors": one(
        "".join(map("fn f{0}() -> F32[] {{ return y }}\n".format, range(10_000))), "more errors"
    ),
    "ten thousand errors of syntax": one("fn ( \n" * 10_000, "expected"),
    "a line of five megabytes": one("// " + "x" * 5_000_000 + "\ndim D = 2"),
    "a line of five megabytes with an error": one("dim D = 2" + " " * 5_000_000 + "$", "found '$'"),
    "a long sum": body("x" + " + x" * 20_000),
    "a long sum of constants": body("x * (1" + " + 1" * 50_000 + ")"),
    "a long row of signs": body("-" * 100_000 + "x", "more than 60 signs"),
    "a long row of parentheses": body("(" * 100_000 + "x" + ")" * 100_000, "nested"),
    "a long row of open brackets": body("[" * 100_000, "nested"),
    "a long row of indices": body("x" + "[0]" * 100_000, "more than 60 accesses"),
    "a long number": body("x + " + "9" * 1_000_000, "expected a number"),
    "a long fraction": body("x + 0." + "9" * 1_000_000, "expected a number"),
    "a large exponent": body("x + 1e999999999", "F64"),
    "large numbers": body("x * (9223372036854775807 * 9223372036854775807)", "I64"),
    "a long name": one(f"dim {'D' * 1_000_000} = 2, E = {'D' * 1_000_000}x", "unknown"),
    "a long string": one('import "' + "b" * 1_000_000 + '"', "cannot read"),
    "ten thousand axes": one(
        f"fn f(x: F32[{'1, ' * 10_000}]) -> F32[] {{ return x[{'0, ' * 10_000}] }}\nexport f"
    ),
    "a tensor of 2^120 bytes": one(
        "dim D = 1099511627776\nfn f(x: F32[D, D, D]) -> F32[D, D, D] { return x }\nexport f",
        "bytes",
    ),
    "a loop of 2^63 iterations": body("for i in 0..9223372036854775807 with y = x { yield y + y }"),
    "ten thousand operands": one(
        f"fn f(x: F32[2]) -> F32[20000] {{ return concat({'x, ' * 10_000}axis=0) }}\nexport f"
    ),
    "ten thousand results": one(
        f"fn f(x: F32[]) -> ({'F32[], ' * 10_000}) {{ return ({'x, ' * 10_000}) }}\nexport f"
    ),
    "imports in a chain": Giant(chain(40)),
    "imports in a long chain": Giant(chain(2000), "deep"),
    "imports in a circle": Giant(
        {"a.kina": 'import "b.kina"', "b.kina": 'import "a.kina"'}, "circle"
    ),
    "an import of itself": Giant({"a.kina": 'import "a.kina"'}, "circle"),
    "an import of a folder": one('import "."', "folder"),
    "imports that double": Giant(
        {
            **{f"b{i}.kina": f'import "b{i + 1}.kina" import "b{i + 1}.kina"' for i in range(30)},
            **{"a.kina": 'import "b0.kina"', "b30.kina": "dim D = 1"},
        }
    ),
    "no text": one("", ""),
    "no characters": Giant({"a.kina": b"\0" * 100_000}, "error"),
    "no UTF-8": Giant({"a.kina": b"\xff" * 1_000_000}, "UTF-8"),
}


@pytest.mark.parametrize("name", GIANTS)
def test_giants(name: str, tmp_path: Path) -> None:
    """By the command itself, with memory and processor time bounded."""
    giant = GIANTS[name]
    for file, text in giant.files.items():
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / file).write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "kina.cli", "check", "a.kina"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=_limit,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path))),
        },
    )
    said = done.stderr.rstrip("\n")
    assert done.returncode == (1 if giant.says else 0), said[:2000]
    assert done.stdout == "" and giant.says in said and len(said) < 20_000
    assert not said or malformed(said) is None
