"""Memory that is free, and that is taken."""


def available() -> int:
    """Return the bytes that this program may still use before the computer swaps."""
    import psutil  # the window is shown before it is needed

    return int(psutil.virtual_memory().available)


def taken() -> int:
    """Return the bytes of this program in memory, with shared libraries."""
    import psutil  # as above

    return int(psutil.Process().memory_info().rss)
