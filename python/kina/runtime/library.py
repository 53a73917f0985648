"""From a file to a loaded library: everything is checked before the dynamic linker sees it."""

from __future__ import annotations

import ctypes
import math
import os
import platform
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kina import cpu, digest, elf
from kina.abi import MANIFEST_SYMBOL, OPENMP, Manifest, ManifestError, Signature, manifest_from_json
from kina.files import open_regular
from kina.runtime.arguments import arrange
from kina.runtime.errors import LoadError
from kina.sizes import least, linear, most

# What an address space of 47 bits holds of the largest element.
_MAX_ELEMENTS = 1 << 44
# What every NumPy makes an array of.
_MAX_RANK = 32
# A program has no tensors inside, only code.
_MOST_BYTES = 256 << 20
# ctypes passes no more arguments than this to a C function.
MAX_TENSORS = 1024

_Identity = tuple[int, int, int, int]
_lock = threading.Lock()
_loaded: dict[str, _Identity] = {}


@dataclass(frozen=True)
class Library:
    """A loaded library and what it says of itself."""

    path: Path
    manifest: Manifest
    handle: ctypes.CDLL

    def function(self, signature: Signature) -> Callable[..., None]:
        """The compiled function: it takes the addresses of its descriptors.

        Raises:
            LoadError: the dynamic linker does not find it.
        """
        try:
            function = self.handle[signature.symbol]
        except AttributeError as problem:
            raise LoadError(f"cannot load {self.path}: it is damaged: {problem}") from None
        count = len(signature.parameters) + sum(r.alias is None for r in signature.results)
        if count <= MAX_TENSORS:  # a call of more is refused, but not the library that has it
            function.argtypes = [ctypes.c_void_p] * count
        function.restype = None
        return function

    def thread_setter(self) -> Callable[[int], None] | None:
        """`omp_set_num_threads` of the OpenMP runtime that this library uses; None without one."""
        # The lookup goes through the library's own dependencies: another OpenMP runtime in this
        # process, NumPy's or torch's, is not found.
        if not hasattr(self.handle, "omp_set_num_threads"):
            return None
        setter = self.handle.omp_set_num_threads
        setter.argtypes = [ctypes.c_int]
        setter.restype = None
        return setter


def open_library(path: str | os.PathLike[str]) -> Library:
    """Check a file and load it.

    Raises:
        LoadError: the file cannot be read, is damaged, is no Kina library, speaks another ABI, or
            is for another processor; or the dynamic linker refuses it.
    """
    shown = Path(os.fsdecode(path))
    with _refusals("load", shown):
        data, identity = _read(shown)
        library = elf.read_shared_object(data)
        manifest = _manifest(library)
        _check_processor(library, manifest)
        return Library(shown, manifest, _dlopen(shown, identity, library))


def read_manifest(path: str | os.PathLike[str]) -> Manifest:
    """What a library says of itself. It is not loaded, so it may be for any processor.

    Raises:
        LoadError: the file cannot be read, is damaged, is no Kina library or speaks another ABI.
    """
    return read_library(path)[1]


def read_library(path: str | os.PathLike[str]) -> tuple[elf.SharedObject, Manifest]:
    """The file of a library, and what it says of itself; not loaded, and so for any processor.

    Raises:
        LoadError: as `read_manifest`.
    """
    shown = Path(os.fsdecode(path))
    with _refusals("read", shown):
        library = elf.read_shared_object(_read(shown)[0])
        return library, _manifest(library)


@contextmanager
def _refusals(verb: str, path: Path) -> Iterator[None]:
    """Every reason to refuse a file as a LoadError that names it."""
    try:
        yield
    except (elf.ElfError, ManifestError, cpu.TargetError) as problem:
        raise LoadError(f"cannot {verb} {path}: {problem}") from None
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise LoadError(f"cannot {verb} {path}: {reason}") from None
    except ValueError as problem:  # a path with a NUL in it
        raise LoadError(f"cannot {verb} {str(path)!r}: {problem}") from None


def _read(path: Path) -> tuple[bytes, _Identity]:
    with open_regular(path, _MOST_BYTES) as file:
        status = os.fstat(file.fileno())
        start = file.read(elf.IDENT_SIZE)
        elf.check_ident(start)  # before the whole of some other file is read
        data = start + file.read(_MOST_BYTES)
    return data, (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)


def _manifest(library: elf.SharedObject) -> Manifest:
    symbol = library.exported(MANIFEST_SYMBOL)
    if symbol is None:
        raise elf.ElfError(
            f"it is a shared object, but no Kina library: it has no symbol {MANIFEST_SYMBOL}"
        )
    digest.check(library)
    text = library.contents(symbol).rstrip(b"\0")
    try:
        manifest = manifest_from_json(text.decode("utf-8"))
    except UnicodeDecodeError:
        raise ManifestError("the manifest cannot be read: it is damaged") from None
    if len({signature.name for signature in manifest.signatures}) != len(manifest.signatures):
        raise ManifestError("the manifest cannot be read: two signatures have one name")
    for signature in manifest.signatures:
        _check_signature(signature)
        if library.exported(signature.symbol) is None:
            raise ManifestError(
                f"its manifest tells of {signature.name}, but it has no symbol {signature.symbol}"
            )
    return manifest


def _check_signature(signature: Signature) -> None:
    """Refuse a description that a call could not be made from."""
    parameters = {p.name: p for p in signature.parameters}
    sound = len(parameters) == len(signature.parameters)
    shapes = [p.shape for p in signature.parameters] + [r.shape for r in signature.results]
    for shape in shapes:
        sound = sound and len(shape) <= _MAX_RANK
        least_size = min(map(least, shape), default=0)
        sound = sound and least_size >= 0 and most(math.prod(shape)) <= _MAX_ELEMENTS
    told = {found[0] for p in signature.parameters for size in p.shape if (found := linear(size))}
    sound = sound and told.issuperset(signature.open)
    sound = sound and all(0 <= s.least <= s.most for s in signature.open)
    for result in signature.results:
        if result.alias is not None:
            p = parameters.get(result.alias)
            sound = (
                sound
                and p is not None
                and p.donated
                and (p.dtype, p.shape) == (result.dtype, result.shape)
            )
    if not sound:
        raise ManifestError(f"the manifest cannot be read: {signature.name} is damaged")
    try:
        arrange(signature.parameters)
    except ValueError as problem:
        raise ManifestError(f"the manifest cannot be read: {signature.name}: {problem}") from None


def _check_processor(library: elf.SharedObject, manifest: Manifest) -> None:
    machine = platform.machine()
    if library.machine != machine:
        raise cpu.TargetError(f"it is for {library.machine}, and this machine is {machine}")
    target = cpu.demands(manifest.target_cpu)
    if target.machine != machine:
        raise cpu.TargetError(f"it is for {target.machine}, and this machine is {machine}")
    if target.flags:
        lacking = target.flags - cpu.host_flags()
        if lacking:
            raise cpu.TargetError(
                f"it is for {manifest.target_cpu}, and this processor lacks "
                f"{', '.join(sorted(lacking))}: compile it for an older target cpu"
            )


def _dlopen(path: Path, identity: _Identity, library: elf.SharedObject) -> ctypes.CDLL:
    """Load the file under its real name, with none of its symbols visible to other libraries."""
    real = os.path.realpath(path)
    if OPENMP in library.needed:
        # Without this, LLVM's runtime ends the process where NumPy's MKL or another library brought
        # a second one. A Kina library calls its own only, so the two do not disturb each other.
        os.environ.setdefault("KMP_DUPLICATE_LIB_OK", "TRUE")
    with _lock:
        try:
            # The dynamic linker knows libraries by name: for a file that was compiled anew it
            # would hand back the old one. So a changed file is loaded from a copy.
            if _loaded.get(real, identity) != identity:
                return _dlopen_copy(real)
            handle = ctypes.CDLL(real, mode=ctypes.RTLD_LOCAL)
            _loaded[real] = identity
            return handle
        except OSError as problem:
            if OPENMP in library.needed and OPENMP in str(problem):
                raise elf.ElfError(
                    f"it needs {OPENMP}, the OpenMP runtime that comes with Kina, beside it"
                ) from None
            raise elf.ElfError(f"the dynamic linker says: {problem}") from None


def _dlopen_copy(real: str) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory(prefix="kina-") as folder:
        copy = shutil.copy(real, folder)
        openmp = Path(real).with_name(OPENMP)
        if openmp.exists():
            os.symlink(openmp, Path(folder, OPENMP))
        return ctypes.CDLL(copy, mode=ctypes.RTLD_LOCAL)
