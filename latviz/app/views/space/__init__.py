"""The view “space”."""
