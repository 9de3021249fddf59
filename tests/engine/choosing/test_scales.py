"""Windows with the codebook on screen: each map is the frame's, and a scale is chosen."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from latviz.core.choice.scales import Plateau, RegionCounts
from latviz.core.data.encoding import Encoding
from latviz.core.progress import Cancelled
from latviz.core.segmentation.lives import Following
from latviz.engine.choosing import scaling
from latviz.engine.choosing.scales import (
    Held,
    Scales,
    ladder,
    over_cuts,
    over_windows,
    scale_choice,
)
from latviz.engine.choosing.scaling import Scaling
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.engine.choosing.test_sweeping import Counting, demo_of, filled, picture

LABELS = Parameters(Encoding("labels"), n_states=3, window=2, learning_window=3)


@cache
def kinds() -> dict[str, tuple[Picture, Parameters]]:
    volume, symbols = demo_of("volume")
    small = Picture(np.ascontiguousarray(volume.pixels[:9, :20, :24]), "small", dimensions=3)
    grey = Parameters(Encoding("grey"), n_states=3, window=1, learning_window=2)
    sequence, letters = demo_of("protein")
    return {
        "symbols": (picture((40, 61)), LABELS),
        "grey": (picture((40, 61)), grey),
        "volume": (small, replace(grey, encoding=symbols.encoding)),
        "slices apart": (small.sliced(True), grey),
        "sequence": (sequence, replace(letters, learning_window=4)),
    }


def frame_of(shown: Picture, parameters: Parameters, pipeline: Pipeline | None = None) -> Frame:
    return (pipeline or Pipeline()).run(Request(shown, parameters, needs=frozenset()))


@pytest.mark.parametrize("kind", kinds())
def test_every_map_is_the_one_that_a_frame_shows_at_its_window(kind: str) -> None:
    shown, parameters = kinds()[kind]
    pipeline = Pipeline()
    found = filled(Scaling(), frame_of(shown, parameters))
    assert [one.window for one in found.row] == list(ladder(shown))
    following = Following(shown.shape)
    for w in (0, 1, 2, 3, 7):
        states = frame_of(shown, replace(parameters, window=w), pipeline).states
        areas = following.take(states, shown.dimensions - (kind == "slices apart"), w)
        assert found.row[w] == RegionCounts.of(w, areas)
        plane = np.atleast_2d(states[len(states) // 2] if states.ndim == 3 else states)
        step = max(1, -(-max(plane.shape) // 200))
        rows, columns = (min(step, n) // 2 for n in plane.shape)
        assert np.array_equal(found.maps[w], plane[rows::step, columns::step])


def test_it_goes_on_with_the_codebook_alone_and_after_it_was_stopped() -> None:
    """Another w keeps the known maps; another codebook, or picture, does not."""
    work, pipeline = Scaling(), Pipeline()
    frame = frame_of(picture((40, 61)), LABELS, pipeline)
    first = work.next(frame, Counting())
    with pytest.raises(Cancelled):
        work.next(frame, Counting(stop_at=1))
    moved = frame_of(picture((40, 61)), replace(LABELS, window=9), pipeline)
    second = work.next(moved, Counting())
    assert (len(first.row), len(second.row)) == (1, 2)
    assert second.held.is_of(frame)
    other = frame_of(picture((40, 61)), replace(LABELS, learning_window=1), pipeline)
    assert not second.held.is_of(other)
    assert len(work.next(other, Counting()).row) == 1
    assert not Held.of(frame).is_of(frame_of(picture((41, 61)), LABELS))


def test_maps_by_belief_and_large_pictures_have_no_windows(monkeypatch) -> None:
    believing = frame_of(picture((40, 61)), replace(LABELS, decoder="belief"))
    assert Scaling().next(believing, Counting()) is None
    monkeypatch.setattr(scaling, "MOST", 100)
    assert Scaling().next(frame_of(picture((40, 61)), LABELS), Counting()) is None


def test_what_changes_from_the_window_before() -> None:
    shown, pipeline = picture((40, 61)), Pipeline()
    needs = frozenset({"changes"})
    before = frame_of(shown, replace(LABELS, window=1), pipeline).states
    frame = pipeline.run(Request(shown, LABELS, needs=needs))
    assert np.array_equal(frame.changes.mask, frame.states != before)
    assert 20 < frame.changes.mask.sum() < frame.states.size / 3
    at_zero = pipeline.run(Request(shown, replace(LABELS, window=0), needs=needs))
    assert not at_zero.changes.mask.any()


def scales(*plateaus: Plateau) -> Scales:
    """Scales of which the plateaus are known."""
    found = Scales(Held.of(frame_of(picture((40, 61)), LABELS)))
    found.__dict__["plateaus"] = plateaus
    return found


THREE = Plateau(0, 4, 16, 17, 2), Plateau(5, 18, 13, 15, 11), Plateau(19, 20, 11, 12, 19)


def test_of_three_scales_the_one_nearest_to_the_start_is_chosen_and_all_are_named() -> None:
    """By the ratio of sides 23 / 15 is less than 15 / 5."""
    w, what, because = scale_choice(scales(*THREE), 7)
    assert (w, what) == (11, "the middle of the plateau nearest to w = 7")
    assert because.startswith("It has 13 to 15 large regions from w = 5 to 18. ")
    assert because.endswith("; fine (w = 2) and coarse (w = 19) are equally good.")
    assert scale_choice(scales(*THREE), 1)[0] == 2
    assert scale_choice(scales(*THREE), 64)[0] == 19


def test_one_scale_two_and_none() -> None:
    two = scales(*THREE[:2])
    assert [name for name, _ in two.named()] == ["Fine", "Coarse"]
    assert "fine (w = 2) is equally good" in scale_choice(two, 7)[2]
    one = scales(Plateau(3, 9, 1, 1, 6))
    has = "It has 1 large region from w = 3 to 9."
    assert scale_choice(one, 7) == (6, "the middle of the only plateau", has)
    assert scale_choice(scales(), 7) is None


class Asked:
    """Lives that tell what they were asked."""

    steps = np.array([0.0, 64.0])

    def held(self, *ends: float) -> tuple[int, int]:
        self.ends = ends
        return 17, 20


def test_the_sentence_says_how_many_hold_from_where_to_where() -> None:
    lives = Asked()
    assert over_windows(lives, 7) == "17 of 20 large regions hold while w goes from 4 to 12"
    assert over_windows(lives, 50).endswith("w goes from 29 to 64")
    assert over_windows(lives, 0).endswith("w goes from 0 to 2")
    assert over_cuts(lives, 0.2).endswith("hold while the cut goes from 0.16 to 0.25")
    assert lives.ends == pytest.approx((0.16, 0.2, 0.25))
    lives.held = lambda *_: (1, 7)
    assert over_windows(lives, 7).startswith("1 of 7 large regions holds")
    for n_held, verb in ((0, "does not hold"), (1, "holds")):
        lives.held = lambda *_, n_held=n_held: (n_held, 1)
        assert over_cuts(lives, 0.2).startswith(f"The only large region {verb} while the cut")
        assert over_windows(lives, 7) == ""
    lives.held = lambda *_: (0, 0)
    assert over_windows(lives, 7) == "No region covers more than 1 % of the picture"
