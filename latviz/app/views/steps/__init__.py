"""The view “steps”."""
