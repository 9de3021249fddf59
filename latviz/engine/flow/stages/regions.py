"""From states or contrasts to regions: components or basins, merged regions, their colours."""

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.data_set import DataSet
from latviz.core.data.observations import Observations
from latviz.core.progress import Progress
from latviz.core.segmentation.contrast import contrast_regions_of
from latviz.core.segmentation.regions import Regions, regions_of
from latviz.core.segmentation.relief import Relief, relief_of
from latviz.core.types import States
from latviz.engine.flow.stages.flow import flow
from latviz.engine.frames import region_table
from latviz.engine.frames.region_table import Listed
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.pictures.picture import Picture


@flow.bulky
def components(
    states: States, shown_observations: Observations, shown_data: DataSet, watch: Progress
) -> Regions:
    """Find the connected components of the states."""
    seen = shown_observations
    dimensions = shown_data.dimensions
    return regions_of(states, seen.values, seen.discrete, seen.n_symbols, dimensions, watch)


@flow.bulky
def relief(picture: Picture, watch: Progress) -> Relief:
    """Compute the contrasts at pixels, and their basins."""
    axes, own = picture.dimensions, picture.lattice_dimensions
    return relief_of(picture.contrasted, axes, own, picture.alphabet, watch, picture.known)


@flow.bulky
def basins(
    relief: Relief,
    states: States,
    shown_observations: Observations,
    shown_data: DataSet,
    watch: Progress,
) -> Regions:
    """Describe the basins as regions."""
    seen = shown_observations
    given = seen.values, seen.discrete, seen.n_symbols, shown_data.dimensions
    return contrast_regions_of(relief, states, *given, watch)


@flow.either
def first_regions(region_cut: RegionCut) -> str:
    """Choose what is merged: components of the states, or basins."""
    return "basins" if region_cut.measure == "contrast" else "components"


@flow.bulky
def regions(first_regions: Regions, region_cut: RegionCut, watch: Progress) -> Regions:
    """Merge small regions, and those between which there is little evidence or contrast."""
    return first_regions.merged(**region_cut.limits, progress=watch)


@flow.bulky
def region_colors(regions: Regions, picture: Picture) -> NDArray[np.uint8]:
    """Return the mean colour of each region, shape (R, 3)."""
    return region_table.mean_colors(regions, picture)


@flow.bulky
def listed_regions(regions: Regions, region_colors: NDArray[np.uint8]) -> Listed:
    """List the largest regions."""
    return region_table.listed(regions, region_colors, region_table.MOST_LISTED)


@flow.bulky
def border_ranks(regions: Regions) -> NDArray[np.uint8]:
    """Rank the borders of regions by their strengths, shape (E,)."""
    return region_table.border_ranks(regions)


@flow.bulky
def painted_regions(regions: Regions, region_colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Give each node the colour of its region, shape (*shape, 3)."""
    return region_colors[regions.labels]
