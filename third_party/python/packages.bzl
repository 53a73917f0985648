"""Installs packages of a hash-checked lock as an external repository."""

# Tests of the packages stay out of the actions.
_HEADER = """load("@kina_rules//:rules.bzl", "py_library")

package(default_visibility = ["//visibility:public"])

exports_files(glob(["site/bin/*"], allow_empty = True))

UNUSED = ["site/**/tests/**", "site/**/* *"]
"""

_PY_LIBRARY = """
py_library(
    name = "{name}",
    srcs = glob({sources}, allow_empty = True, exclude = UNUSED),
    data = glob({data}, allow_empty = True, exclude = UNUSED + ["**/*.py"]),
    imports = ["site"],
    deps = {deps},
)
"""

def _normal(name):
    """The normal form of a distribution's name: lower case, single dashes."""
    return name.lower().replace("_", "-").replace(".", "-")

def _locked(text, packages, lock):
    """The entries of a lock for `packages`, hashes included."""
    entries = {}
    current = None
    for line in text.splitlines():
        if line and line[0] not in " #":
            current = _normal(line.split("==")[0])
            entries[current] = []
        if current and line and not line.strip().startswith("#"):
            entries[current].append(line)
    missing = [name for name in packages if name not in entries]
    if missing:
        fail("%s does not lock %s: run third_party/python/lock.sh" % (lock, ", ".join(missing)))
    return "\n".join(["\n".join(entries[name]) for name in packages]) + "\n"

def _requirements(metadata):
    """The distributions that a METADATA file requires without an extra."""
    names = {}
    for line in metadata.splitlines():
        if line.startswith("Requires-Dist:") and "extra ==" not in line:
            name = line[len("Requires-Dist:"):].strip()
            for i in range(len(name)):
                if not (name[i].isalnum() or name[i] in "-_."):
                    name = name[:i]
                    break
            names[_normal(name)] = True
        elif not line:
            break
    return sorted(names)

def _top_level(rctx, record):
    """The files and folders in site-packages that a RECORD file lists and that are still there."""
    names = {line.split(",")[0].strip("\"").split("/")[0]: True for line in record.splitlines()}
    return [name for name in sorted(names) if name and name != ".." and rctx.path("site/" + name).exists]

def _build_file(rctx, packages):
    libraries = {}
    for folder in rctx.path("site").readdir():
        if not folder.basename.endswith(".dist-info"):
            continue
        name = _normal(folder.basename.split("-")[0])
        files = _top_level(rctx, rctx.read(folder.get_child("RECORD")))
        modules = [f for f in files if f.endswith((".py", ".so"))]
        folders = [f for f in files if f not in modules]
        libraries[name] = _PY_LIBRARY.format(
            name = name.replace("-", "_"),
            sources = ["site/" + f for f in modules if f.endswith(".py")] + ["site/%s/**/*.py" % f for f in folders],
            data = ["site/" + f for f in modules if f.endswith(".so")] +
                   ["site/__pycache__/%s.*.pyc" % f[:-len(".py")] for f in modules if f.endswith(".py")] +
                   ["site/%s/**" % f for f in folders],
            deps = [
                ":" + need.replace("-", "_")
                for need in _requirements(rctx.read(folder.get_child("METADATA")))
                if need in packages
            ],
        )
    return _HEADER + "".join([libraries[name] for name in sorted(libraries)])

def _compile(rctx, python):
    """Bytecode beside every source: else each action and test would compile what it imports anew.

    It is the same on every machine, as it holds neither times nor the folder.
    """
    rctx.execute(
        [
            python,
            "-S",
            "-m",
            "compileall",
            "-q",
            "-j0",
            "-x/tests/",
            "--invalidation-mode=unchecked-hash",
            "-ssite",
            "-p" + rctx.name,
            "site",
        ],
        environment = {"PYTHONHASHSEED": "0"},
        timeout = 600,
    )

def _locked_packages_impl(rctx):
    python = rctx.read(rctx.attr.interpreter)
    rctx.file("requirements.txt", _locked(rctx.read(rctx.attr.lock), rctx.attr.packages, rctx.attr.lock))
    pip = rctx.execute(
        [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-compile",
            "--no-deps",
            "--only-binary=:all:",
            "--require-hashes",
            "--root-user-action=ignore",
            "--target=site",
            "--requirement=requirements.txt",
        ],
        timeout = 1800,
    )
    if pip.return_code:
        fail("\n\npip could not install %s:\n%s" % (", ".join(rctx.attr.packages), pip.stderr))
    for path in rctx.attr.remove:
        rctx.delete("site/" + path)
    if rctx.attr.build_file:
        rctx.symlink(rctx.attr.build_file, "BUILD.bazel")
    else:
        _compile(rctx, python)
        rctx.file("BUILD.bazel", _build_file(rctx, rctx.attr.packages), executable = False)

locked_packages = repository_rule(
    implementation = _locked_packages_impl,
    attrs = {
        "build_file": attr.label(
            allow_single_file = True,
            doc = "BUILD file of the repository, over the folder `site`. Without one each package becomes a " +
                  "`py_library` of its own, named in lower case with underscores.",
        ),
        "interpreter": attr.label(
            allow_single_file = True,
            default = "@kina_python//:interpreter.txt",
            doc = "File with the path of the Python whose pip installs; wheels are chosen for it.",
        ),
        "lock": attr.label(
            allow_single_file = True,
            mandatory = True,
            doc = "Lock file made by lock.sh.",
        ),
        "packages": attr.string_list(
            mandatory = True,
            doc = "Distributions of the lock to install, in lower case with dashes. Nothing else is installed: " +
                  "a dependency that is not named here is left out.",
        ),
        "remove": attr.string_list(
            doc = "Folders under `site` that are not needed, to spare disk space.",
        ),
    },
    doc = "Installs packages from a lock with `pip install --require-hashes --no-deps`, wheels only.",
)
