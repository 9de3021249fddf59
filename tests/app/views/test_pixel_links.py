"""From a pixel to its window, histogram, signature, state and row of B; and from symbols back."""

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, QRectF
from PyQt6.QtGui import QColor
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.views.emissions.rows import top_of
from latviz.app.views.states.overlays import border_map
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.geometry.selection import SymbolSelection
from tests import naive
from tests.app.conftest import settle
from tests.app.frames import is_color, outlines, tip_at
from tests.app.program.test_window import pixels_of, point_of
from tests.app.views.test_selection import LEFT, SHIFT, click, lit_frame

NODES = [(0, 0), (40, 60), (199, 239)]


def encoded(window: MainWindow, qtbot: QtBot, encoding: str, n_symbols: int = 3) -> Frame:
    window.document.set("M", encoding=Encoding(encoding, n_symbols))
    QTest.mouseMove(window.menuBar())  # a move to the pointer's own place would not be reported
    return settle(qtbot, window)


def column(view: object, plot: QRectF, k: int, n: int) -> QPoint:
    """Return a place in one of n even columns of a plot, near its bottom."""
    return QPointF(plot.left() + plot.width() * (k + 0.5) / n, plot.bottom() - 2).toPoint()


@pytest.mark.usefixtures("few_views")
def test_pixels_and_bars_lead_to_each_other(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.stage.show_only(("image", "states", "pixel", "space", "adjacency", "emissions"))
    check_pointing_at_a_pixel_shows_the_whole_chain(window, qtbot)
    window.document.unpin_all()
    window.tabs.stage.show_only(("image", "states", "pixel", "emissions"))
    check_bars(window, encoded(window, qtbot, "quantiles"), 3)
    check_pixels_of_bars(window, qtbot, NODES[1])
    window.document.unpin_all()
    window.document.select(None)
    QTest.mouseMove(window.menuBar())
    window.views["image"].canvas.hovered.emit(None)
    check_a_bar_of_b_sets_off_its_symbol_in_the_pinned_window(window, qtbot)


def check_pointing_at_a_pixel_shows_the_whole_chain(window: MainWindow, qtbot: QtBot) -> None:
    # The last pin stays inspected.
    document, view = window.document, window.views["pixel"]
    document.pin((10, 20))
    document.pin((30, 40))
    assert view.inspection.node == (30, 40)
    document.inspector.hover((50, 60))
    assert view.inspection.node == (50, 60)
    document.inspector.hover(None)
    assert view.inspection.node == (30, 40)
    document.pin((30, 40))
    assert view.inspection.node == (10, 20)
    document.unpin_all()
    assert view.inspection is None
    encoded(window, qtbot, "quantiles")
    QTest.qWait(20)  # until the pictures have the room that pins leave
    for node in NODES:
        check_chain(window, settle(qtbot, window), node)
        QTest.mouseMove(window.menuBar())
    # The window of real vectors shows its mean.
    frame = encoded(window, qtbot, "rgb")
    window.document.pin((100, 120))
    bars = window.views["pixel"].bars
    for channel, mean in enumerate(naive.mean_at(frame.observations.values, (100, 120), 3)):
        place = column(bars, bars.plot(), channel, 3)
        assert f"{mean:.3g}" in tip_at(bars, place.x(), place.y())
        QTest.mouseMove(bars, place)
        assert window.document.pointer.symbol is None
    click(bars, place)
    assert window.document.state.selection is None


def check_chain(window: MainWindow, frame: Frame, node: tuple[int, int]) -> None:
    QTest.mouseMove(window.views["image"].canvas.viewport(), point_of(window, "image", node))
    inside = naive.window_nodes(frame.states.shape, node, 3)
    for name in ("image", "states"):  # the window, on both
        mark = outlines(window.views[name].canvas)[0]
        rows, columns = zip(*inside, strict=True)
        left, top = min(columns), min(rows)
        wanted = QRectF(left, top, max(columns) + 1 - left, max(rows) + 1 - top)
        assert mark.isVisible()
        assert mark.rect() == wanted
    assert window.views["pixel"].bars.inspection.n_pixels == len(inside)  # its histogram
    assert window.views["space"].inspection.node == node
    state, distance = inspect(frame, node).nearest[0]  # the distances and the state
    text = window.views["pixel"].fields["State"].text()
    assert text.endswith(f"{state + 1}, at distance {distance:.3g}")
    for view in (
        window.views["adjacency"],
        window.views["states"].legend,
        window.views["emissions"],
    ):
        assert view.inspection is not None  # the state in A and the legend, and its row of B
        assert view.inspection.state == state
        assert is_color(pixels_of(view), window.parts[Preferences].theme.accent).sum() > 20


def check_bars(window: MainWindow, frame: Frame, n_symbols: int) -> None:
    borders = np.argwhere(border_map(frame.states))
    node = tuple(borders[len(borders) // 2].tolist())
    window.document.inspector.hover(node)
    bars = window.views["pixel"].bars
    x = inspect(frame, node).signature.tolist()
    assert max(x) < 1
    image, plot = pixels_of(bars), bars.plot()
    top = top_of(frame.codebook)
    for k, share in enumerate(x):
        at = column(bars, plot, k, n_symbols).x()
        color = QColor(*frame.observations.colors[k].tolist()).name()
        drawn = is_color(image[: int(plot.bottom()), at - 2], color).sum()
        assert abs(drawn - min(share / top, 1) * plot.height()) <= 4.5, k


def darkened(window: MainWindow, name: str) -> np.ndarray:
    """Return which pixels of the picture a canvas darkens for a symbol, (H, W)."""
    view = window.views[name]
    mask = np.zeros(window.document.frame.states.shape, dtype=bool)
    layer = view.symbol
    if layer.isVisible():
        image = layer.image
        rect = layer.mapRectToView(layer.boundingRect())
        top, left = round(rect.top()), round(rect.left())
        mask[top : top + image.shape[0], left : left + image.shape[1]] = image == 0
    return mask


def check_pixels_of_bars(window: MainWindow, qtbot: QtBot, node: tuple[int, int]) -> None:
    frame = settle(qtbot, window)
    canvas = window.views["image"].canvas
    QTest.mouseClick(canvas.viewport(), LEFT, SHIFT, point_of(window, "image", node))
    QTest.mouseMove(window.menuBar())
    canvas.hovered.emit(None)
    bars = window.views["pixel"].bars
    assert bars.inspection.node == node
    inside, o = naive.window_nodes(frame.states.shape, node, 3), frame.observations.values
    for symbol in range(3):
        place = column(bars, bars.plot(), symbol, 3)
        QTest.mouseMove(bars, place)
        assert window.document.pointer.symbol == symbol
        wanted = np.zeros(frame.states.shape, dtype=bool)
        for t in inside:
            wanted[t] = o[t] != symbol
        for name in ("image", "states"):
            np.testing.assert_array_equal(darkened(window, name), wanted)
        count = sum(o[t] == symbol for t in inside)
        assert f"{count} of {len(inside)} pixels" in tip_at(bars, place.x(), place.y())
    click(bars, column(bars, bars.plot(), 1, 3))
    slot = frame.slots[frame.states[node]]
    assert window.document.state.selection == SymbolSelection(slot, 1)
    found = lit_frame(qtbot, window).lit.mask
    np.testing.assert_array_equal(found, (frame.states == frame.states[node]) & (o == 1))
    QTest.mouseMove(window.views["image"].canvas.viewport(), QPoint(1, 1))
    bars.leaveEvent(None)
    assert window.document.pointer.symbol is None
    assert not darkened(window, "image").any()


def check_a_bar_of_b_sets_off_its_symbol_in_the_pinned_window(window, qtbot) -> None:
    frame = settle(qtbot, window)
    window.views["states"].canvas.zoom(8)
    window.document.pin((100, 120))
    view = window.views["emissions"]
    plot = view.rows_layout(frame).plot_of(3)
    QTest.mouseMove(view, column(view, plot, 2, 3))
    assert window.document.pointer.symbol == 2
    wanted = np.zeros(frame.states.shape, dtype=bool)
    part = slice(97, 104), slice(117, 124)
    wanted[part] = frame.observations.values[part] != 2
    np.testing.assert_array_equal(darkened(window, "image"), wanted)
