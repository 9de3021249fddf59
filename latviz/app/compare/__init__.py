"""Comparing two decodings, A and B."""
