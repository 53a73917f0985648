"""Models as they ship: files, configurations, weights and tokenizers."""
