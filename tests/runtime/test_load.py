"""What `kina.load` takes, and what it refuses: every refusal is one line that names the file."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import small_programs as programs

import kina
from kina import cpu, digest
from kina.abi import Parameter, Result, Signature
from kina.codegen.tools import find_tools
from kina.runtime import CallError, LoadError, library


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return programs.scale(tmp_path_factory.mktemp("good") / "good.so", (4,), 3)


def refusal(path: object) -> str:
    """Why the file is refused, in one line that names it."""
    with pytest.raises(LoadError) as caught:
        kina.load(path)  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"cannot load {path}: ")
    return message


def test_a_library_tells_of_its_signatures(good: Path) -> None:
    module = kina.load(good)
    assert list(module.signatures) == ["scale"]
    assert module.manifest.program == "small"
    assert module.path == good
    assert "scale" in dir(module)
    assert module.scale is module.signatures["scale"]
    np.testing.assert_array_equal(module.scale(np.ones(4, "f")), np.full(4, 3, "f"))


def test_a_signature_that_does_not_exist_names_those_that_do(good: Path) -> None:
    module = kina.load(good)
    with pytest.raises(AttributeError, match=r"good\.so has no signature 'shrink': it has scale"):
        module.shrink
    assert not hasattr(module, "shrink")


def test_a_relative_path_without_a_slash_is_a_file_here(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # dlopen would look for it in the system's folders.
    monkeypatch.chdir(good.parent)
    assert kina.load("good.so").scale(np.ones(4, "f"))[0] == 3


def test_a_path_with_a_space_and_an_umlaut(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "grüne Bücher" / "x y.so"
    path.parent.mkdir()
    shutil.copy(good, path)
    assert kina.load(path).scale(np.ones(4, "f"))[0] == 3


def test_what_is_no_file(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "missing.so")
    assert "folder" in refusal(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "no regular file" in refusal(tmp_path / "pipe")
    with pytest.raises(LoadError, match="null byte"):
        kina.load("a\0b")


@pytest.mark.parametrize(
    "content",
    [b"", b"x", b"MZ" + bytes(100), b"\x7fELF", b"\x7fELF" + bytes(60), bytes(1000)],
    ids=["empty", "a byte", "another format", "a magic", "a magic and zeros", "zeros"],
)
def test_garbage(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "garbage.so"
    path.write_bytes(content)
    assert "ELF" in refusal(path)


def test_cut_off_at_every_length(good: Path, tmp_path: Path) -> None:
    data = good.read_bytes()
    path = tmp_path / "cut.so"
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        refusal(path)
    path.write_bytes(data[:-1])
    assert f"cut off: {len(data) - 1} bytes, where its tables tell of at least {len(data)}" in (
        refusal(path)
    )


def test_zeros_from_some_place_on(good: Path, tmp_path: Path) -> None:
    # What a download leaves that reserved its space first.
    data = good.read_bytes()
    path = tmp_path / "holes.so"
    for length in range(0, len(data) - 64, 61):
        path.write_bytes(data[:length].ljust(len(data), b"\0"))
        refusal(path)


def test_damaged_tables_do_not_reach_the_dynamic_linker(good: Path, tmp_path: Path) -> None:
    # The first bytes of each table of the file header, program headers and dynamic section.
    data = good.read_bytes()
    path = tmp_path / "damaged.so"
    for place in (32, 40, 54, 58, 60, 62):  # e_phoff, e_shoff, sizes and counts
        path.write_bytes(data[:place] + b"\xff\xff" + data[place + 2 :])
        refusal(path)


def test_a_bit_that_flipped_anywhere(good: Path, tmp_path: Path) -> None:
    # In a table it would end the process inside the dynamic linker; in code nothing would tell of it.
    data = good.read_bytes()
    path = tmp_path / "flipped.so"
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        refusal(path)
    path.write_bytes(data)
    assert kina.load(path).scale(np.ones(4, "f"))[0] == 3


def test_a_library_of_before_digests(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "old.so"
    path.write_bytes(good.read_bytes().replace(b"kina_digest", b"kina_other_"))
    assert "no symbol kina_digest of 32 bytes" in refusal(path)


def test_a_file_of_gigabytes_is_not_read(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "huge.so"
    shutil.copy(good, path)
    os.truncate(path, 6 << 30)  # without a byte on the disk
    assert f"it has {6 << 30} bytes; at most" in refusal(path)


def test_a_signature_of_more_tensors_than_a_call_passes(tmp_path: Path) -> None:
    """Its library loads, and the others of the library are called."""
    many = Signature("many", tuple(Parameter(f"x{i}", "F32", ()) for i in range(1100)), ())
    names = ", ".join(f"%x{i}: memref<f32>" for i in range(1100))
    source = SAME + f"func.func @many({names}) attributes {{llvm.emit_c_interface}} {{ return }}\n"
    path = tmp_path / "x.so"
    programs.build(source, programs.manifest(same_signature(), many), path)
    module = kina.load(path)
    assert module.same(np.ones(4, "f")).tolist() == [1, 1, 1, 1]
    with pytest.raises(CallError, match="many: takes and returns 1100 tensors, .* at most 1024"):
        module.many(*[0.0] * 1100)


def test_a_shared_object_that_is_none_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "other.so"
    shutil.copy(find_tools().link.libomp, path)
    assert "no Kina library: it has no symbol kina_manifest" in refusal(path)


def test_an_object_is_no_shared_object(good: Path) -> None:
    assert "not a shared object" in refusal(good.with_suffix(".o"))


def same_signature() -> Signature:
    return Signature("same", (Parameter("x", "F32", (4,)),), (Result("F32", (4,)),))


SAME = programs.COPY.format(type="4xf32")


def test_another_abi_version(tmp_path: Path) -> None:
    path = tmp_path / "x.so"
    programs.build(SAME, programs.manifest(same_signature(), abi=2), path)
    assert "speaks Kina ABI 2, this host speaks 1" in refusal(path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda s: replace(s, results=(Result("F32", (4,), alias="y"),)),
        lambda s: replace(s, results=(Result("F32", (4,), alias="x"),)),  # not donated
        lambda s: replace(s, parameters=s.parameters * 2),
        lambda s: replace(s, parameters=(Parameter("x", "F32", (2**40, 2**40)),)),
        lambda s: replace(s, parameters=(Parameter("x", "F32", (1,) * 33),)),
        lambda s: replace(s, parameters=(Parameter("x", "F32", ()), Parameter("x.b", "F32", ()))),
    ],
    ids=[
        *("alias of nothing", "alias of no donation", "a name twice", "too large", "33 axes"),
        "a tensor and a record",
    ],
)
def test_a_manifest_that_no_call_can_follow(damage, tmp_path: Path) -> None:
    path = tmp_path / "x.so"
    programs.build(SAME, programs.manifest(damage(same_signature())), path)
    assert re.search("the manifest cannot be read: same(:| is damaged)", refusal(path))


def test_a_manifest_that_is_no_json(good: Path, tmp_path: Path) -> None:
    data = good.read_bytes()
    for name, found, put in [
        ("text", b'"program"', b"'program'"),
        ("utf8", b'"small"', b'"\xff\xff\xff\xff\xff"'),
        ("dtype", b'"F32"', b'"F33"'),
        ("nested", data[data.index(b'{\n "program"') :][:400], b"[" * 400),
    ]:
        assert found in data
        path = tmp_path / f"{name}.so"
        path.write_bytes(digest.sealed(data.replace(found, put)))
        assert "the manifest" in refusal(path)


def test_a_manifest_that_names_another_function(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.so"
    path.write_bytes(digest.sealed(good.read_bytes().replace(b'"scale"', b'"score"')))
    assert "_mlir_ciface_score" in refusal(path)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="compares with x86-64 flags")
def test_a_processor_that_lacks_a_feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.so"
    programs.build(SAME, programs.manifest(same_signature(), target_cpu="x86-64-v3"), path)
    older = cpu.LEVELS["x86-64-v3"].flags - {"avx2", "fma"}
    monkeypatch.setattr(cpu, "host_flags", lambda: older)
    assert refusal(path).endswith(
        "it is for x86-64-v3, and this processor lacks avx2, fma: "
        "compile it for an older target cpu"
    )
    monkeypatch.setattr(cpu, "host_flags", lambda: older | {"avx2", "fma"})
    kina.load(path)


def test_another_architecture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = programs.scale(tmp_path / "x.so", (4,), 3)
    monkeypatch.setattr(library.platform, "machine", lambda: "riscv64")
    assert "it is for x86_64, and this machine is riscv64" in refusal(path)


def test_an_unknown_target(tmp_path: Path) -> None:
    path = tmp_path / "x.so"
    programs.build(SAME, programs.manifest(same_signature(), target_cpu="x86-64-v9"), path)
    assert "unknown target_cpu 'x86-64-v9'" in refusal(path)


def test_the_openmp_runtime_is_missing(tmp_path: Path) -> None:
    # In a process of its own: a runtime that is loaded already would serve.
    programs.team(tmp_path / "x.so")
    script = f"import kina\ntry: kina.load({str(tmp_path / 'x.so')!r})\n"
    script += "except kina.runtime.LoadError as e: print(e)\n"
    out = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "it needs libomp.so" in out and "beside it" in out


def test_a_file_compiled_anew_is_the_one_that_runs(tmp_path: Path) -> None:
    path = tmp_path / "x.so"
    modules = []
    for factor in (2, 5, 7):
        programs.scale(path, (4,), factor)
        modules.append(kina.load(path))
    again = kina.load(path)
    x = np.ones(4, "f")
    assert [m.scale(x)[0] for m in [*modules, again]] == [2, 5, 7, 7]


def test_importing_the_package_brings_no_numpy() -> None:
    script = "import sys, kina; assert 'numpy' not in sys.modules; kina.load; "
    script += "assert 'numpy' in sys.modules; assert 'load' in dir(kina)"
    subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        kina.lode
