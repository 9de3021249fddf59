"""The view “guide”."""
