"""The legend of the states."""

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import DARK, LIGHT, Theme
from latviz.app.views.states.legend import Legend
from latviz.app.views.states.marks import PATTERNS, TILE, patterns_of
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.settings.state import Display, State
from tests.app.frames import frame_of, is_color, leave, pixels, point_at, shown, tip_at, told_by
from tests.app.painted_texts import painted

NAMES = ["one state", "two states", "camera", "palette", "32 states", "flat"]
WIDTHS = [180, 340, 700]


def place(view: Legend, frame: Frame, state: int) -> QRectF:
    return view.legend_layout(frame).place(state)


def legend(qtbot: QtBot, name: str, width: int = 340, **options: object) -> tuple[Legend, Frame]:
    frame = frame_of(name)
    return shown(qtbot, Legend, frame, (width, 40), **options), frame


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_every_state_has_its_own_place(qtbot: QtBot, name: str, width: int) -> None:
    view, frame = legend(qtbot, name, width)
    places = [place(view, frame, state) for state in range(len(frame.occupancy))]
    room = QRectF(view.rect()).adjusted(-1, -1, 1, 1)
    assert all(room.contains(each) for each in places)
    inner = [each.adjusted(0.5, 0.5, -0.5, -0.5) for each in places]
    assert not any(a.intersects(b) for k, a in enumerate(inner) for b in inner[:k])
    assert min(each.width() for each in places) >= 10


def test_shares_are_written_where_they_fit_and_else_drawn(qtbot, monkeypatch) -> None:
    view, frame = legend(qtbot, "camera")
    shares = [f"{100 * count / frame.n_nodes:.1f}\N{NO-BREAK SPACE}%" for count in frame.occupancy]
    assert [one.text for one in painted(view, monkeypatch) if "%" in one.text] == shares
    view, frame = legend(qtbot, "32 states")
    layout = view.legend_layout(frame)
    assert not any("%" in one.text for one in painted(view, monkeypatch))
    image = pixels(view)
    for state, count in enumerate(frame.occupancy.tolist()):
        each = layout.place(state)
        row = image[round(each.bottom()) - 3, round(each.left()) : round(each.right())]
        wanted = (each.width() - 3) * count / frame.occupancy.max()
        assert abs(is_color(row, LIGHT.muted).sum() - wanted) <= 1.5


def test_pointing_tells_the_state_and_its_pixels(qtbot: QtBot) -> None:
    view, frame = legend(qtbot, "palette")
    told = told_by(view.state_hovered)
    for state in (0, 7, 11):
        at = place(view, frame, state).center()
        point_at(view, at.x(), at.y())
        count = int(np.count_nonzero(frame.states == state))
        assert tip_at(view, at.x(), at.y()).startswith(f"State {state + 1}: {count:,} of")
    leave(view)
    assert told == [0, 7, 11, None]


def test_a_click_picks_the_state_out(qtbot: QtBot) -> None:
    view, frame = legend(qtbot, "32 states")
    frame = replace(frame, slots=frame.slots[::-1])  # as if other states came before
    view.show_frame(frame)
    picked = told_by(view.picked)
    for state in range(32):
        at = place(view, frame, state).center().toPoint()
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    assert picked == [StateSelection(slot) for slot in frame.slots]


def test_swatches_are_hatched_as_the_map_is(qtbot: QtBot) -> None:
    view, frame = legend(qtbot, "camera", 700)
    plain = pixels(view)
    view.show_state(State(display=Display(marks="hatching")))
    changed = (pixels(view) != plain).any(axis=-1)
    for state, pattern in enumerate(patterns_of(frame.slots)):
        swatch = place(view, frame, state).adjusted(3, 3, -6, -20).toRect()
        for x in range(swatch.left(), swatch.left() + TILE):
            for y in range(swatch.top(), swatch.bottom()):
                inside = (y - swatch.top() + 2) % TILE, (x - swatch.left() + 2) % TILE
                assert changed[y, x] == PATTERNS[(pattern, *inside)], (state, x, y)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("name", ["camera", "palette", "32 states", "flat"])
def test_swatches_have_the_states_colours(qtbot: QtBot, name: str, theme: Theme) -> None:
    view, frame = legend(qtbot, name, theme=theme)
    image = pixels(view)
    for state, color in enumerate(view.colors()):
        each = place(view, frame, state).toRect()
        drawn = image[each.top() : each.bottom(), each.left() : each.right()]
        share = is_color(drawn, color.name()).mean()
        assert share > 0.05 if frame.occupancy[state] else share == 0
