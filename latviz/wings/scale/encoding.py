"""From pictures in chunks to observations, by any encoding that is registered."""

from collections.abc import Sequence
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
from latviz.core.data.masks import Mask, filled, in_a_row
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.facts import around_unknown
from latviz.core.renamed import renamed
from latviz.wings.scale.blocks import map_nodes, spread_parts
from latviz.wings.scale.chunks import NONE_SEEN, Chunked, as_arrays, chunked, masks_of

PARTS = 64
"""Chunks that an encoder is fitted to, at most."""
SAMPLE = 1 << 22
"""Pixels that an encoder is fitted to, at most."""


@renamed("pictures encoding")
def fit_encoder(
    pictures: Any, encoding: Encoding, *, dimensions: int = 2, mask: Any = None
) -> Encoder:
    """Fit an encoding to the middles of chunks spread over pictures, which are read at once.

    Parameters
    ----------
    pictures : dask array, or a list or tuple of them
        As for `core.encode`, (H, W) or (H, W, 3) uint8, uint16 or float.
    encoding : Encoding
    dimensions : {2, 3}, optional
        The number of lattice axes; a further axis holds colours.
    mask : optional
        As for `encode`.

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
    masks = _masks_for(arrays, mask, encoding, dimensions)
    n_parts = min(PARTS, sum(int(np.prod(one.numblocks[:dimensions])) for one in arrays))
    how = dimensions, n_parts, SAMPLE // n_parts
    parts, known = dask.compute(
        *(spread_parts(one, *how) if one else [] for one in (arrays, masks))
    )
    if masks:
        pairs = [(one, there) for one, there in zip(parts, known, strict=True) if there.any()]
        if not pairs:
            raise ParameterError(NONE_SEEN)
        parts = [in_a_row(*pair) for pair in pairs]
    found = encode_pictures(list(parts), encoding, dimensions=dimensions)
    return found[0].encoder


def _masks_for(
    arrays: list[da.Array], mask: Any, encoding: Encoding, dimensions: int
) -> list[da.Array]:
    """Return the mask of each picture in the picture's chunks; none if no pixel is unknown."""
    if mask is None:
        return []
    masks = masks_of(mask, [one.shape[:dimensions] for one in arrays])
    pairs = zip(arrays, masks, strict=True)
    masks = [known.rechunk(one.chunks[:dimensions]) for one, known in pairs]
    if not encoding.kind.looks_around:
        return masks
    if not all(dask.compute(*(known.all() for known in masks))):
        raise ParameterError(around_unknown(encoding.kind.title))
    return []


@renamed("pictures encoder")
def encode(pictures: Any, encoder: Encoder, *, mask: Any = None) -> Chunked:
    """Return the observations of pictures, encoded chunk by chunk on request.

    An encoding that uses surrounding pixels gets those around the chunk too. Symbols and vectors
    are those of `Encoder.encode` for the whole pictures, bit for bit; but those of filters and
    textons only to about 1e-4 of their spreads, because Fourier transforms of other sizes round
    differently.

    ``mask`` is that of `chunked`: unknown pixels may hold anything, such as NaN.

    Raises
    ------
    ParameterError
        If the encoding does not declare its reach, or looks around pixels of which some are
        unknown.
    """
    arrays, is_list = as_arrays(pictures), isinstance(pictures, list | tuple)
    masks = _masks_for(arrays, mask, encoder.encoding, encoder.dimensions)
    found = encoded(arrays, encoder, masks)
    kind = "discrete" if encoder.encoding.kind.discrete else "gaussian"
    given = (found, masks or None) if is_list else (found[0], masks[0] if masks else None)
    return chunked(given[0], kind=kind, n_symbols=len(encoder.fitted.names), mask=given[1])


def encoded(
    arrays: Sequence[da.Array], encoder: Encoder, masks: Sequence[da.Array] = ()
) -> list[da.Array]:
    """Return the symbols or vectors of each picture, as `encode` does; nothing is computed yet."""
    d, kind = encoder.dimensions, encoder.encoding.kind
    depth = _reach(encoder) if kind.looks_around else 0
    one = np.zeros((1,) * d, np.uint8)
    if not kind.discrete:
        pixel = np.zeros((*one.shape, *arrays[0].shape[d:]), dtype=arrays[0].dtype)
        one = encoder.encode(pixel).values
    to, work = (d, depth, one.dtype, one.shape[d:]), partial(_values, encoder, one)
    more = [[known] for known in masks] or [[]] * len(arrays)
    return [map_nodes(work, one, *to, own) for one, own in zip(arrays, more, strict=True)]


def _values(
    encoder: Encoder, one: NDArray[Any], block: NDArray[Any], known: Mask = None
) -> NDArray[Any]:
    if known is not None and not known.any():  # there is no pixel that can be encoded
        return np.zeros((*known.shape, *one.shape[known.ndim :]), one.dtype)
    values: NDArray[Any] = encoder.encode(filled(block, known)).values
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
