"""Link the objects of a program into one shared library.

The library shows its C interface and its manifest, needs nothing but libc, libm and, for parallel
code, the OpenMP runtime beside it, and is the same byte for byte wherever it is linked.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from kina import digest, elf
from kina.abi import (
    DIGEST_SYMBOL,
    LIBC,
    LIBM,
    MANIFEST_SYMBOL,
    OPENMP,
    Manifest,
    manifest_to_json,
    may_call,
)
from kina.codegen.tools import LinkTools, run_tool

NEWEST_GLIBC = (2, 25)
"""The newest glibc whose symbols a library may ask for: a program runs with this or any later one.

Programs that call nothing newer than `memcpy` ask for less: glibc 2.14 (x86-64), 2.17 (AArch64).
"""

# The first glibc of each architecture; a function has this version unless told otherwise. Many of
# libm's have a later default as well, but the first one is in every glibc since.
_FIRST_GLIBC = {"x86_64": "GLIBC_2.2.5", "aarch64": "GLIBC_2.17"}
_LATER = {
    "x86_64": {
        "memcpy": "GLIBC_2.14",
        "aligned_alloc": "GLIBC_2.16",
        "roundeven": "GLIBC_2.25",
        "roundevenf": "GLIBC_2.25",
    },
    "aarch64": {"roundeven": "GLIBC_2.25", "roundevenf": "GLIBC_2.25"},
}
# What LLVM calls where a processor cannot convert halves; half.ll defines it.
_HALF = frozenset({"__extendhfsf2", "__truncsfhf2"})

_OPTIONS = [
    *("-shared", "--strip-all", "--gc-sections", "-Bsymbolic"),
    *("--as-needed", "--no-undefined", "--enable-new-dtags"),
    *("--build-id=none", "--hash-style=gnu"),
    *("-z", "noexecstack", "-z", "relro", "-z", "now"),
]


class LinkError(Exception):
    """The objects cannot become a library; the message says why, in one line."""


@dataclass(frozen=True)
class Linked:
    """What was linked."""

    path: Path
    needs_openmp: bool
    """Whether `libomp.so` has to lie beside the library."""


def link(objects: Sequence[Path], manifest: Manifest, out: Path, tools: LinkTools) -> Linked:
    """Link the objects of all signatures of a program.

    The file is replaced by a rename, so a process that has the old one loaded keeps it whole.

    Args:
        objects: relocatable files, position independent, that define the symbol of every signature.
        manifest: what the library will say of itself.
        out: the library to write; its file name becomes the library's `soname`.
        tools: the programs to run.

    Raises:
        LinkError: a symbol is missing, comes twice, or is in none of the libraries that a program
            may need; or a file cannot be read or written.
        ToolError: the linker or `llc` is missing or fails.
    """
    check_place(out)
    try:
        with tempfile.TemporaryDirectory(prefix="kina-link-") as scratch:
            return _link(objects, manifest, out, tools, Path(scratch))
    except OSError as problem:
        name = problem.filename or out
        raise LinkError(f"cannot link {out}: {name}: {problem.strerror or problem}") from None


def _link(
    objects: Sequence[Path], manifest: Manifest, out: Path, tools: LinkTools, scratch: Path
) -> Linked:
    machine, undefined = _survey(objects, manifest)
    described = _compile_manifest(manifest, tools, scratch)
    if undefined & _HALF:
        code = resources.files("kina.codegen").joinpath("half.ll").read_text(encoding="utf-8")
        objects = [*objects, _compile("half", code, manifest, tools, scratch)]
        undefined -= _HALF
    libc, libm = sorted(undefined & LIBC), sorted(undefined & LIBM)
    openmp = sorted(undefined - LIBC - LIBM)
    libraries = []
    if libc:
        libraries.append(_stand_in("libc.so.6", libc, machine, described, tools, scratch))
    if libm:
        libraries.append(_stand_in("libm.so.6", libm, machine, described, tools, scratch))
    if openmp:
        _check_openmp(openmp, machine, tools)
        libraries += ["-rpath", "$ORIGIN", str(tools.libomp)]

    exports = [
        MANIFEST_SYMBOL,
        DIGEST_SYMBOL,
        *(signature.symbol for signature in manifest.signatures),
    ]
    linked = scratch / "linked"
    run_tool(
        [
            *tools.lld,
            *_OPTIONS,
            f"--soname={out.name}",
            f"--version-script={_version_script(scratch / 'exports', {'': exports})}",
            "-o",
            linked,
            *objects,
            described,
            *libraries,
        ],
    )
    linked.write_bytes(digest.sealed(linked.read_bytes()))
    copy_whole(linked, out)
    return Linked(out, bool(openmp))


def _survey(objects: Sequence[Path], manifest: Manifest) -> tuple[str, frozenset[str]]:
    """The machine of the objects, and the symbols that no object defines."""
    machines: dict[str, Path] = {}
    defined: dict[str, Path] = {}
    undefined: dict[str, Path] = {}
    for path in objects:
        try:
            found = elf.read_object(path.read_bytes())
        except elf.ElfError as problem:
            raise LinkError(f"cannot link {path}: {problem}") from None
        machines.setdefault(found.machine, path)
        for symbol in found.symbols:
            if symbol.local:
                continue
            if not symbol.defined:
                undefined.setdefault(symbol.name, path)
            elif symbol.name in LIBC or symbol.name in LIBM:
                # Every call of the C library's function would end there.
                raise LinkError(f"{path} defines {symbol.name}, a name of the C library")
            elif defined.setdefault(symbol.name, path) != path:
                raise LinkError(f"{defined[symbol.name]} and {path} both define {symbol.name}")
    for signature in manifest.signatures:
        if signature.symbol not in defined:
            raise LinkError(f"no object defines {signature.symbol}, which the manifest tells of")
    if len(machines) != 1 or not machines.keys() <= _FIRST_GLIBC.keys():
        raise LinkError(
            f"expected objects for one of {', '.join(_FIRST_GLIBC)}, "
            f"found {', '.join(machines) or 'no object'}"
        )
    missing = {name: path for name, path in undefined.items() if name not in defined}
    for name, path in missing.items():
        if not may_call(name) and name not in _HALF:
            raise LinkError(f"{path} calls {name}, which neither libc, libm nor {OPENMP} has")
    return next(iter(machines)), frozenset(missing)


def _check_openmp(names: Iterable[str], machine: str, tools: LinkTools) -> None:
    try:
        library = elf.read_shared_object(tools.libomp.read_bytes())
    except elf.ElfError as problem:
        raise LinkError(f"cannot link {tools.libomp}: {problem}") from None
    if library.machine != machine:
        raise LinkError(
            f"the program has parallel code for {machine}, and the OpenMP runtime that is installed "
            f"is for {library.machine}: compile on a machine of that kind"
        )
    for name in names:
        if library.exported(name) is None:
            raise LinkError(f"the code calls {name}, which {tools.libomp} does not have")


def _compile_manifest(manifest: Manifest, tools: LinkTools, scratch: Path) -> Path:
    """An object with the manifest's text, ended by a NUL, and room for the digest, as data symbols."""
    text = manifest_to_json(manifest).encode("utf-8") + b"\0"
    escaped = "".join(f"\\{byte:02X}" for byte in text)
    data = f'@{MANIFEST_SYMBOL} = constant [{len(text)} x i8] c"{escaped}", align 1\n'
    # Not zero: those would be a part of memory that no byte of the file stands for.
    room = "\\FF" * digest.SIZE
    data += f'@{DIGEST_SYMBOL} = constant [{digest.SIZE} x i8] c"{room}", align 1\n'
    return _compile("manifest", data, manifest, tools, scratch)


def _compile(name: str, code: str, manifest: Manifest, tools: LinkTools, scratch: Path) -> Path:
    """An object of LLVM IR, for any processor of the manifest's kind."""
    source, compiled = scratch / f"{name}.ll", scratch / f"{name}.o"
    source.write_text(f'source_filename = "{name}"\n{code}', encoding="utf-8")
    options = (f"-mtriple={manifest.target_triple}", "-filetype=obj", "-relocation-model=pic")
    run_tool([tools.llc, *options, "-o", compiled, source])
    return compiled


def _stand_in(
    name: str,
    symbols: Sequence[str],
    machine: str,
    some_object: Path,
    tools: LinkTools,
    scratch: Path,
) -> str:
    """A library that has the names and versions of some symbols of glibc, and no code.

    It stands in for the real one while linking, so that what a program asks for at load time does
    not depend on the glibc of the machine that it is linked on.
    """
    versions: dict[str, list[str]] = {}
    for symbol in symbols:
        version = _LATER[machine].get(symbol, _FIRST_GLIBC[machine])
        versions.setdefault(version, []).append(symbol)
    path = scratch / name
    run_tool(
        [
            *tools.lld,
            "-shared",
            f"--soname={name}",
            f"--version-script={_version_script(scratch / f'{name}.versions', versions)}",
            "-o",
            path,
            some_object,  # the linker wants one, and learns the machine from it
            *(f"--defsym={symbol}=0" for symbol in symbols),
        ],
    )
    return str(path)


def _version_script(path: Path, versions: Mapping[str, Sequence[str]]) -> Path:
    """A linker script that shows these symbols, each under its version, and hides all others."""
    nodes = []
    for index, (version, symbols) in enumerate(versions.items()):
        hide = " local: *;" if index == 0 else ""
        nodes.append(f"{version} {{ global: {' '.join(f'{s};' for s in symbols)}{hide} }};\n")
    path.write_text("".join(nodes))
    return path


def check_place(path: Path) -> None:
    """LinkError where no file can be written: a rename would replace a device or a pipe as well."""
    try:
        if path.is_dir():
            raise LinkError(f"cannot write {path}: it is a folder")
        if not path.parent.is_dir():
            raise LinkError(f"cannot write {path}: there is no folder {path.parent}")
        if path.exists() and not path.is_file():
            raise LinkError(f"cannot write {path}: it is no regular file")
    except OSError as problem:
        raise LinkError(f"cannot write {path}: {problem.strerror}") from None


def copy_whole(source: Path, out: Path, mode: int = 0o755) -> None:
    """Copy a file to its place by a rename: a process that has the old one loaded keeps it."""
    handle, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
    os.close(handle)
    try:
        shutil.copyfile(source, name)
        os.chmod(name, mode)
        os.replace(name, out)
    except BaseException:
        os.unlink(name)
        raise
