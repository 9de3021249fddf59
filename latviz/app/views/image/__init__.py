"""The view “image”."""
