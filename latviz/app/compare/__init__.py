"""Comparing two decodings, A and B, or another method's labels with what is on screen."""
