"""The view “code”."""
