"""What contradicts the model, and the next step, on frames with made-up and with real results."""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from latviz.core import sample_blobs
from latviz.core.choice.noise import NoiseIndices
from latviz.core.data.encoding import Encoding
from latviz.engine.choosing.checks import NEEDED, Check, checks_of
from latviz.engine.choosing.guidance import BELIEF, Offer
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters

SIDE = 96
TRUTH = sample_blobs((SIDE, SIDE), 2, scale=8, seed=3)
NOISE = np.random.default_rng(4)
NORMAL = TRUTH + NOISE.normal(0, 0.4, TRUTH.shape)
GREY = Encoding("grey")


def frame_of(pixels: NDArray[Any], **changes: Any) -> Frame:
    asked = {"encoding": GREY, "n_states": 2, "window": 2} | changes
    picture = Picture(np.ascontiguousarray(pixels, np.float32), "a field")
    needs = NEEDED | {"code_lengths"}
    return Pipeline().run(Request(1, picture, Parameters(**asked), complete=True, needs=needs))


@cache
def normal(**changes: Any) -> Frame:
    """Return the frame of the field with normal noise."""
    return frame_of(NORMAL, **changes)


def names(frame: Frame) -> list[str]:
    return [check.name for check in checks_of(frame)]


def only(frame: Frame, **results: float) -> Check:
    """Return the only check of a frame with other results."""
    (found,) = checks_of(frame.with_results(**results))
    return found


@pytest.mark.parametrize("decoder", ["nearest", "belief", "refined"])
def test_a_normal_field_contradicts_nothing(decoder: str) -> None:
    assert names(normal(decoder=decoder)) == []


@pytest.mark.parametrize("law", ["laplace", "exponential"])
def test_numbers_of_another_law_lead_to_refined_belief(law: str) -> None:
    frame = frame_of(TRUTH + getattr(NOISE, law)(scale=0.3, size=TRUTH.shape))
    (found,) = checks_of(frame)
    assert (found.name, found.offer) == (
        "law",
        Offer("Try belief, refined", {"decoder": "refined"}),
    )
    assert found.text.startswith("The noise is not normal (law 0.")
    pixels = TRUTH + NOISE.laplace(scale=0.3, size=TRUTH.shape)
    refined = frame_of(pixels, **found.offer.changes)  # by bins, which have any law
    assert math.isnan(refined.law_distance)
    assert names(refined) == []
    assert names(frame_of(pixels, encoding=Encoding("quantiles", 24))) == []


def test_neighbours_that_are_alike_lead_to_belief_and_then_to_a_state_more() -> None:
    found = only(normal(), residual_correlation=0.32)
    assert found == Check(
        "near",
        "Neighbours are alike even within a state (correlation 0.32). Belief couples them "
        "strongly.",
        BELIEF,
    )
    found = only(normal(decoder="belief"), residual_correlation=0.32)
    assert found.offer == Offer("Try N = 3", {"n_states": 3})
    assert names(normal().with_results(residual_correlation=0.19)) == []


def test_neighbours_that_differ_lead_to_belief() -> None:
    found = only(normal(), residual_correlation=-0.32)
    assert found.text.startswith("Neighbours differ more than their states explain")
    assert "\N{MINUS SIGN}0.32" in found.text
    assert found.offer == BELIEF
    believed = only(normal(decoder="belief"), residual_correlation=-0.32)
    assert believed.offer == Offer("Try belief, refined", {"decoder": "refined"})
    refined = only(normal(decoder="refined"), residual_correlation=-0.32)
    assert refined.offer == Offer("Try N = 3", {"n_states": 3})


def test_uneven_light_is_seen_though_neighbours_hide_it() -> None:
    ramp = 1.0 * np.linspace(-1, 1, SIDE)[:, None]
    pixels = TRUTH + ramp + NOISE.normal(0, 0.7, TRUTH.shape)
    frame = frame_of(pixels, window=1)
    assert 0.05 < frame.far_correlation < frame.residual_correlation < 0.2
    (found,) = checks_of(frame)
    assert found.name == "far"
    assert found.text.startswith("Pixels 16 apart are alike even within a state")
    assert found.offer is not None
    assert found.offer.text == "Try grey value, levelled"
    assert names(frame_of(pixels, window=1, **found.offer.changes)) == []
    assert names(normal().with_results(far_correlation=0.04, residual_correlation=0.1)) == []


def test_pixels_far_apart_that_are_more_alike_than_neighbours_are_a_pattern() -> None:
    blocks = np.add.outer(np.arange(SIDE) // 2, np.arange(SIDE) // 2) % 2  # of a period of four
    frame = frame_of(blocks + NOISE.normal(0, 0.3, TRUTH.shape))
    found = next(one for one in checks_of(frame) if one.name == "far")
    assert "more alike than neighbours" in found.text
    assert found.offer == BELIEF


def test_noise_leads_to_larger_windows_and_then_to_fewer_states() -> None:
    frame = frame_of(NOISE.normal(size=TRUTH.shape), n_states=3, window=1)
    found = only(frame)
    assert (found.name, found.offer) == ("chance", Offer("Try w = 3", {"window": 3}))
    high = NoiseIndices(*(np.ones(4) for _ in range(2)), gain=np.full(4, np.nan))
    even = {"residual_correlation": 0.0, "far_correlation": 0.0, "law_distance": 0.0}
    wide = normal(window=20).with_results(**even, noise=high)
    assert only(wide).offer == Offer("Try N = 1", {"n_states": 1})
    assert only(wide, law_distance=0.1).name == "law"  # which explains it


def test_what_is_not_known_or_defined_contradicts_nothing() -> None:
    bare = Pipeline().run(Request(1, normal().request.picture, Parameters(GREY), needs=frozenset()))
    assert checks_of(bare) == ()
    nothing = dict.fromkeys(("residual_correlation", "far_correlation", "law_distance"), math.nan)
    assert checks_of(normal().with_results(**nothing)) == ()
    assert names(normal(n_states=1).with_results(residual_correlation=0.5)) == []
