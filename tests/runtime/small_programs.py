"""Small programs written in MLIR by hand, compiled into libraries for the tests of the host.

They need no compiler of Kina, so the host is tested on its own; each says in a line what it computes.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from kina.abi import Manifest, Parameter, Result, Signature
from kina.codegen.link import Linked, link
from kina.codegen.tools import find_tools


def compile_object(source: str, out: Path, triple: str = "x86_64-unknown-linux-gnu") -> Path:
    """Functions over memrefs, with `llvm.emit_c_interface`, to an object."""
    t = find_tools().code
    lowered = _run(
        [str(t.mlir_opt), "--convert-linalg-to-loops", "--convert-scf-to-cf", "--lower-affine"]
        + ["--convert-math-to-libm", "--expand-strided-metadata", "--finalize-memref-to-llvm"]
        + ["--convert-openmp-to-llvm", "--convert-arith-to-llvm", "--convert-index-to-llvm"]
        + ["--convert-func-to-llvm", "--convert-cf-to-llvm", "--reconcile-unrealized-casts"],
        source.encode(),
    )
    ir = _run([str(t.mlir_translate), "--mlir-to-llvmir"], lowered)
    options = ["-O2", "-filetype=obj", "-relocation-model=pic", f"-mtriple={triple}"]
    _run([str(t.llc), *options, "-o", str(out)], ir)
    return out


def _run(command: list[str], text: bytes) -> bytes:
    result = subprocess.run(command, input=text, capture_output=True, check=False)
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout


def manifest(
    *signatures: Signature,
    program: str = "small",
    target_cpu: str = "x86-64",
    abi: int = 1,
) -> Manifest:
    triple = "x86_64-unknown-linux-gnu"
    return Manifest(program, target_cpu, triple, signatures, compiler="by hand", abi=abi)


def build(source: str, described: Manifest, out: Path) -> Linked:
    """A library of the functions in `source`."""
    compiled = compile_object(source, out.with_suffix(".o"))
    return link([compiled], described, out, find_tools().link)


SCALE = """
// scale(x) = {factor} x, over {type}
func.func @scale(%x: memref<{type}>, %y: memref<{type}>) attributes {{llvm.emit_c_interface}} {{
  %f = arith.constant {factor} : {element}
  linalg.map ins(%x : memref<{type}>) outs(%y : memref<{type}>)
    (%a: {element}, %old: {element}) {{
      %p = arith.{multiply} %a, %f : {element}
      linalg.yield %p : {element}
    }}
  return
}}
"""

_ELEMENTS = {
    "F64": "f64",
    "F32": "f32",
    "I64": "i64",
    "I32": "i32",
    "I8": "i8",
}


def scale(out: Path, shape: tuple[int, ...], factor: int, dtype: str = "F32") -> Path:
    """A library whose one signature is `scale(x) = factor * x`."""
    element = _ELEMENTS[dtype]
    floating = dtype.startswith("F")
    source = SCALE.format(
        type="x".join([*map(str, shape), element]),
        element=element,
        factor=f"{factor}.0" if floating else factor,
        multiply="mulf" if floating else "muli",
    )
    signature = Signature("scale", (Parameter("x", dtype, shape),), (Result(dtype, shape),))
    build(source, manifest(signature), out)
    return out


COPY = """
// same(x) = x
func.func @same(%x: memref<{type}>, %y: memref<{type}>) attributes {{llvm.emit_c_interface}} {{
  memref.copy %x, %y : memref<{type}> to memref<{type}>
  return
}}
"""


def same(out: Path, shape: tuple[int, ...], dtype: str) -> Path:
    """A library whose one signature is `same(x) = x`, for every dtype."""
    element = {"F16": "f16", "BF16": "bf16", "Bool": "i1", **_ELEMENTS}[dtype]
    source = COPY.format(type="x".join([*map(str, shape), element]))
    signature = Signature("same", (Parameter("x", dtype, shape),), (Result(dtype, shape),))
    build(source, manifest(signature), out)
    return out


RECORD = """
// weigh(w: {a, inner: {b, c}}, x) = 1 w.a + 10 w.inner.b + 100 w.inner.c + 1000 x
func.func @weigh(%a: memref<2xf32>, %b: memref<2xf32>, %c: memref<2xf32>, %x: memref<2xf32>,
                 %y: memref<2xf32>) attributes {llvm.emit_c_interface} {
  %k1 = arith.constant 10.0 : f32
  %k2 = arith.constant 100.0 : f32
  %k3 = arith.constant 1000.0 : f32
  linalg.map ins(%a, %b, %c, %x : memref<2xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>)
    outs(%y : memref<2xf32>) (%ea: f32, %eb: f32, %ec: f32, %ex: f32, %old: f32) {
      %p1 = arith.mulf %eb, %k1 : f32
      %p2 = arith.mulf %ec, %k2 : f32
      %p3 = arith.mulf %ex, %k3 : f32
      %s1 = arith.addf %ea, %p1 : f32
      %s2 = arith.addf %s1, %p2 : f32
      %s3 = arith.addf %s2, %p3 : f32
      linalg.yield %s3 : f32
    }
  return
}
"""


def record(out: Path) -> Path:
    """A library with `weigh(w, x)`, whose first argument is a record with a record in it."""
    names = ("w.a", "w.inner.b", "w.inner.c", "x")
    parameters = tuple(Parameter(name, "F32", (2,)) for name in names)
    described = manifest(Signature("weigh", parameters, (Result("F32", (2,)),)))
    build(RECORD, described, out)
    return out


CACHE = """
// push(cache donated, at, row) -> (cache with row written at `at`, sum of the row)
func.func @push(%cache: memref<4x3xf32>, %at: memref<i64>, %row: memref<3xf32>,
                %sum: memref<f32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %i64 = memref.load %at[] : memref<i64>
  %i = arith.index_cast %i64 : i64 to index
  %total = scf.for %j = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %row[%j] : memref<3xf32>
    memref.store %v, %cache[%i, %j] : memref<4x3xf32>
    %next = arith.addf %acc, %v : f32
    scf.yield %next : f32
  }
  memref.store %total, %sum[] : memref<f32>
  return
}
"""


CACHE_SIGNATURE = Signature(
    "push",
    (
        Parameter("cache", "F32", (4, 3), donated=True),
        Parameter("at", "I64", (), index_bound=4),
        Parameter("row", "F32", (3,)),
    ),
    (Result("F32", (4, 3), alias="cache"), Result("F32", ())),
)


def cache(out: Path) -> Path:
    """A library with `push(cache, at, row)`, which writes into the donated cache."""
    build(CACHE, manifest(CACHE_SIGNATURE), out)
    return out


TEAM = """
// team() = how many threads a parallel region has
func.func private @omp_get_num_threads() -> i32
func.func @team(%n: memref<i32>) attributes {llvm.emit_c_interface} {
  omp.parallel {
    omp.master {
      %count = func.call @omp_get_num_threads() : () -> i32
      memref.store %count, %n[] : memref<i32>
      omp.terminator
    }
    omp.terminator
  }
  return
}
"""


def team(out: Path) -> Linked:
    """A library with `team()`, which needs the OpenMP runtime beside it."""
    return build(TEAM, manifest(Signature("team", (), (Result("I32", ()),))), out)


CALLER = """
// exponential(x) = e^x, by libm
func.func @exponential(%x: memref<4xf32>, %y: memref<4xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.map ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) (%a: f32, %old: f32) {
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  return
}
"""


def exponential(out: Path) -> Path:
    """A library with `exponential(x)`, which calls libm's `expf`."""
    parameters = (Parameter("x", "F32", (4,)),)
    build(CALLER, manifest(Signature("exponential", parameters, (Result("F32", (4,)),))), out)
    return out
