"""Lives over the cut, with the regions that they are read from."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from latviz.core import segmentation
from latviz.core.types import Counts, Floats
from latviz.engine.geometry.region_cut import CONTRAST

LOWEST = 0.03
"""The least cut on axes, which are spaced by ratios."""


def share_of_cut(cut: Floats | float) -> Floats:
    """Return the place of cuts on an axis, from 0 to 1."""
    share = np.log(np.maximum(cut, LOWEST) / LOWEST) / np.log(CONTRAST[1] / LOWEST)
    return np.minimum(np.asarray(share, np.float64), 1.0)


@dataclass(frozen=True, eq=False)
class CutLives:
    """The lives of regions as the cut of contrast grows, and the regions before all merges."""

    lives: "segmentation.lives.Lives"
    labels: NDArray[np.int32]  # (*shape)
    merges: "segmentation.merging.Hierarchy"

    def mask(self, life: int, cut: float) -> NDArray[np.bool_]:
        """Return the nodes of a life at a cut (*shape); none if it is not there."""
        node = int(self.lives.nodes_at(cut)[life])
        regions = self.merges.cut(cut)
        wanted = regions[self.labels.reshape(-1)[node]] if node >= 0 else -1
        # The last is of unknown nodes, whose label is -1
        found: NDArray[np.bool_] = np.append(regions == wanted, False)[self.labels]
        return found

    def life_at(self, node: tuple[int, ...], cut: float) -> int | None:
        """Return the life of a node at a cut; None in small regions."""
        regions, nodes = self.merges.cut(cut), self.lives.nodes_at(cut)
        own = np.where(nodes < 0, -1, regions[self.labels.reshape(-1)[nodes]])
        found = np.flatnonzero(own == regions[self.labels[node]])
        return int(found[0]) if len(found) else None


@dataclass(frozen=True, eq=False)
class LifeBorders:
    """The borders that last beyond a cut, by the contrast up to which they do."""

    labels: NDArray[np.int32]  # (*shape)
    pairs: Annotated[Counts, "(E, 2)"]
    ranks: Annotated[NDArray[np.uint8], "(E,)"]  # 0: both are one region at the cut

    @classmethod
    def of(cls, found: "segmentation.regions.Regions", cut: float) -> "LifeBorders":
        """Return the borders of regions by contrast, before all merges, that last beyond a cut."""
        ends = joined_at(found.by_contrast(), found.pairs)
        ranks = np.rint(1 + 254 * share_of_cut(ends)).astype(np.uint8)
        return cls(found.labels, found.pairs, np.where(ends < cut, np.uint8(0), ranks))


def joined_at(merges: "segmentation.merging.Hierarchy", pairs: Counts) -> Floats:
    """Return the height at which the regions of each pair become one, (E,); inf if never."""
    n, n_merges = merges.n_regions, len(merges.merges)
    parents = np.full(n + n_merges, n + n_merges)
    parents[merges.merges] = n + np.arange(n_merges)[:, None]
    parents = np.append(parents, n + n_merges)  # the root of all, beyond the merges
    ends = pairs.copy()
    while (apart := np.flatnonzero(ends[:, 0] != ends[:, 1])).size:
        # A merge comes after what it joins, so that the lesser of two cannot be above the other
        side = ends[apart].argmin(axis=1)
        ends[apart, side] = parents[ends[apart, side]]
    found: Floats = np.append(merges.heights, np.inf)[ends[:, 0] - n]
    return found
