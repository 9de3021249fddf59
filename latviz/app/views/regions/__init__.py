"""The view “regions”."""
