"""Explanations in place: an object, its formula, and the formula with a pixel's numbers."""
