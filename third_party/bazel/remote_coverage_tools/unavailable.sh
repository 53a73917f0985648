#!/bin/sh
echo "coverage needs a Bazel other than Debian's" >&2
exit 1
