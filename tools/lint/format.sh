#!/bin/sh
# Formats the workspace's Python and mends what ruff can: bazel run //tools/lint:format
set -eu
ruff=$(pwd)/$1
cd "${BUILD_WORKSPACE_DIRECTORY:?run this with: bazel run //tools/lint:format}"
"$ruff" check --quiet --no-cache --fix --config tools/lint/ruff.toml python tests tools
"$ruff" format --no-cache --config tools/lint/ruff.toml python tests tools
