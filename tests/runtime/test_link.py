"""What linking makes: exports, needs, versions, the same bytes; and what it refuses."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import small_programs as programs

from kina import elf
from kina.abi import (
    DIGEST_SYMBOL,
    MANIFEST_SYMBOL,
    Parameter,
    Result,
    Signature,
    manifest_from_json,
)
from kina.codegen.link import NEWEST_GLIBC, LinkError, link
from kina.codegen.tools import find_tools


def readelf(path: Path, *options: str) -> str:
    tool = find_tools().code.llc.with_name("llvm-readelf")
    return subprocess.run([tool, *options, path], capture_output=True, text=True, check=True).stdout


def needed(path: Path) -> list[str]:
    return re.findall(r"NEEDED.*\[(.*)\]", readelf(path, "-d"))


def newest_glibc(path: Path) -> tuple[int, int]:
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", readelf(path, "-V"))
    return max(((int(a), int(b)) for a, b in versions), default=(0, 0))


def signature(name: str) -> Signature:
    return Signature(name, (Parameter("x", "F32", (4,)),), (Result("F32", (4,)),))


def test_it_exports_its_interface_and_nothing_else(tmp_path: Path) -> None:
    source = """
      func.func @helper(%x: memref<4xf32>) { return }
      func.func @one(%x: memref<4xf32>, %y: memref<4xf32>)
        attributes {llvm.emit_c_interface} { return }
    """
    out = tmp_path / "x.so"
    programs.build(source, programs.manifest(signature("one")), out)
    library = elf.read_shared_object(out.read_bytes())
    exported = {s.name for s in library.symbols if s.defined and not s.local}
    assert exported == {"_mlir_ciface_one", MANIFEST_SYMBOL, DIGEST_SYMBOL}


def test_the_manifest_in_the_file_is_the_one_given(tmp_path: Path) -> None:
    described = programs.manifest(signature("same"), program='a "quoted" näme')
    source = programs.COPY.format(type="4xf32")
    programs.build(source, described, tmp_path / "x.so")
    library = elf.read_shared_object((tmp_path / "x.so").read_bytes())
    symbol = library.exported(MANIFEST_SYMBOL)
    assert symbol is not None
    text = library.contents(symbol)
    assert text.endswith(b"\0") and text.count(b"\0") == 1
    assert manifest_from_json(text[:-1].decode()) == described


@pytest.mark.parametrize(
    ("build", "wants"),
    [
        (lambda p: programs.scale(p, (4,), 2), []),
        (lambda p: programs.same(p, (4,), "F32"), ["libc.so.6"]),
        (programs.exponential, ["libm.so.6"]),
        (programs.team, ["libomp.so"]),
    ],
    ids=["nothing", "memcpy", "expf", "OpenMP"],
)
def test_it_needs_only_what_it_calls(build, wants: list[str], tmp_path: Path) -> None:
    build(tmp_path / "x.so")
    assert needed(tmp_path / "x.so") == wants
    assert newest_glibc(tmp_path / "x.so") <= NEWEST_GLIBC
    paths = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", readelf(tmp_path / "x.so", "-d"))
    assert paths == (["$ORIGIN"] if wants == ["libomp.so"] else [])


def test_memory_is_protected_as_usual(tmp_path: Path) -> None:
    programs.same(tmp_path / "x.so", (4,), "F32")
    segments = readelf(tmp_path / "x.so", "-l", "-W")
    assert re.search(r"GNU_STACK.* RW ", segments)  # no E: the stack is not executable
    assert "GNU_RELRO" in segments
    assert "NOW" in readelf(tmp_path / "x.so", "-d")


def test_two_links_elsewhere_make_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = tmp_path / "one" / "x.so"
    two = tmp_path / "a longer name of a folder" / "x.so"
    for path in (one, two):
        path.parent.mkdir()
    programs.team(one)
    monkeypatch.setenv("TMPDIR", str(two.parent))
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.chdir(two.parent)
    programs.team(Path("x.so"))
    assert one.read_bytes() == two.read_bytes()
    for text in (str(tmp_path), os.uname().nodename, "/tmp"):
        assert text.encode() not in one.read_bytes()


def test_no_debris_stays_and_the_old_file_is_replaced_not_overwritten(tmp_path: Path) -> None:
    compiled = programs.compile_object(programs.COPY.format(type="4xf32"), tmp_path / "x.o")
    out = tmp_path / "lib" / "x.so"
    out.parent.mkdir()
    out.write_bytes(b"old")
    with out.open("rb") as old:
        link([compiled], programs.manifest(signature("same")), out, find_tools().link)
        assert old.read() == b"old"
    assert [p.name for p in out.parent.iterdir()] == ["x.so"]
    assert os.access(out, os.X_OK)


def test_an_unknown_function_is_refused_by_name(tmp_path: Path) -> None:
    source = """
      func.func private @launch_missiles()
      func.func @one(%x: memref<4xf32>, %y: memref<4xf32>) attributes {llvm.emit_c_interface} {
        call @launch_missiles() : () -> ()
        return
      }
    """
    with pytest.raises(LinkError, match=r"x\.o calls launch_missiles") as caught:
        programs.build(source, programs.manifest(signature("one")), tmp_path / "x.so")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x.so").exists()


def test_a_function_that_the_openmp_runtime_lacks_is_refused(tmp_path: Path) -> None:
    source = """
      func.func private @omp_no_such_thing()
      func.func @one(%x: memref<4xf32>, %y: memref<4xf32>) attributes {llvm.emit_c_interface} {
        call @omp_no_such_thing() : () -> ()
        return
      }
    """
    with pytest.raises(LinkError, match="omp_no_such_thing"):
        programs.build(source, programs.manifest(signature("one")), tmp_path / "x.so")


def test_a_signature_named_as_a_function_of_c_is_refused(tmp_path: Path) -> None:
    source = programs.COPY.format(type="4xf32").replace("@same", "@expf")
    with pytest.raises(LinkError, match=r"defines expf, a name of the C library"):
        programs.build(source, programs.manifest(signature("expf")), tmp_path / "x.so")


def test_a_signature_without_code_is_refused(tmp_path: Path) -> None:
    source = programs.COPY.format(type="4xf32")
    described = programs.manifest(signature("same"), signature("other"))
    with pytest.raises(LinkError, match="_mlir_ciface_other"):
        programs.build(source, described, tmp_path / "x.so")


def test_a_symbol_of_two_objects_is_refused(tmp_path: Path) -> None:
    source = programs.COPY.format(type="4xf32")
    objects = [programs.compile_object(source, tmp_path / f"{n}.o") for n in "ab"]
    with pytest.raises(LinkError, match=r"a\.o and .*b\.o both define"):
        link(objects, programs.manifest(signature("same")), tmp_path / "x.so", find_tools().link)


@pytest.mark.parametrize("content", [b"", b"not an object", b"\x7fELF", None])
def test_an_object_that_is_none_is_refused(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "bad.o"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LinkError, match=r"bad\.o"):
        link([path], programs.manifest(), tmp_path / "x.so", find_tools().link)


def test_outputs_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    compiled = programs.compile_object(programs.COPY.format(type="4xf32"), tmp_path / "x.o")
    described = programs.manifest(signature("same"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(LinkError, match="it is a folder"):
        link([compiled], described, tmp_path / "folder", find_tools().link)
    with pytest.raises(LinkError, match="there is no folder"):
        link([compiled], described, tmp_path / "missing" / "x.so", find_tools().link)


def test_it_links_for_the_other_machine(tmp_path: Path) -> None:
    triple = "aarch64-unknown-linux-gnu"
    source = programs.COPY.format(type="4xf32")
    compiled = programs.compile_object(source, tmp_path / "x.o", triple)
    described = replace(
        programs.manifest(signature("same"), target_cpu="armv8.2-a"), target_triple=triple
    )
    out = tmp_path / "x.so"
    link([compiled], described, out, find_tools().link)
    assert elf.read_shared_object(out.read_bytes()).machine == "aarch64"
    assert needed(out) == ["libc.so.6"]
    assert newest_glibc(out) == (2, 17)  # the first glibc that knew this architecture


def test_the_openmp_runtime_of_another_machine_is_refused(tmp_path: Path) -> None:
    triple = "aarch64-unknown-linux-gnu"
    source = """
      func.func private @omp_get_max_threads()
      func.func @one(%x: memref<4xf32>, %y: memref<4xf32>) attributes {llvm.emit_c_interface} {
        call @omp_get_max_threads() : () -> ()
        return
      }
    """
    compiled = programs.compile_object(source, tmp_path / "x.o", triple)
    described = replace(programs.manifest(signature("one")), target_triple=triple)
    tools = find_tools().link
    here = elf.read_shared_object(tools.libomp.read_bytes()).machine
    if here == "aarch64":
        pytest.skip("the runtime is for that machine")
    with pytest.raises(LinkError, match=f"parallel code for aarch64, .* is for {here}"):
        link([compiled], described, tmp_path / "x.so", tools)
