"""Small fields of known states, pictures of scikit-image, and walks along the advice on them."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage import data

from latviz.core import emit, sample_blobs
from latviz.core.data.encoding import Encoding
from latviz.engine.advice.advice import Advice
from latviz.engine.advice.trying import Trying
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.listener import Watch
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters

SIDE = 72
NEVER = Watch(lambda: False)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@cache
def states() -> NDArray[np.uint8]:
    """Two states in smooth regions, with values 0 and 1."""
    return np.asarray(sample_blobs((SIDE, SIDE), n_states=2, scale=8.0, random_state=1), np.uint8)


def seen(spread: float = 0.4, light: NDArray[np.float64] | float = 0.0) -> NDArray[np.float32]:
    """The states under normal noise, and more light in places."""
    return np.float32(states() + spread * rng().normal(size=(SIDE, SIDE)) + light)


def correlated(reach: float) -> NDArray[np.float32]:
    """The states under noise whose neighbours are alike, as far as they are near."""
    smooth = ndimage.gaussian_filter(rng().normal(size=(SIDE, SIDE)), reach)
    return np.float32(states() + 0.4 * smooth / smooth.std())


def coloured(light: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The states as two colours under noise, and light in places."""
    rgb = np.array([[0.9, 0.2, 0.4], [0.3, 0.9, 0.3]])[states()] + light[..., None]
    rgb += 0.45 * rng().normal(size=(SIDE, SIDE, 3))
    return np.clip(90 + 60 * rgb, 0, 255).astype(np.uint8)


def halves() -> NDArray[np.uint8]:
    """Alike neighbours on the left, unlike ones on the right; a fifth of the labels are wrong."""
    side = np.arange(SIDE)
    board = np.add.outer(side, side) % 2
    truth = np.where(side < SIDE // 2, states(), board)
    return np.asarray(truth ^ (rng().random((SIDE, SIDE)) < 0.2), np.uint8)


def chequered() -> NDArray[np.uint8]:
    """Two symbols by turns along both axes, one in ten wrong: all windows have the same shares."""
    even = np.indices((SIDE, SIDE)).sum(axis=0) % 2
    return np.asarray(even ^ (rng().random((SIDE, SIDE)) < 0.1), np.uint8)


def on_two_scales() -> NDArray[np.uint8]:
    """Small regions of two kinds in each half: four kinds, each with its own common symbol."""
    pairs = 2 * (np.indices((SIDE, SIDE))[1] > SIDE // 2)
    pairs = pairs + sample_blobs((SIDE, SIDE), n_states=2, scale=2.0, random_state=2)
    return emit(
        pairs,
        emission=np.array([[12, 4, 2, 2], [2, 12, 4, 2], [2, 2, 12, 4], [4, 2, 2, 12]]) / 20,
        random_state=3,
    )


Y, X = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]

MAKERS: dict[str, Callable[[], NDArray[Any]]] = {
    "normal noise": lambda: rng().normal(size=(64, 64)).astype(np.float32),
    "exponential noise": lambda: rng().exponential(size=(64, 64)).astype(np.float32),
    "bytes of noise": lambda: rng().integers(0, 256, (64, 64)).astype(np.uint8),
    "chequerboard": chequered,
    "wide noise": lambda: seen(1.0),
    "uneven": lambda: seen(light=0.9 * (0.8 * X + 0.6 * Y)),
    "uneven colours": lambda: coloured(0.9 * (0.8 * X + 0.6 * Y)),
    "shaded": lambda: seen(light=0.25 * np.sin(14 * X) * states()),  # too fast to be levelled
    "blurred": lambda: np.float32(
        ndimage.gaussian_filter(states().astype(float), 1.5) + 0.2 * rng().normal(size=(SIDE, SIDE))
    ),
    "alike": lambda: correlated(1.0),
    "dependent": lambda: correlated(3.0),
    "colour photograph": lambda: data.astronaut()[:128, 160:288].copy(),
    "grey photograph": lambda: data.camera()[100:228, 180:308].copy(),
    "halves": halves,
    "two scales": on_two_scales,
    "few": lambda: seen()[:19, :21],
    "flat": lambda: np.full((64, 64), 7, np.uint8),
}


class Case:
    """A picture, what was tried for it, and the frames of settings."""

    def __init__(self, pixels: NDArray[Any]) -> None:
        self.picture = Picture(pixels, "test")
        self.trying = Trying(Sweeping())
        self._pipeline = Pipeline()

    def frame(self, parameters: Parameters, **asked: Any) -> Frame:
        return self._pipeline.run(Request(self.picture, parameters, complete=True, **asked))

    def final(self, frame: Frame) -> Advice:
        return self.trying.final(frame, NEVER)

    def advice(self, parameters: Parameters, **asked: Any) -> Advice:
        return self.final(self.frame(parameters, **asked))

    def walk(self, parameters: Parameters, most: int = 6) -> list[tuple[Parameters, Advice]]:
        """Return the settings and the advice, each offer taken, until there is none."""
        found, asked = list[tuple[Parameters, Advice]](), dict[str, Any]()
        while len(found) < most:
            advice = self.advice(parameters, **asked)
            found.append((parameters, advice))
            if advice.offer is None:
                break
            parameters = advice.offer.after
            if advice.offer.outlines:
                asked = {"region_cut": RegionCut(measure="contrast")}
        return found


@cache
def case_of(name: str) -> Case:
    """Return the case of one of `MAKERS`; its tries are shared."""
    return Case(MAKERS[name]())


def with_grey(**changes: Any) -> Parameters:
    """Return settings on grey values; by default N = 2 and w = 3."""
    usual = Parameters(Encoding("grey"), n_states=2, window=3, learning_window=3)
    return replace(usual, **changes)
