"""The view “images”."""
