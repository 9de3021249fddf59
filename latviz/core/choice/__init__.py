"""Choosing N and w: leave-one-out code lengths and the trade-off."""
