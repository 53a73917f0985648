"""As much of ELF (the System V ABI's object format) as linking and loading ask for.

The dynamic linker trusts the file that it maps: a truncated or damaged library ends in a signal.
So a host reads a library's own tables here first, and the compiler reads which symbols its objects
define and lack. Only 64-bit little-endian files, the ones that Kina makes, are understood.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

IDENT_SIZE = 64
"""Bytes that `check_ident` wants to see: the size of the file header."""

_MACHINES = {62: "x86_64", 183: "aarch64"}
_RELOCATABLE, _SHARED = 1, 3
_PT_LOAD, _PT_DYNAMIC = 1, 2
_PF_X = 1
_SHT_SYMTAB, _SHT_STRTAB, _SHT_NOBITS, _SHT_DYNSYM = 2, 3, 8, 11
_SHN_UNDEF = 0
_STT_SECTION, _STT_FILE = 3, 4
_DT_NULL, _DT_NEEDED, _DT_STRTAB, _DT_SYMTAB, _DT_STRSZ = 0, 1, 5, 6, 10
# Entries of the dynamic section that are addresses which the dynamic linker follows: hash tables,
# string and symbol tables, relocations, constructor arrays, version tables.
_DT_ADDRESSES = frozenset(
    [3, 4, _DT_STRTAB, _DT_SYMTAB, 7, 12, 13, 17, 23, 25, 26, 36]
    + [0x6FFFFEF5, 0x6FFFFFF0, 0x6FFFFFFC, 0x6FFFFFFE]
)

_FILE_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_DYNAMIC = struct.Struct("<qQ")


class ElfError(ValueError):
    """The bytes are not an ELF file of the kind that was asked for."""


@dataclass(frozen=True)
class Symbol:
    """One entry of a symbol table."""

    name: str
    value: int
    size: int
    defined: bool
    local: bool


@dataclass(frozen=True)
class ObjectFile:
    """A relocatable file: what `llc` writes and the linker reads."""

    machine: str
    symbols: tuple[Symbol, ...]


@dataclass(frozen=True)
class SharedObject:
    """A shared object whose tables lie inside the file."""

    machine: str
    symbols: tuple[Symbol, ...]
    needed: tuple[str, ...]
    segments: tuple[Segment, ...]
    data: bytes

    def exported(self, name: str) -> Symbol | None:
        """The defined symbol of this name that other objects can see."""
        for symbol in self.symbols:
            if symbol.name == name and symbol.defined and not symbol.local:
                return symbol
        return None

    @property
    def code_size(self) -> int:
        """Bytes of machine code in the file."""
        return sum(segment.file_size for segment in self.segments if segment.executable)

    def contents(self, symbol: Symbol) -> bytes:
        """The bytes of a data symbol; ElfError where they do not lie in the file."""
        start = self.file_offset(symbol)
        return self.data[start : start + symbol.size]

    def file_offset(self, symbol: Symbol) -> int:
        """Where the bytes of a data symbol begin in the file; ElfError where they do not lie in it."""
        return _file_offset(self.segments, symbol.value, symbol.size)


@dataclass(frozen=True)
class Segment:
    """A part of the file and the addresses it is loaded at."""

    kind: int
    offset: int
    address: int
    file_size: int
    memory_size: int
    executable: bool


@dataclass(frozen=True)
class _Section:
    kind: int
    offset: int
    size: int
    link: int


@dataclass(frozen=True)
class _Header:
    machine: str
    segments: tuple[int, int]  # offset and count of the program headers
    sections: tuple[int, int]
    names_index: int  # the section that holds the names of the sections


def check_ident(start: bytes) -> None:
    """Refuse what does not even begin as a 64-bit little-endian ELF file.

    Raises:
        ElfError: `start`, at least the first `IDENT_SIZE` bytes of the file, are something else.
    """
    if not start.startswith(b"\x7fELF"):
        raise ElfError("it is not an ELF file")
    if len(start) < IDENT_SIZE:
        raise ElfError("it is cut off within the ELF header")
    if start[4:7] != b"\x02\x01\x01":
        raise ElfError("it is not a 64-bit little-endian ELF file")


def read_object(data: bytes) -> ObjectFile:
    """Read the symbols of a relocatable file; ElfError where the bytes are none."""
    header = _read_header(data, _RELOCATABLE, "a relocatable object")
    sections = _read_sections(data, header)
    return ObjectFile(header.machine, _read_symbols(data, sections, _SHT_SYMTAB))


def read_shared_object(data: bytes) -> SharedObject:
    """Read a shared object and check that what its tables point to lies inside it.

    Raises:
        ElfError: not a shared object, cut off, or with tables that point outside it.
    """
    header = _read_header(data, _SHARED, "a shared object")
    sections = _read_sections(data, header)
    segments = _read_segments(data, header)
    needed = _read_needed(data, segments)
    symbols = _read_symbols(data, sections, _SHT_DYNSYM)
    return SharedObject(header.machine, symbols, needed, segments, data)


def _read_header(data: bytes, kind: int, called: str) -> _Header:
    check_ident(data[:IDENT_SIZE])
    fields = _FILE_HEADER.unpack_from(data)
    file_kind, machine = fields[1], fields[2]
    segments_at, sections_at = fields[5], fields[6]
    segment_size, segment_count, section_size, section_count = fields[9:13]
    if file_kind != kind:
        raise ElfError(f"it is an ELF file, but not {called}")
    if section_count == 0 or section_size != _SECTION.size:
        raise ElfError("it has no section table")
    if segment_count and segment_size != _SEGMENT.size:
        raise ElfError("its program headers are damaged")
    _check_inside(data, sections_at, section_count * _SECTION.size)
    _check_inside(data, segments_at, segment_count * _SEGMENT.size)
    return _Header(
        _MACHINES.get(machine, f"machine {machine}"),
        (segments_at, segment_count),
        (sections_at, section_count),
        fields[13],
    )


def _check_inside(data: bytes, start: int, size: int) -> None:
    if start + size > len(data):
        raise ElfError(
            f"it is cut off: {len(data)} bytes, where its tables tell of at least {start + size}"
        )


def _read_sections(data: bytes, header: _Header) -> list[_Section]:
    sections = []
    start, count = header.sections
    for index in range(count):
        fields = _SECTION.unpack_from(data, start + index * _SECTION.size)
        section = _Section(kind=fields[1], offset=fields[4], size=fields[5], link=fields[6])
        if section.kind != _SHT_NOBITS:
            _check_inside(data, section.offset, section.size)
        sections.append(section)
    # The names come last. Where a file was filled up with zeros, they are not there.
    if header.names_index >= count or sections[header.names_index].kind != _SHT_STRTAB:
        raise ElfError("its section table is damaged")
    return sections


def _read_segments(data: bytes, header: _Header) -> tuple[Segment, ...]:
    segments = []
    start, count = header.segments
    for index in range(count):
        fields = _SEGMENT.unpack_from(data, start + index * _SEGMENT.size)
        kind, flags, offset, address, _, file_size, memory_size, _ = fields
        if kind == _PT_LOAD:
            _check_inside(data, offset, file_size)
            if file_size > memory_size or address + memory_size >= 1 << 47:
                raise ElfError("its program headers are damaged")
        executable = kind == _PT_LOAD and bool(flags & _PF_X)
        segments.append(Segment(kind, offset, address, file_size, memory_size, executable))
    return tuple(segments)


def _read_symbols(data: bytes, sections: list[_Section], kind: int) -> tuple[Symbol, ...]:
    symbols = []
    for table in (section for section in sections if section.kind == kind):
        if table.link >= len(sections):
            raise ElfError("its symbol table is damaged")
        names = sections[table.link]
        strings = data[names.offset : names.offset + names.size]
        for start in range(table.offset, table.offset + table.size - _SYMBOL.size + 1, 24):
            name, info, _, section, value, size = _SYMBOL.unpack_from(data, start)
            if info & 15 in (_STT_SECTION, _STT_FILE) or name == 0:
                continue
            symbols.append(
                Symbol(
                    _string(strings, name),
                    value,
                    size,
                    defined=section != _SHN_UNDEF,
                    local=info >> 4 == 0,
                )
            )
    return tuple(symbols)


def _read_needed(data: bytes, segments: tuple[Segment, ...]) -> tuple[str, ...]:
    """The names of the libraries that the dynamic section asks for."""
    dynamic = [segment for segment in segments if segment.kind == _PT_DYNAMIC]
    if len(dynamic) != 1:
        raise ElfError("it has no dynamic section")
    start = _file_offset(segments, dynamic[0].address, dynamic[0].file_size)
    tags: list[tuple[int, int]] = []
    for at in range(start, start + dynamic[0].file_size - _DYNAMIC.size + 1, _DYNAMIC.size):
        tag, value = _DYNAMIC.unpack_from(data, at)
        if tag == _DT_NULL:
            break
        if tag in _DT_ADDRESSES:
            _check_mapped(segments, value)
        tags.append((tag, value))
    else:
        raise ElfError("its dynamic section is damaged")

    single = dict(tags)
    if not {_DT_STRTAB, _DT_SYMTAB, _DT_STRSZ} <= single.keys():
        raise ElfError("its dynamic section is damaged")
    size = single[_DT_STRSZ]
    at = _file_offset(segments, single[_DT_STRTAB], size)
    strings = data[at : at + size]
    return tuple(_string(strings, value) for tag, value in tags if tag == _DT_NEEDED)


def _file_offset(segments: tuple[Segment, ...], address: int, size: int) -> int:
    """Where the file holds the `size` bytes that are loaded at an address."""
    for segment in segments:
        start = address - segment.address
        if segment.kind == _PT_LOAD and 0 <= start and start + size <= segment.file_size:
            return segment.offset + start
    raise ElfError("its tables point outside it")


def _check_mapped(segments: tuple[Segment, ...], address: int) -> None:
    for segment in segments:
        if segment.kind == _PT_LOAD and 0 <= address - segment.address < segment.memory_size:
            return
    raise ElfError("its tables point outside it")


def _string(table: bytes, start: int) -> str:
    end = table.find(b"\0", start)
    if start >= len(table) or end < 0:
        raise ElfError("its string table is damaged")
    return table[start:end].decode("utf-8", "replace")
