"""From pictures in chunks to observations, by any encoding that is registered."""

from functools import partial
from typing import Any

import dask
import dask.array as da
import numpy as np
from numpy.typing import NDArray

from latviz.core import encode as encode_pictures
from latviz.core.checks import check_integer
from latviz.core.data.encoding import Encoding
from latviz.core.data.images import method_of
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.wings.scale.blocks import map_nodes, spread_parts
from latviz.wings.scale.chunks import Chunked, as_arrays, chunked

PARTS = 64
"""Chunks that an encoder is fitted to, at most."""
SAMPLE = 1 << 22
"""Pixels that an encoder is fitted to, at most."""


def fit_encoder(pictures: Any, encoding: Encoding, *, dimensions: int = 2) -> Encoder:
    """Fit an encoding to the middles of chunks spread over pictures, which are read at once.

    Parameters
    ----------
    pictures : dask array, or a list or tuple of them
        As for `core.encode`, (H, W) or (H, W, 3) uint8, uint16 or float.
    encoding : Encoding
    dimensions : {2, 3}, optional
        The number of lattice axes; a further axis holds colours.

    Returns
    -------
    Encoder
        Its bins, palette, labels or components are those of 64 chunks, of 4 megapixels in all, or
        of all pixels if there are no more. Other values get the nearest bin or colour.

    Raises
    ------
    ParameterError
        If the pictures cannot have the encoding.
    """
    dimensions = check_integer("dimensions", dimensions, 2, 3)
    arrays = as_arrays(pictures)
    n_parts = min(PARTS, sum(int(np.prod(one.numblocks[:dimensions])) for one in arrays))
    parts = spread_parts(arrays, dimensions, n_parts, SAMPLE // n_parts)
    found = encode_pictures(list(dask.compute(*parts)), encoding, dimensions=dimensions)
    return found[0].encoder


def encode(pictures: Any, encoder: Encoder) -> Chunked:
    """Return the observations of pictures, encoded chunk by chunk on request.

    An encoding that uses surrounding pixels gets those around the chunk too. Symbols and vectors
    are those of `Encoder.encode` for the whole pictures, bit for bit; but those of filters and
    textons only to about 1e-4 of their spreads, because Fourier transforms of other sizes round
    differently.

    Raises
    ------
    ParameterError
        If the encoding does not declare its reach.
    """
    found, is_list = encoded(pictures, encoder), isinstance(pictures, list | tuple)
    kind = "discrete" if encoder.encoding.kind.discrete else "gaussian"
    return chunked(found if is_list else found[0], kind, len(encoder.fitted.names))


def encoded(pictures: Any, encoder: Encoder) -> list[da.Array]:
    """Return the symbols or vectors of each picture, as `encode` does; nothing is computed yet."""
    arrays, d, kind = as_arrays(pictures), encoder.dimensions, encoder.encoding.kind
    depth = _reach(encoder) if kind.looks_around else 0
    pixel = np.zeros((*(1,) * d, *arrays[0].shape[d:]), dtype=arrays[0].dtype)
    one = encoder.encode(pixel).values
    dtype, tail = one.dtype, one.shape[d:]
    return [map_nodes(partial(_values, encoder), one, d, depth, dtype, tail) for one in arrays]


def _values(encoder: Encoder, block: NDArray[Any]) -> NDArray[Any]:
    values: NDArray[Any] = encoder.encode(block).values
    return values


def _reach(encoder: Encoder) -> int:
    """Return the reach of an encoding in pixels."""
    method, _ = method_of(encoder.encoding, encoder.dimensions, ())
    reach = getattr(method, "reach", None)
    if reach is None:
        raise ParameterError(
            f"the encoding “{encoder.encoding.kind.title}” does not state how far it reaches, so "
            "it cannot be computed in parts: its method needs an attribute reach"
        )
    return int(reach)
