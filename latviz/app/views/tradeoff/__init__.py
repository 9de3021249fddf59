"""The view “tradeoff”."""
