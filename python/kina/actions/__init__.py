"""The programs that Bazel's actions run: one per step, with every tool and file named."""
