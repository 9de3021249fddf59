"""Memory that is free, and that is taken."""


def available() -> int:
    """Return how many bytes this program may still take before the computer has to swap."""
    import psutil  # the window is to be seen before it is needed

    return int(psutil.virtual_memory().available)


def taken() -> int:
    """Return how many bytes this program has in memory, with libraries that it shares."""
    import psutil  # see above

    return int(psutil.Process().memory_info().rss)
