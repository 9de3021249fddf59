"""Several pictures: one model is learned from all, and the one that is shown is decoded."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from skimage import data

from latviz.core.data.encoding import Encoding
from latviz.core.truth.emission import emit
from latviz.core.truth.geometry import sample_blobs
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.listener import Listener, Watch
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.parameters import Parameters
from tests.new_frames import new_frame

LETTERS = tuple("ACGT")
NEEDS = frozenset({"evaluation", "inertia", "space", "node_map"})
B = np.array([[0.7, 0.1, 0.1, 0.1], [0.1, 0.7, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6]])


def records(*lengths: int) -> tuple[Picture, ...]:
    return tuple(
        Picture(
            emit(
                sample_blobs((n,), n_states=3, scale=9.0, random_state=k),
                emission=B,
                random_state=k,
            ),
            f"record {k}",
            dimensions=1,
            alphabet=LETTERS,
        )
        for k, n in enumerate(lengths)
    )


def photographs(colour: bool = False) -> tuple[Picture, ...]:
    astronaut, coins = data.astronaut(), data.coins()
    if colour:
        parts = astronaut[:60, :50], astronaut[200:241, 100:190], astronaut[300:333, 310:350]
    else:
        parts = coins[:60, :50], coins[100:141, 100:190], coins[200:233, 210:250]
    return tuple(Picture(part.copy(), f"part {k}") for k, part in enumerate(parts))


def framed(members: tuple[Picture, ...], shown: int, parameters: Parameters, **more: Any) -> Frame:
    asked = {"complete": True, "needs": NEEDS, **more}
    return new_frame(PictureSet(members, shown), parameters, **asked)


OURS = frozenset(
    {
        *("inertia", "evaluation", "noise", "code_lengths", "residual_correlation"),
        *("law_distance", "space", "node_map", "dendrogram", "cuts"),
    }
)


def test_showing_another_one_learns_nothing_anew() -> None:
    pipeline, parameters = Pipeline(), Parameters(Encoding("quantiles", 4), n_states=3, window=2)
    both = PictureSet(photographs())
    first = pipeline.run(Request(both, parameters, needs=OURS))
    second = pipeline.run(Request(both.showing(2), parameters, needs=OURS, number=2))
    assert second.timings.keys() == {
        "window lengths",
        "density",
        "decoded occupancy",
        "inertia",
        "map of likelihood",
        "one state length",
        "plain evaluation",
        "residuals",
        "law distance",
        "space",
    }
    assert second.model is first.model
    assert second.slots == first.slots
    alone = pipeline.run(Request(both.members[2], parameters, needs=OURS, number=3))
    assert "complete tree" in alone.timings  # another data set


def test_a_sample_is_drawn_from_all() -> None:
    members = records(*[300] * 40)
    parameters = Parameters(Encoding("labels"), n_states=3, window=4)
    asked = Request(PictureSet(members, 3), parameters, sample=1000)
    frame = Pipeline().run(asked)
    assert frame.n_signatures == 12000
    assert frame.n_learned == pytest.approx(1000, rel=0.1)
    fractions: list[float] = []
    listener = Listener(report=fractions.append)
    complete = Pipeline().run(replace(asked, complete=True), listener)
    assert complete.n_learned == 12000
    assert fractions


def test_the_trade_off_looks_at_as_many_pictures_as_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    members = records(400, 150, 300, 200)
    parameters = Parameters(Encoding("labels"), n_states=2, window=3)
    monkeypatch.setattr("latviz.engine.frames.section.MOST", 900)
    found = Sweeping().next(framed(members, 2, parameters), Watch(lambda: False))
    assert found.scope.others == (3, 0)  # the next ones; the last would be too much
    assert not found.exact
    assert not found.maps


@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])
def test_copies_are_read_only_and_hold_no_more(copied: Callable[[Picture], Picture]) -> None:
    """Results that are computed later for a picture do not go to other processes."""
    pixels = np.arange(12, dtype=np.uint16).reshape(3, 4)
    one = Picture(pixels, "name", origin={"demo": "x"})
    assert one.shown.size == 12
    other = copied(one)
    np.testing.assert_array_equal(other.pixels, pixels)
    assert not other.pixels.flags.writeable
    assert (other.name, other.origin, other.shape) == (one.name, one.origin, one.shape)
    assert "shown" in vars(one)
    assert "shown" not in vars(other)
    assert other != one  # pictures are compared by identity
