"""What separates two regions near a pixel, of pictures whose two sides are known."""

import numpy as np
import pytest

from latviz.core.data.encoding import Encoding
from latviz.engine.frames.border import NEAR, border_near
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.new_frames import new_frame


def frame_of(pixels: np.ndarray, encoding: Encoding, measure: str, **more: object) -> Frame:
    picture = Picture(pixels, "halves", **{"dimensions": min(pixels.ndim, 3), **more})
    needs = frozenset({"regions", *(["relief"] if measure == "contrast" else [])})
    cut = RegionCut(measure=measure, least_contrast=0.3)
    parameters = Parameters(encoding, n_states=2, window=0)
    return new_frame(picture, parameters, needs=needs, region_cut=cut)


def halves(turned: bool = False) -> np.ndarray:
    """Return an image that is dark to the left, or above."""
    pixels = np.full((30, 40), 60, np.uint8)
    pixels[:, 20:] = 190
    return np.ascontiguousarray(pixels.T) if turned else pixels


def test_evidence_is_explained_by_the_shares_of_both_regions() -> None:
    frame = frame_of(halves(), Encoding("levels", 4), "evidence")
    found = border_near(frame, (9, 21))
    assert (found.regions, found.contrast, found.sides) == ((1, 0), None, ("", ""))
    assert found.strength == frame.regions.evidence[0]
    assert found.what in (frame.observations.names[0], frame.observations.names[2])
    assert sorted(found.values) == [0.0, 1.0]
    assert border_near(frame, (9, 20 + NEAR)) is None
    assert border_near(frame, (9, 19 + NEAR)) is not None


def test_of_vectors_the_channel_differs_whose_regions_are_farthest_apart() -> None:
    pixels = np.stack([halves(), halves() // 2, np.full((30, 40), 9, np.uint8)], axis=-1)
    frame = frame_of(pixels, Encoding("rgb"), "evidence", dimensions=2)
    found = border_near(frame, (9, 19))
    assert found.what == frame.observations.names[0]
    assert found.values == pytest.approx((60.0, 190.0))


@pytest.mark.parametrize("turned", [False, True])
def test_contrast_is_explained_by_both_sides(turned: bool) -> None:
    frame = frame_of(halves(turned), Encoding("levels", 4), "contrast")
    node = (19, 9) if turned else (9, 19)
    found = border_near(frame, node)
    assert found.regions == (0, 1)
    assert found.strength == frame.regions.contrasts[0]
    assert found.contrast == pytest.approx(frame.results["relief"].heights[node], abs=2e-3)
    assert found.sides == (("above", "below") if turned else ("left", "right"))
    # L* of 60 is 25, of 190 it is 77: the bin at 29 is that of the dark side, the first
    assert (found.values[0] > 0.5) == (found.what in ("L* 14", "L* 29"))
    assert abs(found.values[0] - found.values[1]) > 0.5


def test_of_a_sequence_sides_are_before_and_after() -> None:
    symbols = np.repeat(np.array([0, 1], np.uint8), 40)
    frame = frame_of(symbols, Encoding("labels"), "contrast", alphabet=("A", "C"))
    found = border_near(frame, (39,))
    assert (found.sides, found.what, found.values) == (("before", "after"), "A", (1.0, 0.0))
