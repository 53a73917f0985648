"""Finds the host's Python and makes it the one that every action and test runs."""

# Debian's own comes first: it is in the same place on every machine, whatever the user's PATH holds.
_CANDIDATES = ["/usr/bin/python3", "python3", "python3.11", "python3.12", "python3.13", "python3.14"]

_PROBE = """
import platform, sys
assert sys.version_info >= (3, 11) and platform.python_implementation() == "CPython"
import pip
print(sys.executable, platform.python_version())
"""

# The packages of the host must not reach an action: no site-packages (-S), no user site (-s), and not the
# folder of the script, which is behind a link and so in the source tree (-P).
_LAUNCHER = """#!/bin/sh
# CPython {version}
exec {path} -s -S -P "$@"
"""

_BUILD = """
load("@kina_rules//:rules.bzl", "PYTHON_TOOLCHAIN_TYPE", "py_runtime", "py_runtime_pair")

package(default_visibility = ["//visibility:public"])

exports_files([
    "interpreter.txt",
    "python3",
])

py_runtime(
    name = "runtime",
    interpreter = ":python3",
    python_version = "PY3",
    stub_shebang = "#!/usr/bin/env python3",
)

py_runtime_pair(
    name = "runtimes",
    py3_runtime = ":runtime",
)

toolchain(
    name = "toolchain",
    toolchain = ":runtimes",
    toolchain_type = PYTHON_TOOLCHAIN_TYPE,
)
"""

def _candidates(rctx):
    chosen = rctx.os.environ.get("KINA_PYTHON")
    if chosen:
        return [chosen]
    return _CANDIDATES

def _python_interpreter_impl(rctx):
    candidates = _candidates(rctx)
    for candidate in candidates:
        path = rctx.which(candidate) if "/" not in candidate else rctx.path(candidate)
        if not path or not path.exists:
            continue
        probe = rctx.execute([path, "-c", _PROBE])
        if probe.return_code:
            continue
        executable, version = probe.stdout.strip().rsplit(" ", 1)
        rctx.file("interpreter.txt", executable, executable = False)
        rctx.file("python3", _LAUNCHER.format(path = executable, version = version))
        rctx.file("BUILD.bazel", _BUILD, executable = False)
        return
    fail("\n\nKina needs CPython 3.11 or newer with pip; tried %s.\n" % ", ".join(candidates) +
         "On Debian: apt-get install python3 python3-pip. Elsewhere: set KINA_PYTHON to such a Python.\n")

python_interpreter = repository_rule(
    implementation = _python_interpreter_impl,
    configure = True,
    local = True,  # looked at again by every Bazel server: an upgrade of the host's Python must be seen
    environ = [
        "KINA_PYTHON",
        "PATH",
    ],
    doc = """The first CPython 3.11 or newer with pip, as a Python toolchain.

`@NAME//:toolchain` is for `register_toolchains`; `@NAME//:interpreter.txt` holds the path, for the
repository rules that install packages which match this Python. The environment variable KINA_PYTHON names
another.""",
)
