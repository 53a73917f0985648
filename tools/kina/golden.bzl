"""kina_golden_test: the emitted MLIR of a signature against a file that is checked in."""

load(":native.bzl", "py_test")
load(":providers.bzl", "KinaInfo")

KinaGoldenInfo = provider(
    doc = "A golden and what it has to equal.",
    fields = {
        "emitted": "The file that the compiler makes.",
        "path": "Path of the golden in the workspace.",
    },
)

def _emitted_impl(ctx):
    info = ctx.attr.library[KinaInfo]
    for signature in info.signatures:
        if signature.name == ctx.attr.signature:
            path = "/".join([part for part in (ctx.label.package, ctx.attr.golden) if part])
            return [
                DefaultInfo(
                    files = depset([signature.mlir]),
                    runfiles = ctx.runfiles(files = [signature.mlir]),
                ),
                KinaGoldenInfo(emitted = signature.mlir, path = path),
            ]
    fail("signature: %s exports no %s, only %s" % (
        ctx.attr.library.label,
        ctx.attr.signature,
        ", ".join([s.name for s in info.signatures]),
    ))

_kina_emitted = rule(
    implementation = _emitted_impl,
    attrs = {
        "golden": attr.string(
            mandatory = True,
            doc = "The golden's path in this package. It need not exist yet.",
        ),
        "library": attr.label(
            mandatory = True,
            providers = [KinaInfo],
            doc = "The `kina_library`.",
        ),
        "signature": attr.string(
            mandatory = True,
            doc = "One of the library's exports.",
        ),
    },
    doc = "The emitted MLIR of one signature.",
)

def kina_golden_test(name, library, signature, golden, **kwargs):
    """Tests that the emitted MLIR of a signature is the golden, and that `mlir-opt` accepts the golden.

    `kina_update_goldens` writes goldens. Without its golden the test fails, and tells so.

    Args:
        name: the test.
        library: the `kina_library`.
        signature: one of its exports.
        golden: the file that is checked in, in the same package.
        **kwargs: what every test takes, as `size`.
    """
    emitted = name + ".emitted"
    _kina_emitted(
        name = emitted,
        golden = golden,
        library = library,
        signature = signature,
        tags = kwargs.get("tags"),
        testonly = True,
    )
    if ":" in golden or golden.startswith("/") or golden.startswith("@"):
        fail("kina_golden_test %s: golden is the path of a file in this package, not the label %s" % (name, golden))
    present = native.glob([golden], allow_empty = True)
    mlir_opt = str(Label("@kina_llvm//:mlir-opt"))
    py_test(
        name = name,
        srcs = [Label("//tools/kina:golden_test.py")],
        args = [
            "$(rootpath %s)" % golden if present else "/".join([part for part in (native.package_name(), golden) if part]),
            "$(rootpath :%s)" % emitted,
            "$(rootpath %s)" % mlir_opt,
        ],
        data = present + [
            ":" + emitted,
            mlir_opt,
            Label("@kina_llvm//:libraries"),
        ],
        main = Label("//tools/kina:golden_test.py"),
        python_version = "PY3",
        **kwargs
    )

def _update_impl(ctx):
    goldens = [target[KinaGoldenInfo] for target in ctx.attr.emitted]
    script = ctx.actions.declare_file(ctx.label.name)
    lines = [
        "#!/bin/sh",
        "set -eu",
        ": \"${BUILD_WORKSPACE_DIRECTORY:?run this with: bazel run %s}\"" % ctx.label,
    ]
    for golden in goldens:
        lines += [
            "target=\"$BUILD_WORKSPACE_DIRECTORY/%s\"" % golden.path,
            "mkdir -p \"${target%/*}\"",
            "cmp -s '%s' \"$target\" || { cp '%s' \"$target\"; chmod 644 \"$target\"; echo 'updated %s'; }" % (
                golden.emitted.short_path,
                golden.emitted.short_path,
                golden.path,
            ),
        ]
    ctx.actions.write(script, "\n".join(lines) + "\n", is_executable = True)
    return [DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles(files = [golden.emitted for golden in goldens]),
    )]

_kina_update_goldens = rule(
    implementation = _update_impl,
    attrs = {
        "emitted": attr.label_list(
            mandatory = True,
            providers = [KinaGoldenInfo],
            doc = "The emitted MLIR of the tests' signatures.",
        ),
    },
    executable = True,
    doc = "Writes emitted MLIR over goldens.",
)

def kina_update_goldens(name, tests, **kwargs):
    """A program for `bazel run` that writes what the compiler emits over the goldens of some tests.

    Args:
        name: the program.
        tests: names of `kina_golden_test` targets of this package.
        **kwargs: what every rule takes, as `visibility`.
    """
    _kina_update_goldens(
        name = name,
        emitted = [":%s.emitted" % test for test in tests],
        testonly = True,
        **kwargs
    )
