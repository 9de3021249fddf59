"""Means of channels are in the picture's own units, or those of CIELAB, wherever they are read."""

import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import color, data

from latviz.app.views.emissions import spec as emissions
from latviz.app.views.emissions.rows import Channels, channel_tip
from latviz.app.views.pixel import spec as pixel
from latviz.app.views.pixel.words import observed_text, signature_text
from latviz.app.views.space.view import describe_state
from latviz.app.widgets import accessible_text
from latviz.core import digits
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.frames.region_table import region_table
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.new_frames import new_frame

SHOWN = np.ascontiguousarray(data.astronaut()[60:100, 180:230])
GREY = np.ascontiguousarray(data.camera()[:30, :40]).astype(np.uint16) * 200 + 7


def frame_of(pixels: NDArray[np.generic], encoding: Encoding) -> Frame:
    parameters = Parameters(encoding, n_states=3, window=1)
    needs = frozenset({"regions"})
    return new_frame(Picture(pixels, "test"), parameters, needs=needs)


@pytest.mark.parametrize(
    ("pixels", "encoding", "seen", "by_spread"),
    [
        (SHOWN, Encoding("lab"), color.rgb2lab(SHOWN), True),
        (SHOWN, Encoding("lab", scaled=False), color.rgb2lab(SHOWN), False),
        (SHOWN, Encoding("rgb", scaled=True), SHOWN, True),
        (GREY, Encoding("grey"), GREY[..., None], False),
    ],
    ids=["lab", "lab as it is", "rgb by spread", "grey of 16 bits"],
)
def test_means_are_of_the_pixels_that_people_know(pixels, encoding, seen, by_spread) -> None:
    frame, seen = frame_of(pixels, encoding), np.asarray(seen, dtype=np.float64)
    # Regions: the mean over their pixels
    names, rows = region_table(frame)
    means = np.array([row[-seen.shape[-1] :] for row in rows], dtype=np.float64)
    for k, found in enumerate(means):
        inside = seen[frame.regions.labels == k].mean(axis=0)
        np.testing.assert_allclose(found, inside, rtol=1e-3, atol=0.02)
    assert names[-seen.shape[-1] :] == list(frame.observations.names)
    # A pixel: what it has, and the mean over its window
    found_pixel = inspect(frame, (10, 20))
    window = seen[9:12, 19:22].reshape(9, -1).mean(axis=0)
    _, row = pixel.table_rows(frame, [found_pixel])
    np.testing.assert_allclose(row[-len(window) :], window, rtol=1e-3, atol=0.02)
    for text, wanted in (
        (observed_text(frame, found_pixel), seen[10, 20]),
        (signature_text(frame, found_pixel), window),
    ):
        written = [float(part.replace("−", "-").replace(",", "")) for part in text.split(", ")]
        np.testing.assert_allclose(written, wanted, rtol=6e-3, atol=0.06)
    # States: the model's means times the spread over all pixels
    scales = seen.std(axis=(0, 1)) if by_spread else 1.0
    own = np.asarray(frame.model.means) * scales
    table = np.array([row[1:] for row in emissions.table_rows(frame)[1:]], dtype=np.float64)
    np.testing.assert_allclose(table[:, : own.shape[1]], own, rtol=1e-3, atol=0.02)
    deviations = np.sqrt([np.diag(each) for each in frame.model.covariances]) * scales
    np.testing.assert_allclose(table[:, own.shape[1] :], deviations, rtol=1e-3, atol=0.02)
    first = digits.measure(table[0, 0])
    assert f"mean {first}" in channel_tip(frame, 0, 0)
    assert f"{names[-own.shape[1]]} {first}" in describe_state(frame, 0)
    assert f"means {first}" in accessible_text.emissions(frame)
    assert Channels.of(frame).means[0, 0] == table[0, 0]
