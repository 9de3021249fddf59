"""Memory that is free."""

import psutil


def available() -> int:
    """Return how many bytes this program may still take before the computer has to swap."""
    return int(psutil.virtual_memory().available)
