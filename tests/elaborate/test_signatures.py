"""What hosts see of an export: donated parameters, bounds of indices, names, the same every time.

Expectations by hand.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from written import checked, the_error

from kina import abi
from kina.elaborate import check, elaborate
from kina.oracle.interpreter import interpret
from kina.syntax.source import KinaError


def test_a_signature_lists_parameters_and_results_in_order() -> None:
    text = """
        record W { a: F16[2] b: Bool[] }
        fn f(w: W, n: I32[3]) -> (Bool[], F16[2]) { return (w.b, w.a) }
        export g = f
    """
    assert checked(text)["g"].signature == abi.Signature(
        "g",
        (
            abi.Parameter("w.a", "F16", (2,)),
            abi.Parameter("w.b", "Bool", ()),
            abi.Parameter("n", "I32", (3,)),
        ),
        (abi.Result("Bool", ()), abi.Result("F16", (2,))),
    )


def test_the_module_is_one_function_of_that_name() -> None:
    module: Any = checked("fn f(x: F32[2]) -> F32[2] { return x } export g = f")["g"].module
    (function,) = module.body.block.ops
    assert function.name == "func.func" and function.sym_name.data == "g"
    assert str(function.arg_attrs) == '[{kina.name = "x"}]'


DONATE = """
fn f(x: F32[4, 2], y: F32[4, 2], row: F32[1, 2], n: I64[]) -> %s {
  %s
}
export f donate(%s)
"""


@pytest.mark.parametrize(
    ("result", "lines", "donated", "aliases"),
    [
        ("F32[4, 2]", "return update(x, row, at=[n, 0])", "x", ["x"]),
        ("(F32[], F32[4, 2])", "return (1.0, update(x, row, at=[n, 0]))", "x", [None, "x"]),
        (
            "F32[4, 2]",
            "let x = update(x, row, at=[n, 0]) return update(x, row, at=[0, 0])",
            "x",
            ["x"],
        ),
        (
            "F32[4, 2]",
            "return for i in 0..n with x = x { yield update(x, row, at=[i, 0]) }",
            "x",
            ["x"],
        ),
        (
            "(F32[4, 2], F32[4, 2])",
            """let (s, y, x) = for i in 0..n with s = 0.0, y = y, x = x {
                 let (x, t) = for j in 0..2 with x = x, t = 0 {
                   yield (update(x, row, at=[j, 0]), t)
                 }
                 yield (s, update(y, row, at=[i, 0]), x)
               }
               return (x, y)""",
            "x, y",
            ["x", "y"],
        ),
        (
            "(F32[4, 2], I64[])",
            """let (i, x) = while i < n with i = 0, x = x { yield (i + 1, update(x, row, at=[i, 0])) }
               return (x, i)""",
            "x",
            ["x", None],
        ),
        ("F32[4, 2]", "return x", "x", ["x"]),
    ],
)
def test_donated_parameters_alias_their_update(
    result: str, lines: str, donated: str, aliases: list[str | None]
) -> None:
    elaborated = checked(DONATE % (result, lines, donated))["f"]
    assert [r.alias for r in elaborated.signature.results] == aliases
    names = [name.strip() for name in donated.split(",")]
    assert [p.name for p in elaborated.signature.parameters if p.donated] == names
    assert str(elaborated.module).count("kina.donated") == len(names)


@pytest.mark.parametrize(
    ("result", "lines", "donated", "message"),
    [
        ("F32[4, 2]", "return x + 1", "x", "no result is an update of 'x', F32[4, 2]"),
        ("F32[4, 2]", "return update(x + 1, row, at=[n, 0])", "x", "no result is an update of"),
        ("F32[4, 2]", "return update(y, row, at=[n, 0])", "x", "no result is an update of 'x'"),
        ("F32[1, 2]", "return update(row, row, at=[0, 0])", "x", "no result is an update of 'x'"),
        (
            "F32[4, 2]",
            "return for i in 0..n with a = x { yield y }",
            "x",
            "no result is an update of 'x'",
        ),
        (
            "(F32[4, 2], F32[4, 2])",
            "return for i in 0..n with a = x, b = y { yield (b, a) }",
            "x",
            "no result is an update of 'x'",
        ),
        (
            "(F32[4, 2], F32[4, 2])",
            "return (update(x, row, at=[n, 0]), update(x, row, at=[0, 0]))",
            "x",
            "results 1 and 2 are updates of 'x', F32[4, 2]",
        ),
    ],
)
def test_what_cannot_be_donated(result: str, lines: str, donated: str, message: str) -> None:
    found = the_error(DONATE % (result, lines, donated))
    assert found.split(": ", 1)[0] == "5:17"  # the name after donate(
    assert found.split(": ", 1)[1].startswith(message)


def test_a_record_is_not_donated() -> None:
    text = """record R { x: F32[2] }
fn f(r: R) -> F32[2] { return r.x }
export f donate(r)"""
    assert the_error(text) == "3:17: 'r' of f is a record; only a tensor is donated"


@pytest.mark.parametrize(
    ("expression", "bound"),
    [
        ("gather(table, ids)", 7),
        ("gather(table, reshape(ids, [6]))", 7),
        ("gather(table, transpose(ids))", 7),
        ("gather(table, ids[n])", 7),
        ("gather(table, slice(ids, at=[0, n], size=[1, 1]))", 7),
        ("gather(table, concat(ids, ids, axis=0))", 7),
        ("gather(gather(table, ids), ids)", 2),  # the second table has two rows
        ("gather(table, ids + 1)", None),  # the ids are others
        ("gather(table, ids % 7)", None),
        ("table[ids[0, 0]]", None),  # an index, clamped
        ("cast(ids, F32)", None),
    ],
)
def test_ids_of_a_table_have_a_bound(expression: str, bound: int | None) -> None:
    text = f"""
        fn f(table: F32[7], ids: I64[2, 3], n: I64[]) -> F32[] {{
          let x = {expression}
          return 1.0
        }}
        export f
    """
    parameters = {p.name: p for p in checked(text)["f"].signature.parameters}
    assert parameters["ids"].index_bound == bound
    assert parameters["n"].index_bound is None and parameters["table"].index_bound is None


def test_ids_keep_their_bound_through_calls_and_loops() -> None:
    text = """
        fn look(t: F32[5, 2], ids: I32[3]) -> F32[3, 2] { return gather(t, ids) }
        fn f(t: F32[5, 2], ids: I32[3]) -> F32[3, 2] {
          return for i in 0..2 with x = full([3, 2], 0.0) { yield x + look(t, ids) }
        }
        export f
    """
    parameters = {p.name: p for p in checked(text)["f"].signature.parameters}
    assert parameters["ids"].index_bound == 5


@pytest.mark.parametrize("loop", ["while n < 3 with n = 0", "for i in 0..3 with n = 0"])
def test_ids_with_which_a_loop_begins_have_a_bound(loop: str) -> None:
    text = f"""
        fn f(t: I64[5], ids: I64[3], others: I64[3]) -> I64[3] {{
          let (n, ids, others) = {loop}, ids = ids, others = others {{
            yield (n + 1, gather(t, ids), others)
          }}
          return ids + others
        }}
        export f
    """
    parameters = {p.name: p for p in checked(text)["f"].signature.parameters}
    assert parameters["ids"].index_bound == 5 and parameters["others"].index_bound is None


def test_unknown_exports_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "p.kina"
    path.write_text("fn f(x: F32[]) -> F32[] { return x } export step = f export other = f")
    assert [e.signature.name for e in elaborate(path, ["other"])] == ["other"]
    assert [e.signature.name for e in elaborate(path)] == ["step", "other"]
    with pytest.raises(KinaError) as caught:
        elaborate(path, ["stop"])
    assert "unknown export 'stop': this program exports step, other; did you mean 'step'?" in str(
        caught.value
    )


_PRINT = """
import sys
from kina.elaborate import check
for e in check(sys.argv[1]).elaborated:
    print(e.signature, e.module)
"""


def test_the_same_text_gives_the_same_modules(tmp_path: Path) -> None:
    path = tmp_path / "p.kina"
    path.write_text("""
        dim L = 2
        record Layer { a: F32[3] b: F32[3] c: F32[3] }
        record W { layers: Layer[L] }
        fn f[S, T](w: W, x: F32[S, 3], y: F32[T]) -> F32[S, 3] {
          let x = for i in 0..L with x = x {
            let layer = w.layers[i]
            yield x * broadcast(layer.a + layer.b * layer.a) - broadcast(layer.c)
          }
          return x
        }
        reverseMode fn g(w: W, x: F32[1, 3]) -> F32[] {
          return sum(f(w, x, full([1], 0.0)), axis=[0, 1])
        }
        export f1 = f[S = 1, T = 2]
        export f2 = f[S = 2, T = 1]
        export g
    """)

    def printed(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", _PRINT, str(path)]
        environment["PYTHONPATH"] = os.pathsep.join(sys.path)
        return subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ).stdout

    first = printed("0")
    assert "kina.for" in first
    assert printed("1") == printed("2") == first


def test_a_repeated_field_is_read_once() -> None:
    text = """
        record Layer { a: F32[3] }
        fn f(layers: Layer[2], n: I64[]) -> F32[3] {
          let layer = layers[n]
          return layer.a * layer.a + layer.a
        }
        export f
    """
    elaborated = checked(text)["f"]
    assert str(elaborated.module).count("kina.slice") == 1
    a = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    (found,) = interpret(elaborated.module, [a, np.array(1)])
    assert found.tolist() == [20, 30, 42]  # a^2 + a


def test_a_field_first_read_in_a_loop_is_read_again_outside() -> None:
    text = """
        record Layer { a: F32[3] }
        fn f(layers: Layer[2], n: I64[]) -> F32[3] {
          let layer = layers[n]
          let x = for i in 0..2 with x = full([3], 0.0) { yield x + layer.a }
          return x + layer.a
        }
        export f
    """
    a = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    (found,) = interpret(checked(text)["f"].module, [a, np.array(0)])
    assert found.tolist() == [3, 6, 9]


def test_check_lists_every_source(tmp_path: Path) -> None:
    path = tmp_path / "p.kina"
    path.write_text("")
    program = check(path)
    assert program.sources == (str(path),) and program.elaborated == ()
