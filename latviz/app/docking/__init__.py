"""Docks, tabs and how they share the window."""
