"""Frames of a turned picture, and of slices in another order, are turned and the same."""

import numpy as np
import pytest
import skimage.data

from latviz.core.data.encoding import Encoding
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.pictures import sample_size as sizes
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.core.test_turned import turns
from tests.products import every_pair

LAB = Parameters(Encoding("lab"), n_states=4, window=7)
QUANTILES = Parameters(Encoding("quantiles", 8), n_states=4, window=3)


def found(pixels, parameters, *, complete=False, apart=False):
    picture = Picture(pixels, "picture", dimensions=2 + apart).sliced(apart)
    request = Request(picture, parameters, complete=complete, needs=frozenset())
    frame = Pipeline().run(request)
    return frame.model, frame.states


@pytest.mark.parametrize(
    ("parameters", "large", "complete"), every_pair([LAB, QUANTILES], [False, True], [False, True])
)
def test_a_photograph(monkeypatch, parameters, large, complete):
    """Large images are learned from fewer signatures first."""
    if large:
        monkeypatch.setattr(sizes, "LARGE", 1 << 14)
    image = skimage.data.coffee()[::3, ::3]
    model, states = found(image, parameters, complete=complete)
    for turn, turn_back in turns(2):
        other, turned = found(turn(image), parameters, complete=complete)
        np.testing.assert_array_equal(other.codebook, model.codebook)
        np.testing.assert_array_equal(turn_back(turned), states)
        np.testing.assert_allclose(other.A, model.A, rtol=1e-12, atol=0)


def test_slices_in_another_order():
    image = skimage.data.coins()
    volume = np.stack([image[k : k + 150, 10 * k : 10 * k + 140] for k in range(9)])
    order = np.random.default_rng(6).permutation(len(volume))
    model, states = found(volume, QUANTILES, apart=True)
    other, permuted = found(volume[order], QUANTILES, apart=True)
    np.testing.assert_array_equal(other.codebook, model.codebook)
    np.testing.assert_array_equal(permuted, states[order])
