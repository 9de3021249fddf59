"""Memory that is free."""


def available() -> int:
    """Return how many bytes this program may still take before the computer has to swap."""
    import psutil  # the window is to be seen before it is needed

    return int(psutil.virtual_memory().available)
