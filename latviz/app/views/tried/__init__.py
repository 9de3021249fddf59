"""The view “why”."""
