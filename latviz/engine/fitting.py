"""Whether an image and all that is computed of it fit into memory."""

from latviz.core import memory
from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.engine.picture import Picture
from latviz.engine.sample_size import LARGE

VIEWS = 12
"""Bytes a pixel that the views take, and symbols or the image's own bytes."""
FLOATS = 8
"""Bytes a pixel and channel that other real vectors take, with their fixed point."""


def bytes_needed(picture: Picture, encoding: Encoding) -> int:
    """Return how many bytes a frame of a picture takes beside the picture itself, about."""
    n_floats = 0
    if not encoding.discrete:
        n_channels = encoding.kind.n_channels
        grey = picture.pixels.ndim == picture.dimensions
        own = encoding.name == "rgb" or (encoding.name == "grey" and grey)
        n_floats = 0 if own and picture.pixels.dtype.itemsize == 1 else n_channels
    return picture.n_nodes * (VIEWS + FLOATS * n_floats)


def check_fits(picture: Picture, encoding: Encoding) -> None:
    """Raise `ParameterError` if a large image as it is to be encoded does not fit into memory."""
    if picture.n_nodes <= LARGE:
        return
    needed, free = bytes_needed(picture, encoding), memory.available()
    if needed > free:
        title, size = encoding.kind.title, picture.size_text
        raise ParameterError(
            f"“{title}” of {size} takes some {needed / 1e9:.1f} GB of memory "
            f"and {free / 1e9:.1f} GB is free; choose grey quantiles, or open the image reduced"
        )
