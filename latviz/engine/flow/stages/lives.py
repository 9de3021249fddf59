"""Lives of regions over the cut of contrast, which depend on no states."""

from latviz.core.progress import Progress
from latviz.core.segmentation.contrast import contrast_regions_of
from latviz.core.segmentation.lives import lives_over_cut
from latviz.core.segmentation.regions import Regions
from latviz.core.segmentation.relief import Relief
from latviz.engine.flow.stages.flow import flow
from latviz.engine.frames import region_table
from latviz.engine.geometry.cut_lives import CutLives, LifeBorders
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.pictures.picture import Picture


@flow.bulky
def plain_basins(relief: Relief, picture: Picture, watch: Progress) -> Regions:
    """Describe the basins by the picture alone, so that they stay while N and w move."""
    values, dimensions = picture.pixels.reshape(*picture.shape, -1), picture.lattice_dimensions
    return contrast_regions_of(relief, None, values, False, values.shape[-1], dimensions, watch)


@flow.bulky
def cut_lives(plain_basins: Regions, picture: Picture, watch: Progress) -> CutLives:
    """Find the lives of regions as the cut of contrast grows, and their mean colours."""
    found = lives_over_cut(plain_basins, region_table.mean_colors(plain_basins, picture), watch)
    return CutLives(found, plain_basins.labels, plain_basins.by_contrast(progress=watch))


@flow.bulky
def life_borders(plain_basins: Regions, region_cut: RegionCut) -> LifeBorders:
    """Rank the borders that last beyond the cut by the contrast up to which they do."""
    return LifeBorders.of(plain_basins, region_cut.least_contrast)
