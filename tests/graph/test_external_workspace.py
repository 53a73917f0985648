"""Another workspace, tests/external_workspace, has Kina as an external repository and a program of its own.

Its `misuse` folder has the mistakes of BUILD files that only the compiler can see, and what is said of each; those
that the rules see by themselves are in //tests/rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from nested import Bazel, BuildFailed, nested_bazel, scratch

FOLDER = "tests/external_workspace"


@pytest.fixture(scope="module")
def bazel() -> Iterator[Bazel]:
    with scratch() as folder:
        bazel = nested_bazel(folder)
        yield bazel
        bazel.run("shutdown", folder=FOLDER)


@pytest.fixture(scope="module")
def built(bazel: Bazel) -> Path:
    """The workspace, built and tested. Its golden is not checked in, so that it need not follow the compiler."""
    bazel.run("run", "//:update_goldens", folder=FOLDER)
    bazel.run("test", "--test_output=errors", "//...", folder=FOLDER)
    return bazel.workspace / FOLDER


def test_its_program_is_built_and_its_tests_pass(built: Path) -> None:
    logs = built / "bazel-testlogs"
    ran = {path.parent.relative_to(logs.resolve()) for path in logs.resolve().rglob("test.xml")}
    assert {str(path) for path in ran} == {"cc_test", "golden_test", "python_test"}
    library = built / "bazel-bin/celsius_so/libcelsius.so"
    assert library.read_bytes().startswith(b"\x7fELF")
    assert b"_mlir_ciface_fahrenheit" in library.read_bytes()


def test_its_test_runs_as_a_program_from_another_folder(bazel: Bazel, built: Path) -> None:
    said = bazel.run("run", "//:python_test", folder=f"{FOLDER}/misuse")
    assert "1 passed" in said


def test_its_goldens_are_written(bazel: Bazel, built: Path) -> None:
    golden = built / "fahrenheit.mlir"
    text = golden.read_text(encoding="utf-8")
    golden.unlink()
    with pytest.raises(BuildFailed) as caught:
        bazel.run("test", "--test_output=errors", "//:golden_test", folder=FOLDER)
    missing = (
        "no golden fahrenheit.mlir: run the kina_update_goldens of its package, and check it in"
    )
    assert missing in str(caught.value).splitlines()
    bazel.run("run", "//:update_goldens", folder=FOLDER)
    assert golden.read_text(encoding="utf-8") == text


CPUS = "x86-64, x86-64-v2, x86-64-v3, x86-64-v4, armv8-a, armv8.1-a, armv8.2-a"
MISUSES = {
    "an export that the source lacks": (
        ("build", "//misuse:source_lacks"),
        "misuse/two.kina: error: BUILD lists treble among the exports, the source exports only double, square",
    ),
    "an export that BUILD lacks": (
        ("build", "//misuse:build_lacks"),
        "misuse/two.kina: error: the source exports square too: list that among the exports in BUILD",
    ),
    "an import that BUILD lacks": (
        ("build", "//misuse:import_lacks"),
        "note: scale.kina is not among the srcs in BUILD",
    ),
    "an unknown processor": (
        ("build", "//misuse:unknown_cpu_so"),
        f"unknown target_cpu 'pentium': expected one of {CPUS}, with +features behind it where wanted",
    ),
    "an unknown processor for all": (
        ("build", "--@kina//tools/kina:target_cpu=pentium", "//:celsius_so"),
        f"unknown target_cpu 'pentium': expected one of {CPUS}, with +features behind it where wanted",
    ),
    "the processor of this machine": (
        ("build", "//misuse:native_so"),
        'Error in fail: target_cpu = "native" is not for builds: name the processor, or use `kina compile`',
    ),
    "the processor of this machine for all": (
        ("build", "--@kina//tools/kina:target_cpu=native", "//:celsius_so"),
        'Error in fail: target_cpu = "native" is not for builds: name the processor, or use `kina compile`',
    ),
    "a level of optimization that LLVM lacks": (
        ("build", "--@kina//tools/kina:opt=9", "//:celsius_so"),
        "Error in fail: opt is LLVM's optimization level, 0 to 3, not 9",
    ),
    "a missing golden": (
        ("test", "--test_output=errors", "//misuse:no_golden_test"),
        "no golden misuse/golden/double.mlir: run the kina_update_goldens of its package, and check it in",
    ),
}


@pytest.mark.parametrize("what", MISUSES)
def test_what_is_said_of_a_misuse(what: str, bazel: Bazel) -> None:
    command, message = MISUSES[what]
    with pytest.raises(BuildFailed) as caught:
        bazel.run(*command, folder=FOLDER)
    assert message in str(caught.value).splitlines()
    assert "Traceback (most recent call last):\n  " not in str(caught.value)  # one of Python


def test_a_feature_of_no_processor_is_named(bazel: Bazel) -> None:
    with pytest.raises(
        BuildFailed, match="unknown feature 'sse9' of target_cpu 'x86-64-v3\\+sse9'"
    ):
        bazel.run("build", "//misuse:unknown_feature_so", folder=FOLDER)
