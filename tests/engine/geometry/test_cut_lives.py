"""Lives over the cut, and borders by how long they last, against cuts at every height."""

import numpy as np

from latviz.core import contrast_regions
from latviz.core.segmentation.lives import lives_over_cut
from latviz.engine.geometry.cut_lives import CutLives, LifeBorders, joined_at, share_of_cut
from tests.core.segmentation.test_lives import photograph


def test_borders_last_until_the_cut_that_joins_both_sides() -> None:
    found = contrast_regions(photograph(), least_contrast=0.0)
    merges = found.by_contrast()
    ends = joined_at(merges, found.pairs)
    for cut in (0.0, 0.02, 0.05, 0.1, 0.3):
        regions = merges.cut(cut)
        together = regions[found.pairs[:, 0]] == regions[found.pairs[:, 1]]
        np.testing.assert_array_equal(ends < cut, together)
        borders = LifeBorders.of(found, cut)
        np.testing.assert_array_equal(borders.ranks == 0, together)
    order = np.argsort(ends)
    assert (np.diff(borders.ranks[order].astype(int))[ends[order][1:] >= 0.3] >= 0).all()
    assert share_of_cut(np.array([0.0, 0.03, 0.5, np.inf])).tolist() == [0, 0, 1, 1]


def test_masks_of_lives_are_the_regions_at_a_cut() -> None:
    found = contrast_regions(photograph(), least_contrast=0.0)
    lives = lives_over_cut(found, np.empty((len(found), 0)))
    cuts = CutLives(lives, found.labels, found.by_contrast())
    for cut in (0.02, 0.1):
        for life in np.flatnonzero(lives.nodes_at(cut) >= 0).tolist():
            mask = cuts.mask(life, cut)
            assert mask.mean() == lives.areas_at(cut)[life]
            node = tuple(int(t) for t in np.argwhere(mask)[-1])
            assert cuts.life_at(node, cut) == life
    assert not cuts.mask(int(np.flatnonzero(lives.ends < 0.1)[0]), 0.1).any()
