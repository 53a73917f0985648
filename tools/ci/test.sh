#!/usr/bin/env bash
# bazel test with the arguments, and with the cache of build results that KINA_REMOTE_CACHE names.
#
# KINA_CACHE_UPLOAD=1 also fills the cache: for runs whose code is trusted. KINA_CACHE_MINUTES (30) is how long a run
# may take with the cache.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

if [[ -n ${KINA_REMOTE_CACHE:-} ]]; then
  config=ci${KINA_CACHE_UPLOAD:+-upload}
  timeout --signal=INT "${KINA_CACHE_MINUTES:-30}m" ./bazelw test --config="$config" "$@"
  status=$?

  # Bazel does without a cache that fails it. But a slow one can hold it up for longer than the build would take, and
  # an entry that tells of no outputs fails the build.
  if ((status != 1 && status != 124)); then
    exit "$status"
  fi
  echo "With the cache the build failed or took too long: once more without it." >&2
fi
exec ./bazelw test "$@"
