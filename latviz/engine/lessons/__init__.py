"""Lessons: their format, and checks that every number in them is true."""
