"""One name, one value: the trade-off holds the values of the frame of an N and w.

Each kind of demo, and some photographs of scikit-image and scikit-learn, each at four N and w.
`LATVIZ_FULL=1` takes all of both, at ten, `LATVIZ_WHOLE=1` whole pictures, not their middles.
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
from latviz.engine.choosing.tradeoff import shrunk
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.settings.parameters import Parameters
from tests.engine.choosing.test_sweeping import demo_of, filled, middle
from tests.engine.frames import test_second_window as two_windows
from tests.engine.pictures import test_picture_sets as sets
from tests.products import FULL

GREY = (
    *("brick", "shepp_logan_phantom", "cell", "page", "coins", "microaneurysms"),
    *("camera", "clock", "grass", "gravel", "moon", "text"),
)
COLOUR = (
    *("astronaut", "logo", "china.jpg", "colorwheel", "hubble_deep_field", "retina"),
    *("cat", "coffee", "immunohistochemistry", "rocket", "flower.jpg"),
)
PLACES = [(4, 7), (1, 3), (2, 0), (3, 12), (4, 20), (5, 1), (6, 9), (7, 4), (8, 2), (4, 6)]
PLACES = PLACES if FULL else PLACES[:4]
"""The first is on screen."""
ALIKE = ("figure2", "figures")
"""Demos that have the encoding, N and w of ``figure1``."""
SOME = 2500
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
    demo, parameters = demo_of(name)
    return demo if "LATVIZ_WHOLE" in os.environ else middle(demo, SOME), parameters


def check(pictures: Picture | PictureSet, parameters: Parameters) -> None:
    pipeline, needs = Pipeline(), {"inertia", "code_lengths"}
    needs |= {"truth"} if as_set(pictures).picture.truth is not None else set()

    def frame_of(n: int, w: int) -> Frame:
        set_so = replace(parameters, n_states=n, window=w)
        return pipeline.run(Request(pictures, set_so, complete=True, needs=frozenset(needs)))

    found = filled(Sweeping(), frame_of(*PLACES[0]))
    assert found.exact
    for n, w in PLACES:
        frame, setting = frame_of(n, w), found.settings[n, w]
        same = {
            "associativity": frame.associativity,
            "inertia": frame.inertia,
            "code_length": frame.code_lengths.states.bits,
            "accuracy": frame.truth and frame.truth.accuracy,
            "rand": frame.truth and frame.truth.rand,
        }
        for name, value in same.items():
            wanted = None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)
            assert getattr(setting, name) == wanted, (name, n, w)
        plane = found.scope.section.plane(np.array(frame.slots)[frame.states])
        np.testing.assert_array_equal(found.maps[n, w], shrunk(plane, found.step))
        if (n, w - 1) in found.settings and parameters.second_window is None:
            before = frame_of(n, w - 1)
            assert setting.changed == pytest.approx((frame.states != before.states).mean())


def cases() -> Iterator[tuple[str, str]]:
    """A photograph in each encoding, or with ``LATVIZ_FULL=1`` each of them in all."""
    for names, encodings in (
        (GREY, ("quantiles", "grey", "texture")),
        (COLOUR, ("lab", "quantiles", "rgb")),
    ):
        for k, name in enumerate(names):
            if FULL or k < len(encodings):
                own = encodings if FULL else [encodings[k % len(encodings)]]
                yield from ((name, encoding) for encoding in own)


@pytest.mark.parametrize(("name", "encoding"), list(cases()))
def test_photographs(name: str, encoding: str) -> None:
    given = Encoding(encoding, 8) if encoding == "quantiles" else Encoding(encoding)
    check(photograph(name), Parameters(given, learning_window=5))


@pytest.mark.parametrize("name", [name for name in DEMO_TITLES if FULL or name not in ALIKE])
def test_demos(name: str) -> None:
    check(*part_of_demo(name))


@pytest.mark.parametrize(("smoothing", "w_l"), [(0.5, 0), (10.0, 7)])
def test_with_pseudo_counts_and_other_codebooks(smoothing: float, w_l: int) -> None:
    picture, parameters = part_of_demo("blobs")
    check(picture, replace(parameters, learning_window=w_l, smoothing=smoothing))


@pytest.mark.parametrize("case", ["records", "rgb", "volumes"])
def test_one_of_several_pictures(case: str) -> None:
    """A is counted over all pictures, and the rest is of the shown one."""
    members, parameters = sets.CASES[case]
    check(PictureSet(members, 1), replace(parameters, learning_window=2))


@pytest.mark.parametrize("case", two_windows.CASES)
def test_a_second_window(case: str) -> None:
    check(*two_windows.CASES[case])
