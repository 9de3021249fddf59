"""The row above the signature space, which chooses its projection."""

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.views.space.view import SpaceView
from latviz.core.data.encoding import Encoding
from latviz.engine.geometry.signature_space import Projection
from tests.app.frames import frame_of, told_by
from tests.app.views.spaces import (
    MEDIUM,
    SYMBOLS,
    computed,
    principal,
    settled,
    shown,
    three_symbols,
)


def bar_texts(view: SpaceView) -> list[str]:
    return [box.currentText() for box in view.bar.corners]


def test_choosing_a_projection_emits_it(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("palette"), MEDIUM)
    told = told_by(view.projection_changed)
    assert view.bar.isVisible()
    for text, kind in (
        ("Polygon", "polygon"),
        ("Three symbols", "symbols"),
        ("Principal components", "principal"),
    ):
        view.bar.kind.setFocus()
        view.bar.kind.setCurrentText(text)
        assert told.pop() == Projection(kind, (0, 1, 2))
        assert told == []
        assert all(box.isVisible() == (kind == "symbols") for box in view.bar.corners)


def test_choosing_symbols_emits_them(qtbot: QtBot) -> None:
    frame = three_symbols()
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    view.bar.show_projection(SYMBOLS)
    names = frame.observations.names
    assert bar_texts(view) == [names[4], names[0], names[2]]
    with qtbot.waitSignal(view.projection_changed) as blocker:
        QTest.keyClick(view.bar.corners[0], Qt.Key.Key_Down)
    assert blocker.args == [Projection("symbols", (5, 0, 2))]


def test_choosing_a_symbol_that_another_corner_has_swaps_them(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, three_symbols(), MEDIUM)
    view.bar.show_projection(SYMBOLS)
    with qtbot.waitSignal(view.projection_changed) as blocker:
        view.bar.corners[1].setCurrentIndex(2)
    assert blocker.args == [Projection("symbols", (4, 2, 0))]
    assert [box.currentIndex() for box in view.bar.corners] == [4, 2, 0]


def test_symbols_that_there_are_not_give_way_to_those_that_are_drawn(qtbot: QtBot) -> None:
    wanted = Projection("symbols", (3, 5, 9))
    frame = computed("camera", Encoding("quantiles", 4), 4, 4, wanted)
    view = shown(qtbot, SpaceView, frame, MEDIUM)
    view.bar.show_projection(wanted)
    drawn = [label.symbol for label, _ in view.plot.corners()]
    assert sorted(box.currentIndex() for box in view.bar.corners) == sorted(drawn) == [0, 1, 3]
    with qtbot.waitSignal(view.projection_changed) as blocker:
        view.bar.corners[2].setCurrentIndex(2)
    assert blocker.args == [Projection("symbols", (3, 0, 2))]


def test_controls_are_there_where_they_matter(qtbot: QtBot) -> None:
    view = shown(qtbot, SpaceView, frame_of("palette"), MEDIUM)
    for name in ("camera", "palette", "two states", "lab", "density"):
        view.show_frame(frame_of(name))
        for part in (view.bar.kind, view.bar.statement):
            assert part.isVisible() == (name in ("palette", "lab")), name
        assert not any(box.isVisible() for box in view.bar.corners), name


@pytest.mark.parametrize("kind", ["palette", "lab", "principal"])
def test_the_statement_tells_the_variance(qtbot: QtBot, kind: str) -> None:
    frame = principal() if kind == "principal" else frame_of(kind)
    view = shown(qtbot, SpaceView, frame, (500, 300))
    settled(view)
    percent = 100 * frame.space.variance_kept
    assert percent < 99
    assert view.bar.statement.text() == f"shows {percent:.1f}\N{NO-BREAK SPACE}% of the variance"
    view.resize(290, 300)
    settled(view)
    short = view.bar.statement.text()
    assert short != view.bar.statement.toolTip() or kind == "lab"
    assert f"{percent:.1f}\N{NO-BREAK SPACE}%" in short
    assert "…" not in short
