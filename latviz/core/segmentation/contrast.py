"""Regions of a picture by the contrasts of signatures, for which no state map is needed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import as_array, check_integer, check_number, check_progress
from latviz.core.data.images import checked_picture
from latviz.core.data.masks import check_mask, filled
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.core.segmentation.defaults import LEAST_CONTRAST
from latviz.core.segmentation.regions import Regions, described
from latviz.core.segmentation.relief import Relief, relief_of


def contrast_regions(
    image: Any,
    *,
    least_contrast: float = LEAST_CONTRAST,
    dimensions: int = 2,
    mask: Any = None,
    progress: Progress | None = None,
) -> Regions:
    """Return regions of a photograph, without states: borders are where signatures differ.

    The contrast at a node is that of the signatures p and q of two windows on either side of it,
    the root of half the sum of (p - q)^2 / (p + q): from 0 to 1. It is the mean over L*, a* and b*
    in windows of three sizes, and over four principal components of filters in larger ones, in 8
    bins each, in the direction in which it is largest. A node whose neighbours all have its colour
    has no components, because filters answer far beyond a border; a channel counts by the larger
    share of nodes that have it on one side. Basins of this relief are merged, two
    neighbours of the least contrast first. The contrast of two regions of n and m of the N nodes of
    a lattice is the mean along their border, minus half the mean inside the more contrasted region,
    plus half the contrast of the signatures of the whole regions, times (n m / (n + m) / N)^(1/5).
    `fast_pnn` weighs squared differences of codewords by n m / (n + m).

    Windows grow with the picture. The regions of an image that is turned or mirrored are the same,
    turned, unless it is its own mirror image. Use `regions` if pixels are independent given their
    states, as in noisy fields: evidence counts pixels, and contrast does not.

    Parameters
    ----------
    image : (H, W) or (H, W, 3) uint8, uint16 or float
        As for `encode`; grey images have no a* and b*. Of three dimensions (D, H, W) or (D, H, W,
        3).
    least_contrast : float, optional
        The contrast that keeps two regions apart, from 0, which merges no basins, to 1. The default
        suits most pictures.
    dimensions : {2, 3}, optional
        The number of lattice axes; a further axis holds colours.
    mask : (H, W) or (D, H, W) bool, optional
        True where pixels are known. Others are in no region, with the label -1, and beside no
        border: windows repeat the nearest known pixels there, as they do at edges.
    progress : Progress, optional
        May cancel.

    Returns
    -------
    Regions
        All have state 0, and as observations the numbers of the image. `Regions.contrasts` are
        those of their borders, and `Regions.merged` merges further.

    Raises
    ------
    ParameterError
        If an argument is invalid, or there is not enough memory.
    Cancelled
        If ``progress`` is cancelled.

    Examples
    --------
    >>> image = np.zeros((40, 60, 3), np.uint8)
    >>> image[:, :30], image[:, 30:] = (0, 0, 200), (200, 100, 0)
    >>> found = contrast_regions(image)
    >>> len(found), found.labels[0, [0, 59]].tolist(), found.means[:, 0].round().tolist()
    (2, [0, 1], [0.0, 200.0])
    """
    dimensions = check_integer("dimensions", dimensions, 2, 3)
    array = as_array("image", image)
    known = check_mask(mask, array.shape[:dimensions])
    picture = checked_picture(filled(array, known), dimensions)
    least = check_number("least_contrast", least_contrast, 0.0, 1.0)
    check_progress(progress)
    relief = relief_of(picture, dimensions, dimensions, progress=progress, known=known)
    stop_if_cancelled(progress)
    values = picture.reshape(*relief.basins.shape, -1)
    first = contrast_regions_of(relief, None, values, False, values.shape[-1], dimensions)
    return first.merged(least_contrast=least, progress=progress)


def contrast_regions_of(
    relief: Relief,
    states: NDArray[np.uint8] | None,
    values: NDArray[Any],
    discrete: bool,
    n_symbols: int,
    dimensions: int,
    progress: Progress | None = None,
) -> Regions:
    """Return the basins of a relief as regions; all have state 0 if there are no states."""
    given = states, values, discrete, n_symbols, dimensions
    return described(relief.basins, *given, progress, relief)
