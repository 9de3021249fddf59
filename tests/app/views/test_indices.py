"""The gauges, from real frames to pixels."""

import math
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.look.theme import DARK, LIGHT, Theme
from latviz.app.shell.actions import Action
from latviz.app.views.indices.spec import asked, script_lines, table_rows, verbs
from latviz.app.views.indices.view import IndicesView, ticks_of
from latviz.app.widgets import painting
from latviz.core.choice.noise import NoiseIndices
from latviz.core.data.encoding import Encoding
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from latviz.engine.indices import gauges, value_text
from latviz.engine.pictures.truth import Truth, TruthIndices
from latviz.engine.settings.state import Display, State
from tests import naive
from tests.app.frames import assert_fits, computed, frame_of, is_color, pixels, shown, told_by
from tests.new_frames import gauge_of

SIZES = [(180, 120), (240, 140), (180, 600), (270, 190), (900, 130), (900, 700)]
PAD = 8
OURS = ("associativity", "inertia", "independence", "law")


def with_indices(associativity, inertia, noise=(0.3, 0.6), **results) -> Frame:
    frame = replace(frame_of("camera"), associativity=associativity, results={})
    if noise is not None:
        results["noise"] = NoiseIndices(*np.repeat([*noise, math.nan], 4).reshape(3, 4))
    high = {"residual_correlation": 0.01, "law_distance": 0.01}
    return frame.with_results(**{"inertia": inertia} | high | results)


def test_gauges_are_read_in_numbers_without_advice(qtbot: QtBot) -> None:
    view = shown(qtbot, IndicesView, with_indices(0.97, 0.8), (270, 190))
    assert view.accessibleDescription().startswith(
        "Associativity 0.970, at least 0.5 is needed. Value of noise: 0.300. Inertia 0.800, at "
        "least 0.9 is needed. Value of noise: 0.600. Independence 0.990, at least 0.8 is needed. "
        "Law 0.990, at least 0.96 is needed."
    )


@pytest.mark.parametrize(
    ("own", "noise", "praised"),
    [
        ((0.97, 0.93), (0.83, 0.81), (True, True)),
        ((0.82, 0.93), (0.83, 0.81), (False, True)),
        ((0.97, 0.93), (0.83, 0.93), (True, False)),
        ((0.82, 0.82), (0.83, 0.81), (False, False)),
        ((0.97, 0.82), (0.83, 0.81), (True, False)),
        ((0.40, 0.95), (0.83, 0.81), (False, True)),
        ((0.97, 0.93), None, (None, None)),
        ((0.97, 0.80), None, (None, False)),
    ],
)
def test_nothing_is_praised_that_noise_reaches(qtbot, own, noise, praised) -> None:
    frame = with_indices(*own, noise)
    both = [gauge_of(frame, name) for name in ("associativity", "inertia")]
    assert tuple(gauge.enough for gauge in both) == praised
    colors = {True: "good", False: "warning", None: "muted"}
    assert tuple(gauge.color for gauge in both) == tuple(colors[p] for p in praised)
    assert gauge_of(frame, "independence").enough
    assert gauge_of(frame, "law").enough
    frame = frame.with_results(residual_correlation=math.nan, law_distance=math.nan)
    image = pixels(shown(qtbot, IndicesView, frame, (300, 220)))
    assert bool(long_runs(image, LIGHT.good)) == (True in praised)


@pytest.mark.parametrize("orders", [(0.71, 0.72, 0.74, 0.71), (0.5, 0.9, 0.6, 0.8)])
def test_the_mark_of_noise_is_exceeded_by_noise_once_in_a_hundred_times(orders) -> None:
    frame = with_indices(0.99, 0.99, None)
    same = np.array(orders)
    frame = frame.with_results(noise=NoiseIndices(same, same, np.full(4, math.nan)))
    bound = min(1.0, naive.prediction_bound(orders, naive.BOUND_OF_FOUR))  # of an index, at most 1
    assert gauge_of(frame, "inertia").noise == pytest.approx(bound, rel=1e-6)
    assert gauge_of(frame, "inertia").enough == (bound < 0.99)


@pytest.mark.parametrize(
    ("correlation", "reached"),
    [(0.0, True), (0.199, True), (0.21, False), (0.9, False), (-0.4, False), (None, False)],
)
def test_neighbours_that_depend_either_way_are_not_independent(correlation, reached) -> None:
    frame = with_indices(0.97, 0.93, residual_correlation=correlation)
    third = gauge_of(frame, "independence")
    assert third.reached == reached
    if correlation is not None:
        assert third.value == pytest.approx(1 - abs(correlation))


def test_the_law_has_a_gauge_of_numbers(qtbot: QtBot) -> None:
    for distance, reached in ((0.041, False), (0.04, True)):
        last = gauge_of(with_indices(0.97, 0.93, law_distance=distance), "law")
        assert last.value == pytest.approx(1 - distance)
        assert last.reached == reached
    lab = computed(data.astronaut()[:60, :60].copy(), Encoding("lab"), n_states=2, window=1)
    view = shown(qtbot, IndicesView, lab, (300, 300))
    assert view.bars["law"].isVisible()
    assert "Law 0." in view.accessibleDescription()


def test_symbols_may_have_any_law(qtbot: QtBot) -> None:
    frame = frame_of("texture")
    assert (math.isnan(frame.law_distance), frame.observations.discrete) == (False, False)
    symbols = frame_of("camera")
    assert (math.isnan(symbols.law_distance), symbols.observations.discrete) == (True, True)
    view = shown(qtbot, IndicesView, symbols, (300, 300))
    assert view.bars["law"].isHidden()
    assert "Law is undefined: it is the law of numbers" in view.accessibleDescription()
    view.show_frame(frame)
    assert view.bars["law"].isVisible()


def test_the_truth_stands_beside(qtbot: QtBot) -> None:
    known = TruthIndices(np.eye(2), 0.034, 0.707, 0.0, 0.02)
    none = np.zeros((2, 2), np.uint8)
    truth = Truth(none, (0, 1), known, 0.5281, 0.0034, none.astype(bool))
    frame = with_indices(0.82, 0.821, (0.831, 0.817), truth=truth)
    told = {"associativity": "0.034", "inertia": "0.707", "independence": "1", "law": "0.980"}
    for name, value in told.items():
        ticks = ticks_of(gauge_of(frame, name))
        assert f"truth {value}" in [labels[0] for _, labels in ticks]
    view = shown(qtbot, IndicesView, frame, (300, 240))
    said = view.accessibleDescription()
    assert "Value of noise: 0.831. Value of the truth: 0.034." in said
    assert "Accuracy 52.8\N{NO-BREAK SPACE}%, adjusted Rand 0.003 against the truth." in said
    without = pixels(
        shown(qtbot, IndicesView, with_indices(0.82, 0.821, (0.831, 0.817)), (300, 240))
    )
    assert (pixels(view) != without).any()
    assert table_rows(frame)[0] == ["Index", "Value", "Noise", "Truth"]
    assert table_rows(frame)[1] == ["Associativity", 0.82, 0.831, 0.034]
    assert table_rows(frame)[-2:] == [
        ["Accuracy", 0.5281, "", ""],
        ["Adjusted Rand", 0.0034, "", ""],
    ]


def test_what_the_truth_does_not_define_is_not_said(qtbot: QtBot) -> None:
    """Known states of pixels that have no known neighbour have no associativity."""
    known = TruthIndices(np.eye(2), math.nan, 0.707, math.nan, math.nan)
    none = np.zeros((2, 2), np.uint8)
    truth = Truth(none, (0, 1), known, 0.5, 0.25, none.astype(bool))
    frame = with_indices(0.82, 0.821, (0.831, 0.817), truth=truth)
    assert [gauge_of(frame, name).truth for name in OURS] == [None, 0.707, None, None]
    said = shown(qtbot, IndicesView, frame, (300, 240)).accessibleDescription()
    assert "nan" not in said
    assert said.count("Value of the truth:") == 1
    assert [row[3] for row in table_rows(frame)[1 : 1 + len(OURS)]] == ["", 0.707, "", ""]


@pytest.mark.parametrize(
    ("value", "needed", "text"),
    [
        (0.9341, 0.9, "0.934"),
        (0.8996, 0.9, "0.8996"),
        (0.899996, 0.9, "0.899996"),
        (0.9, 0.9, "0.900"),
        (0.49951, 0.5, "0.4995"),
        (1.0, 0.9, "1"),
        (0.0, 0.5, "0"),
        (math.nan, 0.5, "–"),
        (None, 0.9, "–"),
    ],
)
def test_values_are_never_rounded_over_the_threshold(value, needed, text) -> None:
    assert value_text(value, needed) == text


def test_chance_levels_and_the_least_inertia() -> None:
    first, second, *_ = gauges(with_indices(0.9, 0.9, None))
    assert first.chance == pytest.approx(0.2, rel=0, abs=1e-12)
    assert second.chance == pytest.approx(1 / math.sqrt(5), rel=0, abs=1e-12)
    assert (first.least, second.least) == (0.0, second.chance)
    assert [labels[0] for _, labels in ticks_of(first)] == ["≥ 0.5", "chance 0.200", "0", "1"]
    assert [labels[0] for _, labels in ticks_of(second)] == ["≥ 0.9", "chance 0.447", "0", "1"]
    equal, *_ = gauges(replace(frame_of("two states"), results={}))
    assert [labels[0] for _, labels in ticks_of(equal)] == ["≥ 0.5, chance 0.500", "0", "1"]
    noisy, *_ = gauges(with_indices(0.9, 0.9, (0.684, 0.7)))
    labels = [labels[0] for _, labels in ticks_of(noisy)]
    assert labels == ["≥ 0.5", "noise 0.684", "chance 0.200", "0", "1"]
    alone, *_ = gauges(frame_of("one state"))
    assert [labels[0] for _, labels in ticks_of(alone)] == ["≥ 0.5", "0", "1"]


def long_runs(image: np.ndarray, code: str) -> list[int]:
    """Return the rows in which a colour fills a good part of a gauge."""
    return np.flatnonzero(is_color(image, code).sum(axis=1) > 80).tolist()


def pixels_of_track(view: IndicesView, index: str) -> np.ndarray:
    track = view.track_of(index)
    return pixels(view)[round(track.top()) : round(track.bottom())]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("width", [270, 500])
def test_a_gauge_is_filled_up_to_its_value(qtbot: QtBot, theme: Theme, width: int) -> None:
    frame = frame_of("texture")
    view = shown(qtbot, IndicesView, frame, (width, 190), theme)
    chance = 1 / math.sqrt(frame.model.n_states)
    for name, code, low, value in (
        ("associativity", theme.good, 0.0, frame.associativity),
        ("inertia", theme.warning, chance, frame.inertia),
    ):
        image = pixels_of_track(view, name)
        rows = long_runs(image, code)
        bar = is_color(image, code)[rows[len(rows) // 2]]
        columns = np.flatnonzero(bar)
        extent = width - 2 * PAD
        assert columns[0] == pytest.approx(PAD + low * extent, rel=0, abs=2.5)
        assert columns[-1] == pytest.approx(PAD + value * extent, rel=0, abs=4.5)


@pytest.mark.parametrize("name", ["camera", "noise", "pixel", "one state", "checkerboard"])
def test_everything_fits(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, IndicesView, frame_of(name), SIZES[0])
    for size in SIZES:
        view.resize(*size)
        assert_fits(pixels(view))


def with_quantiles() -> Frame:
    """Return a frame of vectors, with the quantiles in its states."""
    request = frame_of("lab").request
    return Pipeline().run(replace(request, needs=asked(State(display=Display(law=True)))))


def test_the_gauge_of_the_law_shows_and_hides_quantiles(qtbot: QtBot) -> None:
    frame = with_quantiles()
    view = shown(qtbot, IndicesView, frame, (270, 500))
    told = told_by(view.law_toggled)
    assert "law_quantiles" not in asked(view.state) | view.needed()
    assert not view.quantiles.isVisible()
    qtbot.mouseClick(view.bars["law"], Qt.MouseButton.LeftButton)
    assert told == [True]
    qtbot.mouseClick(view.bars["inertia"], Qt.MouseButton.LeftButton)
    assert told == [True]
    view.show_state(State(display=Display(law=True)))
    assert "law_quantiles" in view.needed()
    assert view.quantiles.isVisible()
    qtbot.mouseClick(view.bars["law"], Qt.MouseButton.LeftButton)
    assert told == [True, False]
    _, quantiles, _ = verbs(view, Mock())
    assert isinstance(quantiles, Action)
    quantiles.run()
    assert told == [True, False, False]
    view.show_frame(frame_of("camera"))  # symbols claim no law
    assert not view.quantiles.isVisible()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_quantiles_are_drawn_in_the_colours_of_their_states(qtbot: QtBot, theme: Theme) -> None:
    frame = with_quantiles()
    found = frame.law_quantiles
    assert found is not None
    assert [one.state for one in found] == [0, 1, 2, 3]
    assert sum(len(one.claimed) for one in found) <= 200
    view = shown(qtbot, IndicesView, frame, (270, 600), theme, Display(law=True))
    image = pixels(view.quantiles)
    for color in view.colors():
        assert is_color(image, painting.outline(color, theme).name()).sum() > 10
    worst = max(found, key=lambda one: one.distance)
    words = f"{frame.titled(worst.state)}, {frame.observations.names[worst.channel]}: "
    assert words in view.accessibleDescription()
    lines = script_lines(frame)
    assert any(line.startswith("quantiles = law_quantiles(values, ") for line in lines)
    waiting = shown(qtbot, IndicesView, frame_of("lab"), (270, 600), theme, Display(law=True))
    assert "Computing…" in waiting.accessibleDescription()
