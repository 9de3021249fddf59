"""The view “pixel”."""
