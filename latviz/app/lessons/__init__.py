"""Lessons in the window: their texts, questions and states."""
