"""The view “multiples”."""
