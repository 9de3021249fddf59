"""The view “states”."""
