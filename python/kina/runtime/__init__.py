"""The host side of Kina: load a compiled program and call its signatures with NumPy arrays."""

from kina.runtime.errors import CallError, LoadError
from kina.runtime.library import read_manifest
from kina.runtime.module import Function, Module, load
from kina.runtime.threads import set_threads

__all__ = ["CallError", "Function", "LoadError", "Module", "load", "read_manifest", "set_threads"]
