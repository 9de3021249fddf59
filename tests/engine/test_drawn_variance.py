"""The plane of the signature space, and the variance that it shows, are of what is drawn."""

import numpy as np
import pytest
from skimage import data

from latviz.core.data.encoding import Encoding
from latviz.engine.frame import Request
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture, PictureSet
from latviz.engine.pipeline import Pipeline
from latviz.engine.projection import Projection
from tests import naive

CAMERA = np.ascontiguousarray(data.camera()[100:180, 200:290])
M = 6


def shares(symbols: np.ndarray, window: int) -> tuple[float, float]:
    """Return the shares of the variance of all signatures in two directions, by plain loops.

    They are those of most variance, and those of a regular polygon of M corners.
    """
    signatures = np.array(naive.signature_discrete(symbols, window, M)).reshape(-1, M)
    centred = signatures - signatures.mean(axis=0)
    variances = np.linalg.eigvalsh(centred.T @ centred)
    angles = 2 * np.pi * np.arange(M) / M
    polygon = np.stack([np.cos(angles), np.sin(angles)]) / np.sqrt(M / 2)
    along = ((centred @ polygon.T) ** 2).sum()
    return variances[-2:].sum() / variances.sum(), along / variances.sum()


@pytest.mark.parametrize(("window", "learning"), [(1, 8), (8, 1), (3, None)])
def test_the_stated_variance_is_that_of_the_drawn_signatures(
    window: int, learning: int | None
) -> None:
    parameters = Parameters(
        Encoding("quantiles", M), n_states=4, window=window, learning_window=learning
    )
    frames = [
        Pipeline().run(Request(0, Picture(CAMERA, "camera"), parameters, Projection(kind)))
        for kind in ("principal", "polygon")
    ]
    symbols = frames[0].observations.values
    for frame, share in zip(frames, shares(symbols, window), strict=True):
        assert frame.space is not None
        np.testing.assert_allclose(frame.space.variance_kept, share, rtol=0.0, atol=0.015)
    other = shares(symbols, learning or window)
    apart = abs(other[0] - shares(symbols, window)[0])
    assert learning is None or apart > 0.03  # else this could not fail


def test_of_several_pictures_it_is_that_of_the_shown_one() -> None:
    flat = np.where(CAMERA > 100, 200, 20).astype(np.uint8)
    members = Picture(CAMERA, "camera"), Picture(flat, "two levels")
    parameters = Parameters(Encoding("levels", M), n_states=4, window=3)
    for k in (0, 1):
        frame = Pipeline().run(
            Request(0, PictureSet(members, k), parameters, Projection("principal"))
        )
        assert frame.space is not None
        share = shares(frame.observations.values, 3)[0]
        np.testing.assert_allclose(frame.space.variance_kept, share, rtol=0.0, atol=0.015)
