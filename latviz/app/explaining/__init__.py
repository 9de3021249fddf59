"""Explaining in place: what a thing is, its formula, and the formula with a pixel's numbers."""
