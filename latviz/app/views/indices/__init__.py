"""The view “indices”."""
