"""One name, one value: the trade-off holds what the frame of an N and w would show.

All demos, and the photographs that come with scikit-image and scikit-learn, each at ten N and w.
`LATVIZ_WHOLE=1` takes whole pictures, not their middles.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import skimage.data
from numpy.typing import NDArray
from sklearn.datasets import load_sample_image

from latviz.core.data.encoding import Encoding
from latviz.core.data.lattice import middle_of
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.choosing.tradeoff import TradeOff, shrunk
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.listener import Watch
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture
from tests.products import FULL

GREY = (
    *("brick", "camera", "cell", "clock", "coins", "grass", "gravel", "microaneurysms", "moon"),
    *("page", "shepp_logan_phantom", "text"),
)
COLOUR = (
    *("astronaut", "cat", "coffee", "colorwheel", "hubble_deep_field", "immunohistochemistry"),
    *("logo", "retina", "rocket", "china.jpg", "flower.jpg"),
)
PLACES = [(4, 7), (1, 3), (2, 0), (3, 12), (4, 20), (5, 1), (6, 9), (7, 4), (8, 2), (4, 6)]
"""The first is on screen."""
SOME = 3600
"""Nodes of a part."""


@cache
def pixels_of(name: str) -> NDArray[Any]:
    loaded = load_sample_image(name) if "." in name else getattr(skimage.data, name)()
    found = np.asarray(loaded)[..., :3] if np.ndim(loaded) == 3 else np.asarray(loaded)
    if "LATVIZ_WHOLE" not in os.environ:
        found = found[middle_of(found.shape[:2], SOME)]
    return np.ascontiguousarray(found)


def photograph(name: str) -> Picture:
    return Picture(pixels_of(name), name)


def part_of_demo(name: str) -> tuple[Picture, Parameters]:
    """Return the middle of a demo, with what is known of it."""
    demo, parameters = make_picture(name)
    region = middle_of(demo.shape, SOME if "LATVIZ_WHOLE" not in os.environ else demo.n_nodes)

    def part(array: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if array is None else np.ascontiguousarray(array[region])

    pixels = part(demo.pixels)
    assert pixels is not None
    picture = Picture(
        pixels,
        name,
        part(demo.labels),
        truth=part(demo.truth),
        dimensions=demo.dimensions,
        alphabet=demo.alphabet,
    )
    return picture, parameters


class Seen:
    """Frames of a picture, as a hand that sets N and w would see them, and their trade-off."""

    def __init__(self, picture: Picture, parameters: Parameters) -> None:
        self.picture, self.parameters = picture, parameters
        self.pipeline = Pipeline()

    def frame(self, n: int, w: int) -> Frame:
        needs = {"inertia", "code_lengths"} | (
            {"truth"} if self.picture.truth is not None else set()
        )
        parameters = replace(self.parameters, n_states=n, window=w)
        request = Request(1, self.picture, parameters, complete=True, needs=frozenset(needs))
        return self.pipeline.run(request)

    def trade_off(self, frame: Frame) -> TradeOff:
        sweeping, found = Sweeping(), None
        while (more := sweeping.next(frame, Watch(lambda: False))) is not None:
            found = more
        assert found is not None
        return found


def check(picture: Picture, parameters: Parameters) -> None:
    seen = Seen(picture, parameters)
    found = seen.trade_off(seen.frame(*PLACES[0]))
    assert found.exact
    for n, w in PLACES:
        frame, setting = seen.frame(n, w), found.settings[n, w]
        lengths = frame.code_lengths
        assert lengths is not None
        same = {
            "associativity": frame.associativity,
            "inertia": frame.inertia,
            "code_length": lengths.states.bits,
            "accuracy": frame.truth and frame.truth.accuracy,
            "rand": frame.truth and frame.truth.rand,
        }
        for name, value in same.items():
            wanted = None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)
            assert getattr(setting, name) == wanted, (name, n, w)
        plane = found.scope.section.plane(np.array(frame.slots)[frame.states])
        np.testing.assert_array_equal(found.maps[n, w], shrunk(plane, found.step))
        if (n, w - 1) in found.settings:
            before = seen.frame(n, w - 1)
            assert setting.changed == pytest.approx((frame.states != before.states).mean())


def cases() -> Iterator[tuple[str, str]]:
    """Each photograph in an encoding in turn, or with ``LATVIZ_FULL=1`` in all."""
    for names, encodings in (
        (GREY, ("quantiles", "grey", "texture")),
        (COLOUR, ("lab", "quantiles", "rgb")),
    ):
        for k, name in enumerate(names):
            own = encodings if FULL else [encodings[k % len(encodings)]]
            yield from ((name, encoding) for encoding in own)


@pytest.mark.parametrize(("name", "encoding"), list(cases()))
def test_photographs(name: str, encoding: str) -> None:
    given = Encoding(encoding, 8) if encoding == "quantiles" else Encoding(encoding)  # type: ignore[arg-type]
    check(photograph(name), Parameters(given, learning_window=5))


@pytest.mark.parametrize("name", list(DEMO_TITLES))
def test_demos(name: str) -> None:
    check(*part_of_demo(name))


@pytest.mark.parametrize("smoothing", [0.5, 10.0])
@pytest.mark.parametrize("w_l", [0, 7])
def test_with_pseudo_counts_and_other_codebooks(smoothing: float, w_l: int) -> None:
    picture, parameters = part_of_demo("blobs")
    check(picture, replace(parameters, learning_window=w_l, smoothing=smoothing))
