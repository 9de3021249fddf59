"""The view “map”."""
