"""The rules of other languages: what every BUILD file here loads in place of those that Bazel has built in or had.

`third_party/rules.bzl` knows where this Bazel has them.
"""

load(
    "@kina_rules//:rules.bzl",
    _CcInfo = "CC_INFO",
    _cc_binary = "cc_binary",
    _cc_common = "CC_COMMON",
    _cc_library = "cc_library",
    _cc_test = "cc_test",
    _find_cpp_toolchain = "find_cpp_toolchain",
    _py_binary = "py_binary",
    _py_library = "py_library",
    _py_test = "py_test",
    _sh_binary = "sh_binary",
)

CcInfo = _CcInfo
cc_binary = _cc_binary
cc_common = _cc_common
cc_library = _cc_library
cc_test = _cc_test
find_cpp_toolchain = _find_cpp_toolchain
py_library = _py_library
sh_binary = _sh_binary

# The folder of programs kina/ and the Python package python/kina live in one tree of runfiles: there, an empty
# __init__.py in every folder, which is Bazel's way unless told not to, would hide the package.

def py_binary(name, **kwargs):
    """A program in Python.

    Args:
        name: the program.
        **kwargs: what the rule takes.
    """
    _py_binary(
        name = name,
        legacy_create_init = 0,
        **kwargs
    )

def py_test(name, **kwargs):
    """A test in Python.

    Args:
        name: the test.
        **kwargs: what the rule takes.
    """
    _py_test(
        name = name,
        legacy_create_init = 0,
        **kwargs
    )
