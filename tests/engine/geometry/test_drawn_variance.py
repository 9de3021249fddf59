"""The plane of the signature space, and its share of the variance, are those of the drawing."""

import numpy as np
import pytest
from skimage import data

from latviz.core.data.encoding import Encoding
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.geometry.signature_space import Projection, ProjectionKind
from latviz.engine.pictures.picture import Picture, Pictures
from latviz.engine.settings.parameters import Parameters
from tests import naive

CAMERA = np.ascontiguousarray(data.camera()[100:180, 200:290])
M = 6


def asked(pictures: Pictures, parameters: Parameters, kind: ProjectionKind | None) -> Request:
    return Request(pictures, parameters, projection=Projection(kind), needs=frozenset({"space"}))


def shares(lattices: list[np.ndarray], window: int) -> tuple[float, float]:
    """Return the shares of the variance of all signatures in two directions, by plain loops.

    They are those of most variance, and those of a regular polygon of M corners.
    """
    found = [np.array(naive.signature_discrete(each, window, M)) for each in lattices]
    signatures = np.concatenate([each.reshape(-1, M) for each in found])
    centred = signatures - signatures.mean(axis=0)
    variances = np.linalg.eigvalsh(centred.T @ centred)
    angles = 2 * np.pi * np.arange(M) / M
    polygon = np.stack([np.cos(angles), np.sin(angles)]) / np.sqrt(M / 2)
    along = ((centred @ polygon.T) ** 2).sum()
    return variances[-2:].sum() / variances.sum(), along / variances.sum()


@pytest.mark.parametrize(("window", "learning"), [(1, 8), (8, 1), (3, None)])
def test_the_stated_variance_is_that_of_the_drawn_signatures(window, learning) -> None:
    parameters = Parameters(
        Encoding("quantiles", M), n_states=4, window=window, learning_window=learning
    )
    frames = [
        Pipeline().run(asked(Picture(CAMERA, "camera"), parameters, kind))
        for kind in ("principal", "polygon")
    ]
    symbols = frames[0].observations.values
    for frame, share in zip(frames, shares([symbols], window), strict=True):
        np.testing.assert_allclose(frame.space.variance_kept, share, rtol=0.0, atol=0.015)
    other = shares([symbols], learning or window)
    apart = abs(other[0] - shares([symbols], window)[0])
    assert learning is None or apart > 0.03  # else this could not fail
