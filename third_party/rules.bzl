"""The rules of other languages, wherever this Bazel has them."""

_BUILT_IN = """
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", _find_cpp_toolchain = "find_cpp_toolchain")
load("@bazel_tools//tools/python:toolchain.bzl", _py_runtime_pair = "py_runtime_pair")

CC_COMMON = cc_common
CC_INFO = CcInfo
cc_binary = native.cc_binary
cc_library = native.cc_library
cc_test = native.cc_test
find_cpp_toolchain = _find_cpp_toolchain
py_binary = native.py_binary
py_library = native.py_library
py_runtime = native.py_runtime
py_runtime_pair = _py_runtime_pair
py_test = native.py_test
sh_binary = native.sh_binary

PYTHON_TOOLCHAIN_TYPE = "@bazel_tools//tools/python:toolchain_type"
"""

_LOADED = """
load("@rules_cc//cc:cc_binary.bzl", _cc_binary = "cc_binary")
load("@rules_cc//cc:cc_library.bzl", _cc_library = "cc_library")
load("@rules_cc//cc:cc_test.bzl", _cc_test = "cc_test")
load("@rules_cc//cc:find_cc_toolchain.bzl", _find_cpp_toolchain = "find_cpp_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", _cc_common = "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", _CcInfo = "CcInfo")
load("@rules_python//python:py_binary.bzl", _py_binary = "py_binary")
load("@rules_python//python:py_library.bzl", _py_library = "py_library")
load("@rules_python//python:py_runtime.bzl", _py_runtime = "py_runtime")
load("@rules_python//python:py_runtime_pair.bzl", _py_runtime_pair = "py_runtime_pair")
load("@rules_python//python:py_test.bzl", _py_test = "py_test")
load("@rules_shell//shell:sh_binary.bzl", _sh_binary = "sh_binary")

CC_COMMON = _cc_common
CC_INFO = _CcInfo
cc_binary = _cc_binary
cc_library = _cc_library
cc_test = _cc_test
find_cpp_toolchain = _find_cpp_toolchain
py_binary = _py_binary
py_library = _py_library
py_runtime = _py_runtime
py_runtime_pair = _py_runtime_pair
py_test = _py_test
sh_binary = _sh_binary

PYTHON_TOOLCHAIN_TYPE = Label("@rules_python//python:toolchain_type")
"""

def _language_rules_impl(rctx):
    rctx.file("BUILD.bazel", "", executable = False)
    rctx.file("rules.bzl", _BUILT_IN if rctx.attr.built_in else _LOADED, executable = False)

language_rules = repository_rule(
    implementation = _language_rules_impl,
    attrs = {
        "built_in": attr.bool(
            mandatory = True,
            doc = "Whether Bazel has the rules built in, as it did up to version 7. Otherwise they are those of " +
                  "rules_cc, rules_python and rules_shell.",
        ),
    },
    doc = "`@NAME//:rules.bzl`: the rules of C++, Python and shells that Kina uses.",
)
