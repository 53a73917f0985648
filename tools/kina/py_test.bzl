"""kina_py_test and kina_py_tests: files of pytest tests as test targets."""

load(":native.bzl", "py_library", "py_test")

def kina_py_test(name, srcs, deps = [], args = [], **kwargs):
    """Runs pytest on files of tests.

    The tests see the packages in `deps` and nothing of the host's. `--test_filter` is pytest's `-k`.

    Args:
        name: the test.
        srcs: the files of tests. pytest collects from those whose names start with `test_`.
        deps: `py_library` targets. pytest comes by itself.
        args: more arguments for pytest.
        **kwargs: what `py_test` takes, as `data`, `env`, `size`.
    """
    main = Label("//tools/kina:pytest_main.py")
    py_test(
        name = name,
        srcs = srcs + [main],
        args = ["$(rootpath %s)" % src for src in srcs if _is_test(src)] + args,
        main = main,
        python_version = "PY3",
        deps = deps + [Label("@kina_pip_test//:pytest")],
        **kwargs
    )

def _is_test(src):
    return src.split("/")[-1].split(":")[-1].startswith("test_")

def kina_py_tests(deps = [], **kwargs):
    """A `kina_py_test` for every file `test_*.py` of the package, named as the file.

    The package's other Python files are the library `shared`, which its tests import by their names; all of them
    together are `sources`.

    Args:
        deps: `py_library` targets that the tests import.
        **kwargs: what `py_test` takes.
    """
    tests = native.glob(["test_*.py"])
    py_library(
        name = "sources",
        testonly = True,
        srcs = native.glob(["*.py"]),
        visibility = ["//tests:__pkg__"],
    )
    py_library(
        name = "shared",
        testonly = True,
        srcs = native.glob(["*.py"], allow_empty = True, exclude = tests),
        imports = ["."],
        deps = deps,
    )
    for file in tests:
        kina_py_test(
            name = file[:-len(".py")],
            srcs = [file],
            deps = deps + [":shared"],
            **kwargs
        )
