"""Text to tokens to a tree, and every diagnostic's place in the source."""
