"""Docks, tabs and their layout in the window."""
