"""Selections that are kept under names."""
