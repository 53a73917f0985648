"""Text from a compiled model, one token at a time: host loops, caches, sampling, streaming."""
