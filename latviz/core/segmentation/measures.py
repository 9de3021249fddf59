"""Measures of single regions, by the names of scikit-image's `regionprops`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from latviz.core.types import Floats, Region


class RegionProperties(NamedTuple):
    """One region of `Regions`; see `Regions.table` for what is measured."""

    label: int
    state: int
    area: int
    bbox: tuple[int, ...]
    centroid: tuple[float, ...]


def boxes(labels: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the first node of each region's box, and the node after its last, (R, 2 d)."""
    found: list[Region] = ndimage.find_objects(labels + 1)
    ends = [[*(s.start for s in one), *(s.stop for s in one)] for one in found]
    return np.array(ends, np.int64).reshape(len(found), 2 * labels.ndim)


def centroids(labels: NDArray[np.int32], areas: NDArray[np.int64]) -> Floats:
    """Return the mean place of each region's nodes, (R, d)."""
    known = labels >= 0
    own = labels[known]
    sums = [np.bincount(own, axis, len(areas)) for axis in np.nonzero(known)]
    return np.stack(sums, axis=1) / areas[:, None]
