"""Comparing a reference, or another method's labels, with what is on screen."""
