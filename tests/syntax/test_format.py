"""The layout of each construct. Expectations by hand, in the style of the programs in kina/."""

from __future__ import annotations

import pytest

from kina.syntax.format import format_source
from kina.syntax.source import KinaError, SourceFile


def formatted(text: str) -> str:
    return format_source(SourceFile("a.kina", text))


def expression(text: str) -> str:
    """An expression, laid out where a dimension has it."""
    return formatted(f"dim x = {text}").removeprefix("dim x = ").removesuffix("\n")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a+b *c@d/e%f-g", "a + b * c @ d / e % f - g"),
        ("a  ==b", "a == b"),
        ("a<=  b", "a <= b"),
        ("- a", "-a"),
        ("a- -b", "a - -b"),
        ("- - a", "--a"),
        ("( -a )", "(-a)"),
        ("a*- b", "a * -b"),
        ("f ( x,axis = - 1 )", "f(x, axis=-1)"),
        ("f( x , )", "f(x,)"),
        ("f [ T=1,U =2 ] ( x )", "f[T = 1, U = 2](x)"),
        ("f(g [T=1] (x))", "f(g[T = 1](x))"),
        ("f ( placeholder,... )", "f(placeholder, ...)"),
        ("f ( ... )", "f(...)"),
        ("f(a ...)", "f(a ...)"),
        ("f ( )", "f()"),
        ("[ 1,2 ]", "[1, 2]"),
        ("f(x,at=[0 ,p+1],size=[ 1 ])", "f(x, at=[0, p + 1], size=[1])"),
        ("x [ i,j ] [ - 1 ]", "x[i, j][-1]"),
        ("w . layers [ i ] . up", "w.layers[i].up"),
        ("(a)[1]", "(a)[1]"),
        ("( a,b )", "(a, b)"),
        ("1e-5+inf", "1e-5 + inf"),
        ("for i in 0 .. - n with k=a{yield k}", "for i in 0..-n with k = a { yield k }"),
        ("for i in a+1..n with k=a,l=b{yield(k,l)}",)
        + ("for i in a + 1..n with k = a, l = b { yield (k, l) }",),
        ("f(for i in 0..1 with k=g(x=1){yield k})",)
        + ("f(for i in 0..1 with k = g(x=1) { yield k })",),
    ],
)
def test_blanks_in_an_expression(given: str, expected: str) -> None:
    assert expression(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("dim A=1,B,C =A*B", "dim A = 1, B, C = A * B"),
        ("const a :F32=1.0 ,b: I64", "const a: F32 = 1.0, b: I64"),
        ('import"a.kina"with L=3 ,eps = 1.0', 'import "a.kina" with L = 3, eps = 1.0'),
        ('import "a.kina" ', 'import "a.kina"'),
        ("export f=g [S=1 ]donate ( x ,y)", "export f = g[S = 1] donate(x, y)"),
        ("  export f donate(x)", "export f donate(x)"),
        ("record R{a :F32 [ N,2 ]b:F32[]}", "record R { a: F32[N, 2]   b: F32[] }"),
        ("record R{a:F32[],b:F32[],}", "record R { a: F32[], b: F32[], }"),
        ("fn main( ){ }", "fn main() {}"),
        ("fn main(){f(placeholder,...)g()}", "fn main() { f(placeholder, ...)   g() }"),
        (
            "fn f [S,T] (x:F32[S]) ->F32[S]{return x}",
            "fn f[S, T](x: F32[S]) -> F32[S] { return x }",
        ),
        ("reverseMode\nfn f()->F32[]{return 1.0}",)
        + ("reverseMode\n    fn f() -> F32[] { return 1.0 }",),
        (
            "dim N=1 reverseMode  fn f(x:F32[])->F32[]{return x}",
            "dim N = 1   reverseMode fn f(x: F32[]) -> F32[] { return x }",
        ),
        ("fn f()->(F32[] ,I64[]){return(a,b)}", "fn f() -> (F32[], I64[]) { return (a, b) }"),
        ("fn f()->F32[]{let(a,b)=g()return-a}",)
        + ("fn f() -> F32[] { let (a, b) = g()   return -a }",),
        ("dim A = 1 dim B = 2", "dim A = 1   dim B = 2"),
        ("dim A=1//one", "dim A = 1   //one"),
        ("//  one \t", "//  one"),
        ("dim\tA\f=\v1", "dim A = 1"),
    ],
)
def test_blanks_in_a_declaration(given: str, expected: str) -> None:
    assert formatted(given) == expected + "\n"


@pytest.mark.parametrize("text", ["", "\n", " \r\n\t\n"])
def test_nothing_stays_nothing(text: str) -> None:
    assert formatted(text) == ""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_become_one(end: str) -> None:
    assert formatted(f"// a{end}dim A = 1{end}{end}dim B = 2{end}") == (
        "// a\ndim A = 1\n\ndim B = 2\n"
    )


PAIRS = {
    "a block": (
        """
fn f(x: F32[]) -> F32[] {

let y = x


        return y

  }
""",
        """
fn f(x: F32[]) -> F32[] {
  let y = x

  return y
}
""",
    ),
    "the = of lets in a row": (
        """
fn f(x: F32[]) -> F32[] {
  let a = x
  let (bc, d) = g(a)
  let longer = d   let e = d
  let i = d
  let jk  = d
  // A comment ends the row,
  let longer = d

  let l = d
  let longest = h(d,
    d)
  let m = d
  let no = d
  return no
}
""",
        """
fn f(x: F32[]) -> F32[] {
  let a       = x
  let (bc, d) = g(a)
  let longer = d   let e = d
  let i  = d
  let jk = d
  // A comment ends the row,
  let longer = d

  let l = d
  let longest = h(d,
                  d)
  let m  = d
  let no = d
  return no
}
""",
    ),
    "a loop, what it carries, loops in it": (
        """
fn f(x: F32[]) -> F32[] {
  let (top, total) = for n in 0..L
  with top = x,
  total = g(x,
  x),
  out = x,
  y = x {
  let z = for i in 0..2 with a = x {
  yield a
  }
  yield (z,
  total, out, y)
  }
  return for n in 0..L with
  longer = x,
  top = x, total = g(x,
  y) {
  yield (top, total)
  }
}
""",
        """
fn f(x: F32[]) -> F32[] {
  let (top, total) = for n in 0..L
      with top = x,
           total = g(x,
                     x),
           out = x,
           y   = x {
    let z = for i in 0..2 with a = x {
      yield a
    }
    yield (z,
           total, out, y)
  }
  return for n in 0..L with
      longer = x,
      top = x, total = g(x,
                         y) {
    yield (top, total)
  }
}
""",
    ),
    "a block closes where what it belongs to began": (
        """
fn f(x: F32[]) -> F32[] {
  let (a, b) =
  for i in 0..2
  with a = x, b = x {
  yield (a, b)
  }
  let c = g(for i in 0..2 with a = x {
  yield a
  }, x)
  let d = g(
  for i in 0..2 with a = x {
  yield a
  },
  x
  )
  return c
}
""",
        """
fn f(x: F32[]) -> F32[] {
  let (a, b) =
      for i in 0..2
      with a = x, b = x {
        yield (a, b)
      }
  let c = g(for i in 0..2 with a = x {
              yield a
            }, x)
  let d = g(
      for i in 0..2 with a = x {
        yield a
      },
      x
  )
  return c
}
""",
    ),
    "lines that go on": (
        """
fn f(x: F32[],
y: F32[])
-> (F32[],
F32[]) {
  let a = x +
  y
  * x
  let b =
    g([1,
    2], (
    3))
  return (
    a
  , b)
}
export f = f[
S = 1]
donate(x,
y)
""",
        """
fn f(x: F32[],
     y: F32[])
    -> (F32[],
        F32[]) {
  let a = x +
      y
      * x
  let b =
      g([1,
         2], (
             3))
  return (
      a
      , b)
}

export f = f[
    S = 1]
    donate(x,
           y)
""",
    ),
    "lists of declarations": (
        """
dim A = 1,
LONG = 2,
B
const a: F32 = 1.0,
bc: F32
import "a.kina" with A = 1,
LONG = 2
import "a.kina" with
A = 1,
LONG = 2
import "a.kina"
with A = 1, B = 2,
LONG = 2
""",
        """
dim A    = 1,
    LONG = 2,
    B
const a: F32 = 1.0,
      bc: F32
import "a.kina" with A    = 1,
                     LONG = 2
import "a.kina" with
    A    = 1,
    LONG = 2
import "a.kina"
    with A = 1, B = 2,
         LONG = 2
""",
    ),
    "a record": (
        """
record R {
      a: F32[]
  b: F32[2]  c: F32[3]
  d: F32[2], e: F32[3],
  f:
  F32[]
}
""",
        """
record R {
  a: F32[]
  b: F32[2]   c: F32[3]
  d: F32[2], e: F32[3],
  f:
      F32[]
}
""",
    ),
    "an empty line around what has a block": (
        """
// The file.
dim A = 1
export a
// Of f,
// and of nothing else.
fn f(x: F32[]) -> F32[] {
  return x
}
fn one(x: F32[]) -> F32[] { return x }
fn two(x: F32[]) -> F32[] { return x }
record R {
  a: F32[]
}
// Not of R.

export f


export g
""",
        """
// The file.
dim A = 1
export a

// Of f,
// and of nothing else.
fn f(x: F32[]) -> F32[] {
  return x
}

fn one(x: F32[]) -> F32[] { return x }
fn two(x: F32[]) -> F32[] { return x }

record R {
  a: F32[]
}
// Not of R.

export f

export g
""",
    ),
    "comments behind tokens line up": (
        """
dim A = 1 // one
dim LONG = 2 // two
dim B = 3
dim C = 4      // four

dim LONG = 5 // five
fn f(x: F32[], // first
y: F32[]) -> F32[] { // second
  let y = x // third
  return g(x, // fourth
  y) // fifth
} // sixth
""",
        """
dim A = 1      // one
dim LONG = 2   // two
dim B = 3
dim C = 4   // four

dim LONG = 5   // five

fn f(x: F32[],              // first
     y: F32[]) -> F32[] {   // second
  let y = x     // third
  return g(x,   // fourth
           y)   // fifth
}   // sixth
""",
    ),
    "comments on lines of their own stand as what follows": (
        """
    // The file.
fn f(x: F32[],
// Of y.
y: F32[]
// Of no other.
) -> F32[] {

// Of a.
let a = x
// Of the sum.
+ y
return g( // open
// Of x.
x)
// The end.

}
  // Nothing follows.
""",
        """
// The file.
fn f(x: F32[],
     // Of y.
     y: F32[]
     // Of no other.
    ) -> F32[] {
  // Of a.
  let a = x
      // Of the sum.
      + y
  return g(   // open
      // Of x.
      x)
  // The end.
}
// Nothing follows.
""",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_lines(name: str) -> None:
    given, expected = PAIRS[name]
    assert formatted(given) == expected.removeprefix("\n")
    assert formatted(expected) == expected.removeprefix("\n")


def test_nothing_lines_up_with_what_is_wider_than_100_columns() -> None:
    """Otherwise a few long lines would make a text of many blanks."""
    wide = "w" * 97
    text = f"""\
dim {wide} = 1   // one
dim {wide[:-5]} = 1   // two
dim B = 1{" " * 91}   // three

fn f(x: F32[]) -> F32[] {{
  let {wide} = x
  let y = g({wide}(x,
      y), x)
  let {wide[:-1]} = x
  let y{" " * 95} = x
  return y
}}
"""
    assert formatted(text) == text


def test_a_wrong_program_is_refused() -> None:
    with pytest.raises(KinaError) as caught:
        formatted("dim = 1\nexport $\n")
    assert [str(d).partition("\n")[0] for d in caught.value.diagnostics] == [
        "a.kina:1:5: error: expected the name of a dimension, found '='",
        "a.kina:2:8: error: expected Kina text, found '$'",
    ]


def test_a_program_that_only_another_stage_refuses_is_laid_out() -> None:
    assert formatted("export  nothing") == "export nothing\n"
