"""Imports: what lands, what must be bound, circles. Expectations by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from written import checked, diagnostics, errors, the_error

from kina.elaborate import check
from kina.syntax.source import KinaError

MODEL = """
dim N, M = 2 * N
const eps: F32
record W { a: F32[M] }
fn add_eps(w: W) -> F32[M] { return w.a + eps }
"""


def test_names_land_with_their_values() -> None:
    text = """
        import "model.kina" with N = K - 1, eps = 0.5
        dim K = 4
        fn f(w: W) -> F32[M + N] { return concat(add_eps(w), full([N], eps), axis=0) }
        export f
        export add_eps
    """
    program = checked(text, model=MODEL)
    assert program["f"].signature.results[0].shape == (9,)
    assert program["add_eps"].signature.parameters[0].shape == (6,)


def test_the_same_file_twice_with_other_values_clashes() -> None:
    text = """import "model.kina" with N = 1, eps = 0.5
import "model.kina" with N = 2, eps = 0.5"""
    found = errors(text, model=MODEL)
    assert found[0].startswith("2:8: duplicate name 'N', declared by ")


def test_a_file_reached_twice_with_the_same_values_is_one_file() -> None:
    left = 'import "base.kina" with N = 3 fn left(x: F32[N]) -> F32[N] { return x }'
    right = 'import "base.kina" with N = 2 + 1 fn right(x: F32[N]) -> F32[N] { return x }'
    text = """
        import "left.kina" import "right.kina"
        fn f(x: F32[N]) -> F32[N] { return left(right(same(x))) }
        export f
    """
    base = "dim N fn same(x: F32[N]) -> F32[N] { return x }"
    assert checked(text, left=left, right=right, base=base)["f"].signature.results[0].shape == (3,)


def test_a_value_may_come_from_a_later_import() -> None:
    side = "dim {0} const c{0}: F32 import 'base.kina' with N = {0}, c = c{0}".replace("'", '"')
    text = """
        import "left.kina" with L = Size, cL = nan
        import "right.kina" with R = Size, cR = nan
        import "size.kina"
        export same
    """
    base = "dim N const c: F32 fn same(x: F32[N]) -> F32[N] { return x }"
    others = {"left": side.format("L"), "right": side.format("R"), "base": base}
    assert checked(text, **others, size="dim Size = 3")["same"].signature.results[0].shape == (3,)


def test_zeros_of_either_sign_are_other_values() -> None:
    text = 'import "base.kina" with c = 0.0\nimport "base.kina" with c = -0.0'
    assert errors(text, base="const c: F32")[0].startswith("2:8: duplicate name 'c'")


@pytest.mark.parametrize(
    ("import_", "message"),
    [
        ('import "model.kina" with N = 1', "1:8: this import must bind eps of"),
        ('import "model.kina"', "1:8: this import must bind N, eps of"),
        ('import "model.kina" with N = 1, eps = 1.0, Q = 1', "1:44: "),
        ('import "model.kina" with N = 1, eps = 1.0, M = 1', "1:44: 'M' of "),
        ('import "model.kina" with N = 1, N = 1, eps = 1.0', "1:33: duplicate name 'N'"),
        ('import "model.kina" with N = Q, eps = 1.0', "1:30: unknown name 'Q'"),
        ('import "model.kina" with N = 1, eps = true', "1:39: expected an F32 value, found true"),
        ('import "model.kina" with N = 0, eps = 1.0', "model:4:19: expected a size of at least 1,"),
        ('import "model.kina" with N = 1.5, eps = 1.0', "1:30: a dimension is made of whole"),
        ('dim N = 1 import "model.kina" with N = 1, eps = 1.0', "1:18: duplicate name 'N'"),
        ('import "none.kina"', "none:1:1: cannot read the file: "),
        ('import "/etc/none.kina"', "1:8: expected a path relative to this file"),
        ('import "program.kina"', "1:8: imports run in a circle: this file is being imported"),
        ('import "broken.kina"', "broken:1:1: expected dim, const, record"),
        ('import "."', ""),
        ('import ""', ""),
    ],
)
def test_what_is_refused(import_: str, message: str) -> None:
    (found, *_) = errors(import_, model=MODEL, broken="?")
    assert found.startswith(message) or "?" in found


def test_a_circle_of_files_is_refused() -> None:
    found = the_error('import "a.kina"', a='import "b.kina"', b='import "a.kina"')
    assert found == "b:1:8: imports run in a circle: this file is being imported"


def test_an_error_in_an_imported_file_names_the_import() -> None:
    (diagnostic,) = diagnostics('\n  import "a.kina"', a="dim = 3")
    assert diagnostic.message == "expected the name of a dimension, found '='"
    (note,) = diagnostic.notes
    assert note.message == "imported here" and str(note.span).rsplit(":", 2)[1:] == ["2", "10"]


def test_unknown_names_in_an_imported_function_are_found() -> None:
    found = the_error('import "a.kina"', a="fn g[S](x: F32[S]) -> F32[S] { return y }")
    assert found == "a:1:39: unknown name 'y'"


def test_functions_see_the_names_of_their_own_file() -> None:
    # The importer's local S and function `two` are not what the imported file means.
    other = "fn one[S](x: F32[S]) -> F32[S] { return helper(x) + S } " + (
        "fn helper[S](x: F32[S]) -> F32[S] { return x }"
    )
    text = """
        import "other.kina"
        fn f(x: F32[2]) -> F32[2] { let helper = x return one(helper) }
        export f
    """
    checked(text, other=other)


def test_a_library_with_open_parameters_checks_alone(tmp_path: Path) -> None:
    path = tmp_path / "model.kina"
    path.write_text(MODEL)
    assert check(path).elaborated == ()
    path.write_text(MODEL + "export add_eps")
    with pytest.raises(KinaError) as caught:
        check(path)
    first, *_, note, _, _ = str(caught.value).splitlines()
    assert first.endswith("error: the dimension 'N' has no value here")
    assert "it is a parameter of this file" in str(caught.value)


def test_paths_are_relative_to_the_importing_file(tmp_path: Path) -> None:
    (tmp_path / "lib/deep").mkdir(parents=True)
    (tmp_path / "lib/deep/a.kina").write_text('import "../b.kina"')
    (tmp_path / "lib/b.kina").write_text("fn b(x: F32[2]) -> F32[2] { return x }")
    (tmp_path / "main.kina").write_text('import "lib/deep/a.kina" export b')
    program = check(tmp_path / "main.kina")
    assert [Path(s).relative_to(tmp_path).as_posix() for s in program.sources] == [
        *("main.kina", "lib/deep/a.kina", "lib/b.kina")
    ]


def test_a_link_to_the_importing_file_is_a_circle_too(tmp_path: Path) -> None:
    (tmp_path / "a.kina").write_text('import "b.kina"')
    (tmp_path / "b.kina").symlink_to(tmp_path / "a.kina")
    with pytest.raises(KinaError, match="imports run in a circle"):
        check(tmp_path / "a.kina")


def test_a_long_chain_of_imports_ends() -> None:
    files = {f"f{i}": f'import "f{i + 1}.kina"' for i in range(200)}
    assert the_error('import "f0.kina"', **files).endswith("imports nested more than 50 deep")


def printed(text: str, export: str = "f", **others: str) -> str:
    """The module of an export, to the letter."""
    return str(checked(text, **others)[export].module)


PART = """
dim N, M = 2 * N
const eps: F32 = 0.5
record W { a: F32[M] }
fn first[S](w: W, x: F32[S, M]) -> F32[S, N] { return both(slice(x, at=[0, 0], size=[S, N])) + eps }
fn both[S](x: F32[S, N]) -> F32[S, N] { return x * x }
fn last(w: W) -> F32[N] { return slice(w.a, at=[M - N], size=[N]) }
"""


def test_names_stand_behind_a_prefix() -> None:
    rest = """
        fn f[T](w: {0}W, x: F32[T, {0}M / 2 + {0}N]) -> F32[T, {0}N] {{
          let h = {0}first[S = T](w, x) * {0}eps + cast(sum({0}last(w), axis=0) > {0}N, F32)
          return for i in 0..{0}N with h = h {{ yield {0}both(h) }}
        }}
        export f = f[T = {0}M]
    """.replace("cast(sum({0}last(w), axis=0) > {0}N, F32)", "{0}last(w)[0]")
    rest = rest.replace("+ {0}last(w)[0]", "+ broadcast({0}last(w)[0])")
    plain = printed('import "part.kina" with N = 3' + rest.format(""), part=PART)
    assert printed('import "part.kina" as p with N = 3' + rest.format("p."), part=PART) == plain


def test_one_file_with_two_values_is_two_parts() -> None:
    text = """
        import "part.kina" as a with N = 2
        import "part.kina" as b with N = a.M
        record Both { a: a.W   b: b.W[a.N] }
        fn f(w: Both, i: I64[]) -> (F32[2], F32[4]) { return (a.last(w.a), b.last(w.b[i])) }
        export f
        export g = b.first[S = b.N]
    """
    program = checked(text, part=PART)
    assert [(p.name, p.shape) for p in program["f"].signature.parameters] == [
        *(("w.a.a", (4,)), ("w.b.a", (2, 8)), ("i", ()))
    ]
    assert [r.shape for r in program["f"].signature.results] == [(2,), (4,)]
    assert program["g"].signature.results[0].shape == (4, 4)


@pytest.mark.parametrize("other", ["as q with N = 5 - 2", "with N = 3"])
def test_one_file_with_the_same_values_is_one_part(other: str) -> None:
    prefix = "q." if "as q" in other else ""
    text = f"""
        import "part.kina" as p with N = 3
        import "part.kina" {other}
        fn f(w: p.W) -> F32[3] {{ return {prefix}last(w) }}
        export f
    """
    checked(text, part=PART)


def test_a_prefix_belongs_to_its_file() -> None:
    # Both sides call their parts p; what they make of them meets in the program.
    side = 'import "part.kina" as p with N = {0} fn {1}(w: p.W) -> F32[{0}] {{ return p.last(w) }}'
    text = """
        import "left.kina" import "right.kina" import "part.kina" as p with N = 3
        fn f(a: p.W, b: F32[4]) -> F32[3] { return left(a) }
        export f export right
    """
    sides = {"left": side.format(3, "left"), "right": side.format(2, "right")}
    program = checked(text, part=PART, **sides)
    assert program["right"].signature.results[0].shape == (2,)


def test_a_prefix_may_be_the_name_of_a_field() -> None:
    text = """
        import "part.kina" as norm with N = 3
        record Layer { norm: norm.W }
        fn f(layer: Layer) -> F32[3] { return norm.last(layer.norm) }
        export f
        fn main() { f(placeholder) }
    """
    checked(text, part=PART)


def test_main_calls_what_a_part_has() -> None:
    text = """
        import "part.kina" as p with N = 3
        export f = p.first[S = 1]
        fn main() { let x = p.last(placeholder) f(placeholder, ...) }
    """
    checked(text, part=PART)


def test_a_value_that_goes_round_through_a_part_is_a_circle() -> None:
    found = errors('import "part.kina" as p with N = K dim K = p.M', part=PART)
    assert any("depends on itself" in one for one in found)


def test_a_file_that_is_imported_twice_is_one_source(tmp_path: Path) -> None:
    (tmp_path / "part.kina").write_text(PART)
    (tmp_path / "main.kina").write_text(
        'import "part.kina" as p with N = 3 import "part.kina" as q with N = 4'
    )
    assert len(check(tmp_path / "main.kina").sources) == 2


BLOCK = """
dim N
part norm
record W { norm: norm.W[norm.N]   bias: F32[N] }
fn block(w: W, x: F32[2, 2 * N]) -> F32[2, N] {
  return norm.first(w.norm[0], x) + broadcast(w.bias * norm.eps)
}
"""


def test_a_part_is_what_the_importer_gives() -> None:
    import_ = 'import "part.kina" as p with N = 3'
    plain = """
        record W { norm: p.W[3]   bias: F32[3] }
        fn block(w: W, x: F32[2, 6]) -> F32[2, 3] {
          return p.first(w.norm[0], x) + broadcast(w.bias * p.eps)
        }
        export f = block
    """
    given = """
        import "block.kina" as b with N = p.N, norm = p
        export f = b.block
    """
    files = {"part": PART, "block": BLOCK}
    assert printed(given + import_, **files) == printed(plain + import_, **files)


def test_a_part_is_given_on() -> None:
    outer = """
        part inner
        import "block.kina" as b with N = inner.N, norm = inner
        fn outer(w: b.W, x: F32[2, inner.M]) -> F32[2, inner.N] { return b.block(w, x) }
    """
    given = 'import "outer.kina" with inner = p import "part.kina" as p with N = 3 export f = outer'
    plain = """import "block.kina" with N = 3, norm = p
        import "part.kina" as p with N = 3
        fn outer(w: W, x: F32[2, 6]) -> F32[2, 3] { return block(w, x) }
        export f = outer"""
    files = {"part": PART, "block": BLOCK, "outer": outer}
    assert printed(given, **files) == printed(plain, **files)


@pytest.mark.parametrize("same", [True, False])
def test_a_file_with_another_part_is_another_file(same: bool) -> None:
    text = f"""
        import "part.kina" as p with N = 3
        import "part.kina" as q with N = {3 if same else 4}
        import "block.kina" as a with N = 3, norm = p
        import "block.kina" as b with N = 3, norm = q
        fn f(w: a.W, x: F32[2, 6]) -> F32[2, 3] {{ return b.block(w, x) }}
        export f
    """
    files = {"part": PART, "block": BLOCK}
    if same:
        checked(text, **files)
    else:
        assert "found the record W of " in errors(text, **files)[0]


def test_a_record_of_a_part_is_one_type_for_all_who_have_it() -> None:
    text = """
        import "part.kina" as p with N = 3
        import "block.kina" as b with N = 3, norm = p
        fn f(w: b.W, n: p.W, x: F32[2, 6]) -> F32[3] {
          return sum(b.block(w, x), axis=0) + p.last(w.norm[1]) + p.last(n)
        }
        export f
    """
    checked(text, part=PART, block=BLOCK)


def test_a_file_with_a_part_checks_alone(tmp_path: Path) -> None:
    path = tmp_path / "block.kina"
    path.write_text(BLOCK)
    assert check(path).elaborated == ()
    path.write_text(BLOCK.replace("w.bias", "w.bais"))
    with pytest.raises(KinaError, match="no field 'bais'"):
        check(path)
    path.write_text(BLOCK + "fn main() { norm.first(placeholder) }")
    with pytest.raises(KinaError, match="the part 'norm' has no file here"):
        check(path)


def test_with_d_as_d_is_one_name() -> None:
    text = """
        dim N = 3
        import "part.kina" with N = N
        export last
    """
    assert checked(text, part=PART)["last"].signature.results[0].shape == (3,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("part", "1:5: expected the name of a part, found the end"),
        ("part a b", "1:8: expected dim, const"),
        ("part a part a", "1:13: duplicate name 'a'"),
        ("part a dim a = 1", "1:12: duplicate name 'a'"),
        ("part max", "1:6: 'max' is already the name of an operation"),
        ("part a fn f(a: F32[]) -> F32[] { return a }", "1:13: duplicate name 'a': it is a part"),
        ('import "part.kina" as p with N = 3 part q export f = q.f', "1:54: the part 'q' has no"),
    ],
)
def test_what_is_no_part(text: str, message: str) -> None:
    assert errors(text, part=PART)[0].startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('import "part.kina" as', "1:22: expected a prefix for its names, found the end"),
        ('import "part.kina" as p.q', "1:24: expected dim, const"),
        ('import "part.kina" as dim', "1:23: expected a prefix for its names, found the keyword"),
        ('import "part.kina" with N = 1 as p', "1:31: expected dim, const"),
        ("fn f(x: p.) -> F32[] { return x }", "1:11: expected a name behind the prefix 'p'"),
        ("fn f(x: p.q.r) -> F32[] { return x }", "1:12: expected ',' or ')', found '.'"),
    ],
)
def test_what_is_no_prefix(text: str, message: str) -> None:
    assert errors(text, part=PART)[0].startswith(message)
