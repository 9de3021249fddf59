"""Lessons: how they are written, and what makes every number in them true."""
