"""Whether an image and all that is computed of it fit into memory."""

from latviz.core import memory
from latviz.core.errors import ParameterError
from latviz.engine.frame import Request
from latviz.engine.sample_size import LARGE

VIEWS = 12
"""Bytes a pixel that the views take, and symbols or the image's own bytes."""
FLOATS = 8
"""Bytes a pixel and channel that other real vectors take, with their fixed point."""


def bytes_needed(request: Request) -> int:
    """Return how many bytes a frame of a request takes beside the image, about."""
    picture, encoding = request.picture, request.parameters.encoding
    n_floats = 0
    if not encoding.discrete:
        n_channels = encoding.kind.n_channels
        grey = picture.pixels.ndim == picture.dimensions
        own = encoding.name == "rgb" or (encoding.name == "grey" and grey)
        n_floats = 0 if own and picture.pixels.dtype.itemsize == 1 else n_channels
    return picture.n_nodes * (VIEWS + FLOATS * n_floats)


def check_fits(request: Request) -> None:
    """Raise `ParameterError` if a large image as it is to be encoded does not fit into memory."""
    if request.picture.n_nodes <= LARGE:
        return
    needed, free = bytes_needed(request), memory.available()
    if needed > free:
        title, size = request.parameters.encoding.kind.title, request.picture.size_text
        raise ParameterError(
            f"“{title}” of {size} takes some {needed / 1e9:.1f} GB of memory "
            f"and {free / 1e9:.1f} GB is free; choose grey quantiles, or open the image reduced"
        )
