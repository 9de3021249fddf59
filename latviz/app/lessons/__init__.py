"""Lessons in the window: what they say and ask, and the states that they show."""
