"""The view “pins”."""
