"""The view “selections”."""
