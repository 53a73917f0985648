"""kina_py_test: a file of pytest tests as a test target."""

def kina_py_test(name, srcs, deps = [], args = [], **kwargs):
    """Runs pytest on files of tests.

    The tests see the packages in `deps` and nothing of the host's. `--test_filter` is pytest's `-k`.

    Args:
        name: the test.
        srcs: the files of tests, and other modules in the same folder that they import. pytest collects from
            those whose names start with `test_`.
        deps: `py_library` targets. pytest comes by itself.
        args: more arguments for pytest.
        **kwargs: what `py_test` takes, as `data`, `env`, `size`.
    """
    main = Label("//tools/kina:pytest_main.py")
    native.py_test(
        name = name,
        srcs = srcs + [main],
        imports = ["."],
        args = ["$(rootpath %s)" % src for src in srcs if _is_test(src)] + args,
        main = main,
        python_version = "PY3",
        deps = deps + [Label("@kina_pip_test//:pytest")],
        **kwargs
    )

def _is_test(src):
    return src.split("/")[-1].split(":")[-1].startswith("test_")
