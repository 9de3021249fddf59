"""The view “methods”."""
