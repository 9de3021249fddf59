"""Strokes that name states: painted over the picture, and answered by the cut of the merge tree."""
