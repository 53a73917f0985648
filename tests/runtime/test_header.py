"""The generated header: what it says, and that C and C++ compilers take it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import small_programs as programs

from kina.abi import Parameter, Result, Signature
from kina.codegen.header import header
from kina.codegen.tools import find_tools
from kina.sizes import symbol, symbols

STEP = Signature(
    "step",
    (
        Parameter("w.embed", "F32", (8, 4)),
        Parameter("token", "I64", (1,), index_bound=8),
        Parameter("cache", "F32", (2, 3, 4), donated=True),
        Parameter("class", "F64", ()),
    ),
    (Result("F32", (8,)), Result("F32", (2, 3, 4), alias="cache")),
)
NOTHING = Signature("nothing", (), ())


def compilers() -> dict[str, list[str]]:
    zig = find_tools().link.lld[0]
    return {
        "c": ["cc"] if shutil.which("cc") else [zig, "cc"],
        "c++": ["c++"] if shutil.which("c++") else [zig, "c++"],
    }


def run_compiler(language: str, options: list[str], tmp_path: Path) -> None:
    standard = {"c": "-std=c99", "c++": "-std=c++11"}[language]
    command = [*compilers()[language], standard, "-Wall", "-Wextra", "-pedantic", "-Werror"]
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(tmp_path / "cache")}
    environment["ZIG_LOCAL_CACHE_DIR"] = environment["ZIG_GLOBAL_CACHE_DIR"]
    result = subprocess.run(
        [*command, *options],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_an_open_size_is_named_and_bounded() -> None:
    past = symbol("S", 1, 31)
    grown = (2, past + 1)
    step = Signature(
        "step",
        (Parameter("cache", "F32", grown, donated=True), Parameter("x", "F32", (past,))),
        (Result("F32", grown, alias="cache"), Result("F32", (2 * past,))),
        open=tuple(symbols(past)),
    )
    assert (
        "/* step: S in 1 .. 31. */\n"
        "/* Result 0 of step is in the buffer of cache. */\n"
        "void _mlir_ciface_step(\n"
        "    const kina_tensor_2 * /* cache: F32[2, S + 1], donated */,\n"
        "    const kina_tensor_1 * /* x: F32[S] */,\n"
        "    const kina_tensor_1 * /* result: F32[2 * S] */);\n"
    ) in header(programs.manifest(step))


def test_a_prototype_has_the_tensors_in_the_order_of_the_call() -> None:
    text = header(programs.manifest(STEP))
    assert (
        "/* Result 1 of step is in the buffer of cache. */\n"
        "void _mlir_ciface_step(\n"
        "    const kina_tensor_2 * /* w.embed: F32[8, 4] */,\n"
        "    const kina_tensor_1 * /* token: I64[1], in 0 .. 7 */,\n"
        "    const kina_tensor_3 * /* cache: F32[2, 3, 4], donated */,\n"
        "    const kina_tensor_0 * /* class: F64[] */,\n"
        "    const kina_tensor_1 * /* result: F32[8] */);\n"
    ) in text
    assert "void _mlir_ciface_nothing(\n    void);\n" in header(programs.manifest(NOTHING))


def test_it_is_the_same_every_time_and_ends_with_one_newline() -> None:
    described = programs.manifest(STEP, NOTHING)
    assert header(described) == header(described)
    assert header(described).endswith("*/\n") and not header(described).endswith("\n\n")


@pytest.mark.parametrize("language", ["c", "c++"])
def test_compilers_take_two_headers_together(language: str, tmp_path: Path) -> None:
    other = Signature("other", STEP.parameters[:1], ())
    (tmp_path / "one.h").write_text(header(programs.manifest(STEP, NOTHING, program="one")))
    nasty = programs.manifest(other, program="t/*wo */.kina\n")
    (tmp_path / "two.h").write_text(header(nasty))
    source = tmp_path / ("x.c" if language == "c" else "x.cc")
    source.write_text('#include "one.h"\n#include "two.h"\n#include "one.h"\n')
    run_compiler(language, ["-fsyntax-only", source.name], tmp_path)


C_PROGRAM = """
#include <stdio.h>
#include "x.h"
int main(void) {
  float cache[4][3] = {{0}}, row[3] = {1, 2, 4}, sum = 0;
  int64_t at = 2;
  kina_tensor_2 c = {cache, cache, 0, {4, 3}, {3, 1}};
  kina_tensor_0 a = {&at, &at, 0}, s = {&sum, &sum, 0};
  kina_tensor_1 r = {row, row, 0, {3}, {1}};
  _mlir_ciface_push(&c, &a, &r, &s);
  printf("%g %g %g %g %c\\n", cache[2][0], cache[2][2], cache[3][0], sum, kina_manifest[0]);
  return 0;
}
"""


def test_a_c_program_calls_through_it(tmp_path: Path) -> None:
    library = programs.cache(tmp_path / "libx.so")
    described = programs.manifest(programs.CACHE_SIGNATURE)
    (tmp_path / "x.h").write_text(header(described))
    (tmp_path / "main.c").write_text(C_PROGRAM)
    run_compiler("c", ["main.c", library.name, "-Wl,-rpath,$ORIGIN", "-o", "main"], tmp_path)
    out = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout
    assert out == "1 4 0 7 {\n"  # the row at place 2, its sum 1 + 2 + 4, and JSON's first character
