"""The rows of symbols and of means, from real frames to pixels."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtWidgets import QScrollBar
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT, Theme
from latviz.app.views.emissions.rows import column_edges, ridge_text, share_text, top_of
from latviz.app.views.emissions.view import EmissionsView
from latviz.app.widgets.painting import outline
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection, inspect
from tests.app.frames import frame_of, is_color, leave, pixels, point_at, shown, tip_at

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)

SIZES = [(180, 120), (240, 140), (180, 600), (270, 300), (900, 130), (900, 700)]
SPACE = "\N{NO-BREAK SPACE}"


def inspected(frame: Frame, state: int) -> Inspection:
    row, column = (int(k) for k in np.argwhere(frame.states == state)[50])
    return inspect(frame, (row, column))


def slot(view: EmissionsView, state: int, column: int) -> QRectF:
    """Return the part of a row's plot that a symbol or channel has."""
    plot = view.rows_layout(view.frame).plot_of(state)
    edges = column_edges(plot, view.frame.observations.n_symbols)
    return QRectF(edges[column], plot.top(), edges[column + 1] - edges[column], plot.height())


@pytest.mark.parametrize(
    ("name", "theme"), [("camera", LIGHT), ("impossible", DARK), ("64 symbols", LIGHT)]
)
def test_bars_are_as_high_as_their_probabilities(qtbot: QtBot, name: str, theme: Theme) -> None:
    frame = frame_of(name)
    view = shown(qtbot, EmissionsView, frame, (500, 420), theme)
    image = pixels(view)
    few = frame.observations.n_symbols <= 8
    top = 1.0 if few else min(f for f in (1.0, 0.5, 0.2, 0.1) if f >= frame.codebook.max())
    panel = is_color(image, theme.panel)
    for state, symbol in product(range(len(frame.codebook)), range(frame.observations.n_symbols)):
        place = slot(view, state, symbol)
        column = panel[round(place.top()) : round(place.bottom()), int(place.center().x() - 0.5)]
        height = np.count_nonzero(~column)
        expected = frame.codebook[state, symbol] / top * place.height()
        assert height == pytest.approx(expected, rel=0, abs=1.01), (state, symbol)


@pytest.mark.parametrize(
    ("largest", "top"),
    [(1.0, 1.0), (0.51, 1.0), (0.5, 0.5), (0.3, 0.5), (0.2, 0.2), (0.11, 0.2), (0.03, 0.05)],
)
def test_a_full_bar_is_a_round_number(largest: float, top: float) -> None:
    many = np.array([[largest, *[0.0] * 8], [0.01] * 9])
    assert top_of(many) == pytest.approx(top, rel=1e-9, abs=0)
    assert top_of(many[:, :8]) == 1.0  # few are on one scale, whatever they are


def test_pointing_at_a_bar_tells_its_probability_and_at_a_share_the_count(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, EmissionsView, frame, (270, 300))
    place = slot(view, 1, 2).center()
    with qtbot.waitSignal(view.state_hovered) as blocker:
        point_at(view, place.x(), place.y())
    assert blocker.args == [1]
    name, value = frame.observations.names[2], frame.codebook[1, 2]
    assert 0.01 < value < 1
    assert tip_at(view, place.x(), place.y()) == f"State 2, symbol {name}: {value:.3f}"
    with qtbot.waitSignal(view.state_hovered) as blocker:
        leave(view)
    assert blocker.args == [None]
    row = view.rows_layout(frame).row(3)
    count = int((frame.states == 3).sum())
    share = f"{100 * count / frame.states.size:.1f}{SPACE}%"
    expected = f"State 4: {count:,} of {frame.states.size:,} pixels ({share})"
    assert tip_at(view, row.left() + 10, row.center().y()) == expected
    assert share_text(frame, 3) == share


def test_pointing_at_a_chip_names_its_symbol(qtbot: QtBot) -> None:
    frame = frame_of("palette")
    view = shown(qtbot, EmissionsView, frame, (500, 300))
    axis = view.axis(view.rows_layout(frame))
    edges = column_edges(axis, 16)
    told: list[int | None] = []
    view.state_hovered.connect(told.append)
    point_at(view, edges[4] + 2, axis.center().y())
    name = frame.observations.names[4]
    assert tip_at(view, edges[4] + 2, axis.center().y()) == f"Symbol {name}"
    assert told == []
    at = view.spot_at(frame, QPointF(edges[4] + 2, axis.center().y()))
    assert at is not None
    assert view.selection(frame, at) is None  # a symbol of no state


def test_the_inspected_signature_is_drawn_over_its_row_and_its_symbol_marked(qtbot: QtBot) -> None:
    frame = frame_of("camera")
    view = shown(qtbot, EmissionsView, frame, (270, 300))
    before = pixels(view)
    seen = inspected(frame, 1)
    view.show_inspection(seen)
    after = pixels(view)
    text = is_color(after, LIGHT.text)
    for symbol, share in enumerate(seen.signature):
        place = slot(view, 1, symbol)
        y = int(place.bottom() - share * place.height())
        assert text[y - 1 : y + 2, round(place.left()) + 8].any(), symbol
    layout = view.rows_layout(frame)
    below = round(layout.row(2).top()) + 1
    assert (before[below:] == after[below:]).all()
    most = int(seen.signature.argmax())
    place = slot(view, 1, most).center()
    assert tip_at(view, place.x(), place.y()).endswith(
        f"\nIn the inspected window: {seen.signature[most]:.3f}"
    )
    marks = []
    for symbol in range(3):
        view.show_inspection(replace(seen, observation=symbol))
        text, slots = is_color(pixels(view), LIGHT.text), [slot(view, 1, k) for k in range(3)]
        dark = []
        for place in slots:
            x, y = round(place.center().x()), round(place.top())
            dark.append(int(text[y : y + 3, x - 1 : x + 1].sum()))
        marks.append(int(np.argmax(dark)))
    assert marks == [0, 1, 2]


def test_states_without_pixels_are_marked(qtbot: QtBot) -> None:
    frame = frame_of("flat")
    assert [share_text(frame, state) for state in range(3)] == [f"100{SPACE}%", "empty", "empty"]
    view = shown(qtbot, EmissionsView, frame, (270, 300))
    image = pixels(view)
    for state, color in enumerate(view.colors()):
        solid = is_color(image, color.name()).sum()
        assert (solid > 100) == (state == 0)


def test_means_are_where_they_belong(qtbot: QtBot) -> None:
    frame = frame_of("lab")
    view = shown(qtbot, EmissionsView, frame, (600, 300))
    image, model = pixels(view), frame.model
    deviations = np.sqrt(np.diagonal(model.covariances, axis1=1, axis2=2))
    low = (model.means - deviations).min(axis=0)
    high = (model.means + deviations).max(axis=0)
    for state, channel in product(range(4), range(3)):
        place = slot(view, state, channel)
        share = (model.means[state, channel] - low[channel]) / (high - low)[channel]
        x = place.left() + 5 + share * (place.width() - 10)
        dots = is_color(image, outline(view.colors()[state], LIGHT).name())
        inside = dots[round(place.top()) : round(place.bottom()), :]
        inside = inside[:, round(place.left()) : round(place.right())]
        heights = inside.sum(axis=0)
        tallest = np.flatnonzero(heights == heights.max()).mean()
        assert tallest + round(place.left()) == pytest.approx(x, rel=0, abs=1.6)


def test_a_ridge_is_told_of(qtbot: QtBot) -> None:
    frame = frame_of("flat grey")
    assert frame.model.ridge > 0
    assert ridge_text(frame.model.ridge) == "Singular covariances: 1e−6 added to their diagonal"
    assert ridge_text(0.0) == ""
    image = pixels(shown(qtbot, EmissionsView, frame, (270, 300)))
    without = replace(frame, model=replace(frame.model, ridge=0.0))
    plain = pixels(shown(qtbot, EmissionsView, without, (270, 300)))
    blank = [is_color(seen, LIGHT.panel)[-24:, 8:70].all() for seen in (image, plain)]
    assert blank == [False, True]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "name", ["camera", "one state", "palette", "32 states", "64 symbols", "lab", "flat grey"]
)
def test_everything_fits(qtbot: QtBot, name: str, size: tuple[int, int]) -> None:
    frame = frame_of(name)
    view = shown(qtbot, EmissionsView, frame, size)
    layout = view.rows_layout(frame)
    assert layout.step >= 15
    assert QRectF(view.rect()).contains(layout.rows)
    assert layout.count * layout.step == layout.rows.height()
    bar = view.findChild(QScrollBar)
    assert bar.isVisible() == (layout.count < len(frame.occupancy))
    blank = is_color(pixels(view), LIGHT.panel)
    assert blank[-3:].all()
    assert blank[:3].all() or bar.isVisible()
    assert blank[:, :6].all()
    if not bar.isVisible():
        assert blank[:, -6:].all()


def test_pointing_at_a_mean_tells_its_deviation(qtbot: QtBot) -> None:
    frame = frame_of("texture")
    view = shown(qtbot, EmissionsView, frame, (270, 300))
    place, model = slot(view, 2, 1).center(), frame.model
    deviation = math.sqrt(model.covariances[2, 1, 1])
    assert tip_at(view, place.x(), place.y()) == (
        f"State 3, gradient: mean {model.means[2, 1]:.3g}, standard deviation {deviation:.3g}"
    )
