"""Names and colours of states, which follow their slots."""

from dataclasses import replace

import numpy as np
import pytest

from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import EXPORTED, Frame, Request
from latviz.engine.keeping.results import header, summary
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import (
    Appearance,
    Look,
    Looks,
    called,
    known_looks,
    mean_colors,
)
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.engine.settings.parameters import Parameters

LOOKS = Looks(own=(Look(1, "sky"), Look(4, color="#102030")))


def noisy(seed: int = 0) -> Picture:
    rng = np.random.default_rng(seed)
    ground = np.repeat(np.repeat(rng.integers(0, 3, (6, 6)), 12, 0), 12, 1)
    pixels = rng.integers(0, 40, (72, 72, 3)) + 70 * ground[..., None] + [0, 5, 30]
    return Picture(pixels.astype(np.uint8), "noisy")


def test_own_colours_come_before_means_and_these_before_the_palette() -> None:
    means = np.array([[9, 8, 7], [-1, -1, -1], [1, 2, 3]])
    appearance = Appearance.of(LOOKS, (1, 2, 4), means)
    wanted = [[9, 8, 7], SLOT_COLORS[2].tolist(), [16, 32, 48]]
    assert appearance.colors((1, 2, 4)).tolist() == wanted
    assert appearance.colors((4, 0)).tolist() == [[16, 32, 48], SLOT_COLORS[0].tolist()]
    assert appearance.names((0, 1, 4)) == ("", "sky", "")
    assert (called(3), called(3, "sky")) == ("state 3", "state 3 (sky)")


def test_a_look_is_changed_and_taken_away() -> None:
    named = LOOKS.changed(4, name="sea").changed(0, name="sand")
    assert named.own == (Look(0, "sand"), Look(1, "sky"), Look(4, "sea", "#102030"))
    assert named.changed(1, name="").own == (Look(0, "sand"), Look(4, "sea", "#102030"))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Look(256),
        lambda: Look(0, "x" * 41),
        lambda: Look(0, "two\nlines"),
        lambda: Look(0, color="red"),
        lambda: Looks(own=(Look(2), Look(1))),
    ],
)
def test_what_cannot_be_is_refused(make: object) -> None:
    with pytest.raises(ParameterError):
        make()


@pytest.mark.parametrize("side", [1, 4])
def test_means_are_those_of_the_pixels(side: int) -> None:
    rng, picture = np.random.default_rng(3), noisy()
    seen = picture.pixels[side // 2 :: side, side // 2 :: side]
    states = rng.integers(0, 4, seen.shape[:2]).astype(np.uint8)
    means = mean_colors(picture, states, 5, side)
    for state in range(4):
        np.testing.assert_array_equal(means[state], np.rint(seen[states == state].mean(axis=0)))
    assert means[4].tolist() == [-1, -1, -1]


def test_names_keep_to_their_states_while_n_and_w_move() -> None:
    picture, pipeline = noisy(), Pipeline()
    parameters = Parameters(Encoding("grey"), n_states=3, window=1)

    def frame_of(looks: Looks, before: Frame | None = None, **changes: int):
        changed, follows = replace(parameters, **changes), before and before.to_follow()
        return pipeline.run(Request(picture, changed, needs=EXPORTED, looks=looks, follows=follows))

    frame = first = frame_of(Looks())
    bright = first.slots[int(first.codebook[:, 0].argmax())]
    looks = Looks(True, (Look(bright, "bright"),))
    for changes in ({}, {"n_states": 5}, {"window": 3}, {"window": 2, "n_states": 4}, {}):
        frame = frame_of(looks, frame, **changes)
        looks = frame.request.looks  # names move with their states
        state = frame.names.index("bright")
        assert state == int(frame.codebook[:, 0].argmax())
        shown = picture.pixels[frame.states == state].mean(axis=0)
        np.testing.assert_array_equal(frame.colors[state], np.rint(shown))
    assert header(frame)["extra"]["state_names"] == list(frame.names)
    assert summary(frame)["state_names"] == list(frame.names)


def test_states_take_the_colours_of_known_states_and_no_two_take_one() -> None:
    colors, names = ("#d55e00", "#000000", "#0072b2"), ("a", "b", "c")
    looks = {look.slot: look for look in known_looks((4, 1, 9), (0, 1, 2, 4), names, colors)}
    assert [(looks[k].name, looks[k].color) for k in (4, 1)] == [("a", "#d55e00"), ("b", "#000000")]
    shown = [looks[k].color for k in (0, 1, 2, 4)]
    assert len({*shown, ""}) == 5
    assert known_looks((4, 1), (1, 4), names[:2], ()) == (Look(4, "a"), Look(1, "b"))
