"""The view “shelf”."""
