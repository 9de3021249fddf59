"""The view “likelihood”."""
