"""Compiled loops. They see typed contiguous arrays and check nothing: their callers have."""
