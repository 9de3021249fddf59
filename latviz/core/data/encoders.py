"""From pictures to lattices of observations, by any registered encoding.

Grey values are in the image's own units: 0..255 for uint8, 0..65535 for uint16, the range of the
image for floats. The grey of a colour image is its Rec. 709 luma, rounded to a whole number if
symbols are made from whole numbers. The dtype does not matter: bytes as float32, or repeated in 16
bits by a program that widened them, are bytes. `ranges` gives the range for comparing colours. For
several images it is the range of all. Images that are all turned or mirrored in one way have the
same observations, turned or mirrored, to the last bit.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from latviz.core.checks import check_names
from latviz.core.data.data_set import channels_last
from latviz.core.data.encoding import Encoding
from latviz.core.data.images import given_pictures, method_of, prepared_each
from latviz.core.data.observations import TURN, Encoder, Observations, numbered, observed_each
from latviz.core.data.turns import Turn


@overload
def encode(
    image: list[Any] | tuple[Any, ...],
    encoding: Encoding | str,
    *,
    labels: Sequence[Any] | None = None,
    dimensions: int = 2,
    alphabet: Sequence[str] = (),
    channels: Sequence[str] = (),
    channel_axis: int | None = None,
) -> list[Observations]: ...


@overload
def encode(
    image: npt.NDArray[Any],
    encoding: Encoding | str,
    *,
    labels: npt.ArrayLike | None = None,
    dimensions: int = 2,
    alphabet: Sequence[str] = (),
    channels: Sequence[str] = (),
    channel_axis: int | None = None,
) -> Observations: ...


def encode(
    image: Any,
    encoding: Encoding | str,
    *,
    labels: Any = None,
    dimensions: int = 2,
    alphabet: Sequence[str] = (),
    channels: Sequence[str] = (),
    channel_axis: int | None = None,
) -> Any:
    """Make observations of an image, a volume or a sequence, or of several that share an encoding.

    Bins, palette, labels and components are those of all images together, so that a symbol means
    the same in all of them; ``observations.encoder`` encodes other images with the same symbols. An
    encoding that uses surrounding pixels never uses those of another image. These are the program's
    own encodings; `register_encoding` adds others.

    quantiles
        M bins of grey that are as even as possible: moving a single edge cannot make its two
        bins more even. A grey value is never split. With fewer than M values some bins are unused.
    levels
        M bins of equal width: of whole numbers from 0 to the largest that their bits can hold, 255
        at least; of others from the image's least value to its greatest.
    palette
        At most M colours by Fast PNN in CIELAB, in the order of L*, rounded to 8 bits. Every pixel
        takes the nearest colour in CIELAB. M is the number of different colours that occur.
    labels
        Ranks of the distinct values, or of the distinct colours (by red, then green, then blue).
        Greys that are too similar to distinguish are shown in invented colours.
    grey, rgb
        The image's own units.
    levelled
        Grey minus the slow field of uneven light, see `level_light`; that of each image or slice.
    lab
        L*, a*, b*.
    channels
        Any number of channels; of more than 32 the first 32 principal components.
    texture
        With s = ``encoding.scale`` pixels: the grey value; s times the magnitude of the gradient
        of the grey smoothed with s; the standard deviation of the grey in a Gaussian window of s.
        All are in units of grey, and on a plain slope the last two are equal.

    Parameters
    ----------
    image : (H, W) or (H, W, 3) uint8, uint16 or float; or a list of them
        (H, W, C) of any C for the encoding channels; (H, W, 4) if the opacity is that of all
        pixels; signals (n,), or (n, C) with ``dimensions=1``; nested lists of numbers; sequences
        of letters, such as "ACGT", for the encoding labels, with their names as the alphabet.
        Finite, H and W at least 1. Floats, and other integers of at most 32 bits, are read as
        float32. Of three dimensions (D, H, W) or (D, H, W, 3): bins, palette and labels are those
        of all slices together; an encoding that uses surrounding pixels treats each slice alone.
        Several images must have one dtype, and be all grey or all in colour.
    encoding : Encoding or str
        The encoding, or its name: "lab" is ``Encoding("lab")``.
    labels : (H, W) or (D, H, W) uint8, or a list of them, optional
        Palette indices of the image, which the encoding "labels" ranks instead of the image's
        values; colours still come from the image. With several images, all must have labels, or
        none is used. Other encodings ignore them.
    dimensions : {1, 2, 3}, optional
        The number of lattice axes; a further axis holds colours.
    alphabet : sequence of M str, optional
        The names of all symbols. The image is then a sequence of symbols, (n,) integers 0..M-1, or
        letters.
    channels : sequence of C str, optional
        The names of the channels, for the encoding channels; else they are numbered.
    channel_axis : int, optional
        The axis that holds colours or channels; by default the last one, if there is one more than
        ``dimensions``.

    Returns
    -------
    Observations, or a list of them if there is a list of images
        Their lattice has the image's (H, W) or (D, H, W), or the sequence's (n,).

    Raises
    ------
    ParameterError
        If an image is invalid, it cannot have the encoding, `labels` do not fit it, there are more
        than 64 labels, or images are of different kinds.

    Examples
    --------
    >>> encode(np.array([[0, 255, 100]], np.uint8), Encoding("levels", 2)).values.tolist()
    [[0, 1, 0]]
    >>> letters = encode("GATTACA", "labels")
    >>> letters.names, letters.encoder.encode("TAG").values.tolist()
    (('A', 'C', 'G', 'T'), [3, 0, 2])
    >>> encode(np.zeros((3, 40, 50)), "channels", channel_axis=0).values.shape
    (40, 50, 3)
    """
    if isinstance(encoding, str):
        encoding = Encoding(encoding)
    if channel_axis is not None:
        image = channels_last(image, channel_axis)
    image, alphabet = numbered(image, check_names("alphabet", alphabet))
    image, labels, several, are_rows = given_pictures(
        image, labels, None if len(alphabet) else dimensions
    )
    method, dimensions = method_of(encoding, dimensions, alphabet, channels)
    prepared = prepared_each(image, labels, encoding, method, dimensions)
    fitted = method.fit([part for one in prepared for part in one.parts])
    if prepared[0].turn != Turn():
        fitted = replace(fitted, arrays={**fitted.arrays, TURN: np.array(prepared[0].turn)})
    encoder = Encoder(encoding, fitted, prepared[0].dtype, dimensions)
    found = observed_each(encoder, prepared, method, are_rows=are_rows)
    return found if several else found[0]
