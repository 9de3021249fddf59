"""The view “tree”."""
