"""The view “adjacency”."""
