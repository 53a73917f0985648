"""A change reruns the actions of the signatures that it touches, and no others.

The expected sets are read off the programs: which signatures a function is a part of, and which
products a schedule is for. No edit changes what a program computes, so the tests of StoryLM-0 pass
throughout.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from nested import Bazel, Spawn, nested_bazel, scratch

SMOLLM2 = "//kina/models:smollm2_135m_so"
STORYLM0_SO = ("//kina:storylm0_forward_so", "//kina:storylm0_generate_so")
EVERYTHING = (SMOLLM2, *STORYLM0_SO, "//tests:generate")

GENERATE, LLAMA = "kina/storylm0_generate.kina", "kina/models/llama.kina"
SCHEDULES = "python/kina/codegen/schedules"

Step = tuple[str, str]


def emit(*programs: str) -> set[Step]:
    return {("KinaEmit", program) for program in programs}


def objects(*signatures: str) -> set[Step]:
    return {("KinaObject", f"{signature}.o") for signature in signatures}


def link(*programs: str) -> set[Step]:
    return {("KinaLink", f"{program}_so") for program in programs}


STORYLM0, SMOLLM2_135M = ("storylm0_forward", "storylm0_generate"), "smollm2_135m"
DECODE, FORWARD = ("decode_s1", "decode_s2"), [f"forward_{n}" for n in range(1, 5)]
MODEL = ("decode", "prefill_16", "prefill_128")


@dataclass(frozen=True)
class Edit:
    """One text of a file, and what it becomes."""

    file: str
    old: str
    new: str


def comment(file: str) -> Edit:
    """A comment more in a Python file."""
    first = "from __future__ import annotations\n"
    return Edit(file, first, f"# A comment more.\n{first}")


EDITS = {
    "inside greedy_one": (
        Edit(GENERATE, "argmax(logits, axis=2)", "argmax(logits * 2.0, axis=2)"),
        emit("storylm0_generate") | objects("greedy_one") | link("storylm0_generate"),
    ),
    "inside the generic decode step": (
        Edit(GENERATE, "concat(v_past, v_new,", "concat(v_past * 2.0 * 0.5, v_new,"),
        emit("storylm0_generate") | objects(*DECODE) | link("storylm0_generate"),
    ),
    "a comment": (
        Edit(GENERATE, "// The first token has no past", "// The first token has no past yet"),
        emit("storylm0_generate"),
    ),
    "white space": (
        Edit(GENERATE, "export decode_self\n", "\n\nexport   decode_self\n"),
        emit("storylm0_generate"),
    ),
    "a comment of an imported file": (
        Edit(LLAMA, "// RMSNorm: x", "// Zhang and Sennrich's RMSNorm: x"),
        emit(SMOLLM2_135M),
    ),
    # Both models' programs multiply by matrices whose rows run along the output (outer.mlir), SmolLM2's
    # also by transposed weights (dot.mlir); greedy_one multiplies nothing. A comment leaves the objects
    # as they were, so nothing is linked.
    "the schedule of products with a transposed operand": (
        Edit(f"{SCHEDULES}/dot.mlir", "so nothing is packed.", "so nothing is packed at all."),
        emit(*STORYLM0, SMOLLM2_135M) | objects(*MODEL),
    ),
    "the schedule of plain products": (
        Edit(f"{SCHEDULES}/outer.mlir", "the end of that axis.", "the very end of that axis."),
        emit(*STORYLM0, SMOLLM2_135M) | objects("decode_self", *DECODE, *FORWARD, *MODEL),
    ),
    # The inputs of an action are the parts of the compiler that it runs.
    "the lowering": (
        comment("python/kina/lowering/walk.py"),
        emit(*STORYLM0, SMOLLM2_135M),
    ),
    "the link": (
        comment("python/kina/codegen/link.py"),
        link(*STORYLM0, SMOLLM2_135M),
    ),
    "the host loop": (comment("python/kina/generation/loop.py"), set()),
    "the runtime": (comment("python/kina/runtime/library.py"), set()),
    "the oracle": (comment("python/kina/oracle/meaning.py"), set()),
    "a test": (comment("tests/test_generate.py"), set()),
}


@pytest.fixture(scope="module")
def bazel() -> Iterator[Bazel]:
    with scratch() as folder:
        bazel = nested_bazel(folder)
        yield bazel
        bazel.shutdown()


def apply(edit: Edit, bazel: Bazel) -> None:
    path = bazel.workspace / edit.file
    text = path.read_text(encoding="utf-8")
    assert text.count(edit.old) == 1, f"{edit.file} does not hold this once: {edit.old}"
    path.write_text(text.replace(edit.old, edit.new), encoding="utf-8")


def steps(spawns: list[Spawn]) -> list[Step]:
    return sorted(spawn.step for spawn in spawns)


def test_one_function_of_the_model_costs_a_quarter_of_all_at_most(
    bazel: Bazel, capsys: pytest.CaptureFixture[str]
) -> None:
    # Processor time, of the server and the actions: other work on the machine stretches the clock's more.
    bazel.spawns("build", SMOLLM2)
    cold = bazel.cpu_seconds()
    rebuilds = []
    for old, new in [("token", "max(token, 0)"), ("max(token, 0)", "max(token, 1)")]:
        call = "return forward(w, {}, 1, k_past, v_past)"
        before = bazel.cpu_seconds()
        apply(Edit(LLAMA, call.format(old), call.format(new)), bazel)
        found = steps(bazel.spawns("build", SMOLLM2))
        rebuilds.append(bazel.cpu_seconds() - before)
        assert found == sorted(emit(SMOLLM2_135M) | objects("decode") | link(SMOLLM2_135M))
    with capsys.disabled():
        figures = ", ".join(f"{seconds:.1f}" for seconds in rebuilds)
        print(f"\nSmolLM2: cold {cold:.1f} s, one function {figures} s of processor time")
    assert min(rebuilds) <= cold / 4


@pytest.mark.parametrize("what", EDITS)
def test_what_an_edit_reruns(what: str, bazel: Bazel, capsys: pytest.CaptureFixture[str]) -> None:
    edit, expected = EDITS[what]
    bazel.spawns("build", *EVERYTHING)
    apply(edit, bazel)
    start = time.monotonic()
    found = steps(bazel.spawns("build", *EVERYTHING))
    seconds = time.monotonic() - start
    with capsys.disabled():
        print(f"\n{what}: {len(found)} actions, {seconds:.1f} s")
    assert found == sorted(expected)


@pytest.mark.parametrize("file", ["tests/test_generate.py", "python/kina/generation/sampling.py"])
def test_an_edit_of_a_test_or_the_host_reruns_the_test_alone(file: str, bazel: Bazel) -> None:
    bazel.spawns("test", "//tests:generate")
    apply(comment(file), bazel)
    assert steps(bazel.spawns("test", "//tests:generate")) == [("TestRunner", "generate")]
