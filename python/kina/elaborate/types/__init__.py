"""What sizes, constants and types are, and the values that have them."""
