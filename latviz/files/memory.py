"""How large an image may be, on this computer and now."""

from latviz.core.memory import available

MAX_PIXELS = 2**27
"""Images of more pixels are not explored; they may be opened reduced."""
MAX_READ = 2**29
"""Images of more pixels are not read at all."""
EXPLORED = 20
"""Bytes a pixel that an image of colours takes with all views of its symbols."""
READ = 8
"""Bytes a pixel that decoding takes, before the image is reduced."""

MAX_HELD = 2**29
"""Bytes of pictures that are held to be undone without reading them again."""


def most_held() -> int:
    """Return how many bytes of pictures may be held beside the one on screen."""
    return min(MAX_HELD, available() // 8)


def most_explored() -> int:
    """Return how many pixels an image may have."""
    return min(MAX_PIXELS, available() // EXPLORED)


def most_read() -> int:
    """Return how many pixels an image may have that is reduced while it is read."""
    return min(MAX_READ, available() // READ)


def reduction_for(n_pixels: int) -> int:
    """Return the least power of two to divide an image's sides by so that it can be explored."""
    most, reduction = max(1, most_explored()), 1
    while n_pixels > most * reduction**2:
        reduction *= 2
    return reduction
