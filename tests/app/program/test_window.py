"""The window, driven by mouse and keys through to the pixels of the views."""

import sys

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QGuiApplication, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.docking.uses import names_in, use_of
from latviz.app.help.help_dialog import HelpDialog
from latviz.app.look import theme as themes
from latviz.app.look.theme import DARK, LIGHT
from latviz.app.panels.preferences import Preferences
from latviz.app.program.main import report_exceptions
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from latviz.app.views.states.overlays import border_map
from latviz.app.widgets.canvas import Canvas
from latviz.app.work.progress_bars import SHOWN_AFTER_MS
from latviz.core import digits
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import begin_anew, drag, settle
from tests.app.fingers import changed_by_fingers
from tests.app.frames import drag_to, outlines, timer_of
from tests.app.frames import pixels as pixels_of

CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


def point_of(window: MainWindow, name: str, node: tuple[int, int]) -> QPoint:
    """Return where the middle of a pixel of the picture is drawn in a canvas."""
    canvas = window.views[name].canvas
    scene = canvas.box.mapViewToScene(QPointF(node[1] + 0.5, node[0] + 0.5))
    return canvas.mapFromScene(scene)


def assert_map_shows(window: MainWindow, frame: Frame) -> None:
    """Compare the drawn state map with the frame's states, away from the pixels' edges."""
    drawn = pixels_of(window.views["states"].canvas)
    colors = state_colors(frame.slots)
    rng = np.random.default_rng(0)
    inner = inner_nodes(frame.states)
    assert len(inner) > 500
    for row, column in inner[rng.choice(len(inner), 200, replace=False)]:
        point = point_of(window, "states", (row, column))
        expected = colors[frame.states[row, column]]
        np.testing.assert_array_equal(drawn[point.y(), point.x()], expected)


def inner_nodes(states: np.ndarray) -> np.ndarray:
    """Return the nodes whose 3 x 3 neighbourhood is of one state."""
    same = np.ones(states.shape, dtype=bool)
    for rows in (-1, 0, 1):
        for columns in (-1, 0, 1):
            same &= np.roll(states, (rows, columns), (0, 1)) == states
    same[[0, -1]] = same[:, [0, -1]] = False
    return np.argwhere(same)


def choose(box: object, name: str) -> None:
    box.setCurrentIndex(box.findData(name))
    box.activated.emit(box.currentIndex())


def check_the_first_picture_is_right_and_the_help_lists_all_keys(window: MainWindow) -> None:
    frame = window.document.frame
    assert frame is not None
    assert_map_shows(window, frame)
    assert not window.banner.isVisible()
    assert "all 48,000 pixels" in window.status.learned.text()
    keys = [key.toString() for action in window.menus.actions for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert len(keys) > 30
    for _ in range(3):  # the help opens once
        QTest.keyClick(window, Qt.Key.Key_F1)
    (dialog,) = window.findChildren(HelpDialog)
    dialog.show_page("shortcuts.md")
    text = dialog.browser.toPlainText()
    for shortcut in window.menus.shortcuts():
        assert shortcut.keys in text
        assert shortcut.text in text
    dialog.close()


def test_hands_encodings_and_undo(window, qtbot, show_only) -> None:
    check_dragging_n_and_w_changes_every_view(window, qtbot)
    check_odd_shapes(window, qtbot)  # in every view, too
    show_only("controls", "image", "states")
    begin_anew(qtbot, window)
    check_keys_the_wheel_and_unlinked_windows(window, qtbot)
    window.document.reset()
    check_every_encoding(window, qtbot)
    begin_anew(qtbot, window)
    check_failures_are_told_until_they_are_undone_or_left_behind(window, qtbot)
    window.document.reset()
    numbers: list[int] = []
    window.document.frame_changed.connect(lambda frame: numbers.append(frame.request.number))
    for value in [*range(0, 30, 4), *range(30, 5, -4)]:
        window.controls["window"].slider.setValue(value)
        qtbot.wait(1)
    frame = settle(qtbot, window)
    assert frame.request.parameters.window == 6
    assert numbers == sorted(numbers)


def check_dragging_n_and_w_changes_every_view(window: MainWindow, qtbot: QtBot) -> None:
    names = ("states", "space", "adjacency", "indices", "likelihood", "emissions")
    before = {name: pixels_of(window.views[name]) for name in names}
    drag(window.controls["n_states"].slider, 9)
    frame = settle(qtbot, window)
    assert frame.model.n_states == window.document.parameters.n_states == 9
    assert window.controls["n_states"].box.value() == 9
    assert_map_shows(window, frame)
    for name in names:
        now = pixels_of(window.views[name])
        assert now.shape != before[name].shape or (now != before[name]).any(), name
    drag(window.controls["window"].slider, 12)
    frame = settle(qtbot, window)
    assert frame.request.parameters.window == 12
    assert window.controls["learning_window"].number.value == 12
    assert_map_shows(window, frame)


def wheel(widget: QWidget) -> None:
    none = Qt.MouseButton.NoButton
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(), QPoint(0, 120), none,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def check_keys_the_wheel_and_unlinked_windows(window: MainWindow, qtbot: QtBot) -> None:
    """The wheel changes only what has the keyboard; two fingers change nothing."""
    controls, document = window.controls, window.document
    first = document.parameters
    assert changed_by_fingers(window) == []
    controls.reset.setFocus()
    for widget in (controls["n_states"].slider, controls["window"].box, controls["encoding.name"]):
        wheel(widget)
    assert document.parameters == first
    for key, field, value in (
        (Qt.Key.Key_Up, "n_states", 5),
        (Qt.Key.Key_Right, "window", 4),
        (Qt.Key.Key_Down, "n_states", 4),
        (Qt.Key.Key_Left, "window", 3),
    ):
        QTest.keyClick(window, key, CONTROL)
        assert getattr(document.parameters, field) == value
    QTest.keyClick(window, Qt.Key.Key_B)
    assert document.display.borders
    QTest.keyClick(window, Qt.Key.Key_BracketLeft)
    assert document.display.opacity == 0.9
    for key, field, typed, value in (
        (Qt.Key.Key_W, "window", "12", 12),
        (Qt.Key.Key_A, "alpha", "0.25", 0.25),
        (Qt.Key.Key_N, "n_states", "6", 6),
    ):
        controls.reset.setFocus()
        QTest.keyClick(window, key)
        QTest.keyClicks(
            QApplication.focusWidget(), typed
        )  # the number is selected: this replaces it
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        assert getattr(document.parameters, field) == value
    assert controls["window"].slider.value() == 12
    QTest.keyClick(controls["window"].box, Qt.Key.Key_Up)
    assert document.parameters.window == 13
    assert settle(qtbot, window).request.parameters.window == 13
    document.reset()
    check_unlinked(window)


def check_unlinked(window: MainWindow) -> None:
    """Learning follows w until it is unlinked."""
    learning = window.controls["learning_window"]
    assert not learning.number.box.isEnabled()
    assert not learning.number.slider.isVisible()
    learning.link.click()
    assert window.document.parameters.learning_window == 3
    assert learning.number.box.isEnabled()
    assert learning.number.slider.isVisible()
    drag(window.controls["window"].slider, 9)
    assert window.document.parameters.window > 3
    assert window.document.parameters.learning_window == 3
    learning.link.click()
    assert window.document.parameters.learning_window is None
    assert learning.number.value == window.document.parameters.window


def check_every_encoding(window: MainWindow, qtbot: QtBot) -> None:
    few = ((np.arange(30 * 35).reshape(30, 35) // 7) % 11 * 20).astype(np.uint8)
    window.document.open(Picture(np.stack([few, 220 - few, few], axis=2), "few"))
    for encoding in ENCODINGS:
        choose(window.controls["encoding.name"], encoding)
        frame = settle(qtbot, window)
        info = ENCODINGS[frame.request.parameters.encoding.name]
        assert frame.request.parameters.encoding.name == encoding, encoding
        assert frame.observations.discrete == info.discrete, encoding
        assert not window.banner.isVisible(), encoding
        assert window.controls["encoding.n_symbols"].isVisible() == info.uses_symbols, encoding
        assert window.controls["encoding.scale"].isVisible() == info.uses_scale, encoding


def test_pointing_layers_themes_and_the_layout(window: MainWindow, qtbot: QtBot) -> None:
    check_hovering_inspects_the_pixel_and_zoom_and_pan_are_shared(window, qtbot)
    begin_anew(qtbot, window)
    check_the_map_is_drawn_with_leaves_and_borders_and_blends_with_the_image(window, qtbot)
    with pytest.MonkeyPatch.context() as patch:
        check_the_theme_is_that_chosen_or_follows_the_system(window, patch)
    window.parts[Preferences].choose_theme("light")
    begin_anew(qtbot, window)
    check_the_default_layout_and_what_is_hidden(window, qtbot)


def check_hovering_inspects_the_pixel_and_zoom_and_pan_are_shared(window, qtbot) -> None:
    frame = settle(qtbot, window)
    node = (0, 5)
    canvas = window.views["image"].canvas
    QTest.mouseMove(canvas.viewport(), point_of(window, "image", (50, 50)))
    QTest.mouseMove(canvas.viewport(), point_of(window, "image", node))
    view = window.views["image"]
    qtbot.waitUntil(lambda: view.inspection is not None and view.inspection.node == node)
    symbols = frame.observations.values[0:4, 2:9]
    shares = np.bincount(symbols.reshape(-1), minlength=3) / 28
    fields = window.views["pixel"].fields
    assert fields["Pixel"].text() == "row 0, column 5"
    assert fields["Window"].text() == "4 × 7 pixels"
    assert fields["Value"].text() == str(window.document.picture.pixels[node])
    assert fields["Signature"].text() == ", ".join(map(digits.probability, shares))
    mark = outlines(canvas)[0]
    assert mark.isVisible()
    assert (mark.rect().x(), mark.rect().y()) == (2, 0)
    assert (mark.rect().width(), mark.rect().height()) == (7, 4)
    QTest.mouseMove(canvas.viewport(), QPoint(1, 1))
    assert window.views["image"].inspection is None
    assert not mark.isVisible()
    image, states = window.views["image"].canvas, window.views["states"].canvas
    QTest.keyClick(window, Qt.Key.Key_Plus, CONTROL)
    assert not image.whole
    check_a_fast_hand(states)
    QTest.mouseDClick(states.viewport(), LEFT, pos=QPoint(60, 60))
    assert image.whole
    assert states.whole


def check_a_fast_hand(canvas: Canvas) -> None:
    """A map has moved as far as the mouse when the button is released, even after a fast move."""
    port, start, by = canvas.viewport(), QPoint(60, 60), QPoint(40, 24)
    canvas.zoom(3.0)
    at_first = canvas.centre
    QTest.mousePress(port, LEFT, pos=start)
    for step in (0.5, 1.0):
        drag_to(port, start + by * step)
    moved = (at_first - canvas.centre) * canvas.scale_factor
    np.testing.assert_allclose((moved.x(), moved.y()), (40, 24), rtol=0.0, atol=0.5)
    QTest.mouseRelease(port, LEFT, pos=start + by)


def check_the_map_is_drawn_with_leaves_and_borders_and_blends_with_the_image(window, qtbot) -> None:
    frame, canvas = settle(qtbot, window), window.views["states"].canvas
    canvas.zoom(8.0)
    check_lines(window, frame)
    window.docks["states"].header.blend.slider.setValue(0)
    settle(qtbot, window)
    canvas.show_all()
    canvas.zoom(4.0)
    drawn, image = pixels_of(canvas), pixels_of(window.views["image"].canvas)
    for node in ((100, 120), (95, 110), (110, 128)):
        here, there = (point_of(window, name, node) for name in ("states", "image"))
        value = frame.request.picture.pixels[node]
        assert (drawn[here.y(), here.x()] == value).all()
        assert (image[there.y(), there.x()] == value).all()
    canvas.show_all()
    window.docks["states"].header.blend.slider.setValue(100)
    assert_map_shows(window, frame)


def check_lines(window: MainWindow, frame: Frame) -> None:
    """Switch leaves and borders on and off again; borders are between states."""
    canvas = window.views["states"].canvas
    plain = pixels_of(canvas)
    for key in (Qt.Key.Key_Q, Qt.Key.Key_B):
        QTest.keyClick(window, key)
        lined = pixels_of(canvas)
        assert 0.001 < (lined != plain).any(axis=2).mean() < 0.6
        QTest.keyClick(window, key)
        np.testing.assert_array_equal(pixels_of(canvas), plain)
    rows, columns = canvas.region
    inner = np.argwhere(border_map(frame.states)[rows, columns][1:-1, 1:-1] == 1) + 1
    assert len(inner) > 20
    for row, column in inner[:: max(1, len(inner) // 50)]:
        point = point_of(window, "states", (rows.start + row, columns.start + column))
        assert tuple(lined[point.y(), point.x()]) == (16, 19, 23)


def check_the_default_layout_and_what_is_hidden(window: MainWindow, qtbot: QtBot) -> None:
    """Hidden views are not computed; the layout is remembered."""
    document = window.document
    window.tabs.stage.close_dock("space")
    drag(window.controls["window"].slider, 9)
    assert settle(qtbot, window).space is None
    window.tabs.stage.open_dock("space")
    qtbot.waitUntil(lambda: document.frame is not None and document.frame.space is not None)
    window.tabs.stage.close_dock("image")
    window.tabs.restore_default()
    for name, dock in window.docks.items():
        assert dock.isVisible() == (name in names_in(use_of("inspect").plan))
    window.tabs.stage.close_dock("likelihood")
    window.parts[Preferences].show_graph(True)
    window.close()
    again = MainWindow(Settings())
    again.show()
    assert again.document.display.graph
    assert again.docks["adjacency"].header.buttons[1].isChecked()
    again.parts[Preferences].show_graph(False)
    assert not again.docks["likelihood"].isVisible()
    assert again.docks["indices"].isVisible()
    again.tabs.restore_default()
    again.close()


def check_the_theme_is_that_chosen_or_follows_the_system(window, monkeypatch) -> None:
    for name, theme in (("dark", DARK), ("light", LIGHT)):
        window.parts[Preferences].choose_theme(name)
        corner = pixels_of(window.views["image"].canvas)[2, 2]
        assert tuple(corner) == theme.color("panel").getRgb()[:3]
    window.parts[Preferences].choose_theme("system")
    hints = QGuiApplication.styleHints()
    for theme in (DARK, LIGHT):
        monkeypatch.setattr(themes, "system_theme", lambda theme=theme: theme)
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Unknown)
        for name in ("image", "space", "adjacency", "likelihood"):
            corner = pixels_of(window.views[name])[-2, 2]
            assert tuple(corner) == theme.color("panel").getRgb()[:3]


@pytest.mark.usefixtures("few_views")
def test_the_first_picture_is_right_learning_comes_to_rest_and_exceptions_are_survived(
    window, qtbot, monkeypatch, capsys, clipboard
) -> None:
    check_the_first_picture_is_right_and_the_help_lists_all_keys(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    check_learning_from_all_comes_to_rest_and_can_be_declined_and_asked_for(window, qtbot)
    begin_anew(qtbot, window)
    check_samples_have_the_size_set_and_reset_what_was_asked_for(window, qtbot)
    begin_anew(qtbot, window)
    check_an_exception_in_a_slot_is_shown_and_survived(
        window, qtbot, monkeypatch, capsys, clipboard
    )


def check_an_exception_in_a_slot_is_shown_and_survived(
    window, qtbot, monkeypatch, capsys, clipboard
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    report_exceptions(window)
    try:
        raise RuntimeError("this slot is broken")
    except RuntimeError:
        sys.excepthook(*sys.exc_info())
    qtbot.waitUntil(window.banner.isVisible)
    assert "this slot is broken" in window.banner.label.text()
    QTest.mouseClick(window.banner.copy_button, LEFT)
    assert "Traceback" in clipboard.text()
    assert "RuntimeError" in capsys.readouterr().err
    window.banner.hide()
    with monkeypatch.context() as patch:
        for name in ("stdin", "stdout", "stderr"):  # as in latviz-gui on Windows
            patch.setattr(sys, name, None)
        error = ValueError("without a terminal")
        sys.excepthook(ValueError, error, None)
        qtbot.waitUntil(window.banner.isVisible)
    assert "without a terminal" in window.banner.label.text()
    drag(window.controls["n_states"].slider, 6)
    assert settle(qtbot, window).model.n_states > 4


def check_failures_are_told_until_they_are_undone_or_left_behind(window, qtbot) -> None:
    frame, document = settle(qtbot, window), window.document
    document.set("labels", encoding=Encoding("labels"))
    qtbot.waitUntil(window.banner.isVisible)
    assert "failed" in window.status.mark.text()
    assert document.frame is frame
    assert_map_shows(window, frame)
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: not window.banner.isVisible())
    qtbot.waitUntil(lambda: "up to date" in window.status.mark.text())
    told: list[object] = []
    document.failed.connect(told.append)
    for _ in range(5):
        document.set("labels", encoding=Encoding("labels"))
        document.set("grey", encoding=Encoding("grey"))
        settle(qtbot, window)
    assert not told


def check_odd_shapes(window: MainWindow, qtbot: QtBot) -> None:
    for shape in [(1, 1), (1, 300), (300, 1), (3, 2), (40, 900)]:
        pixels = np.random.default_rng(1).integers(0, 255, (*shape, 3)).astype(np.uint8)
        window.document.open(Picture(pixels, "odd"), Parameters(n_states=5, window=2))
        frame = settle(qtbot, window)
        assert frame.states.shape == shape
        assert not window.banner.isVisible(), shape
        node = (shape[0] // 2, shape[1] // 2)
        if window.views["states"].canvas.scale_factor >= 3:
            point = point_of(window, "states", node)
            color = frame.colors[frame.states[node]]
            drawn = pixels_of(window.views["states"].canvas)
            np.testing.assert_array_equal(drawn[point.y(), point.x()], color, err_msg=str(shape))


def check_learning_from_all_comes_to_rest_and_can_be_declined_and_asked_for(window, qtbot) -> None:
    document, bar = window.document, window.status.learning
    timer_of(bar.under_way, SHOWN_AFTER_MS).setInterval(0)
    frames: list[Frame] = []
    document.frame_changed.connect(frames.append)
    pixels = np.random.default_rng(2).integers(0, 256, (1100, 1000)).astype(np.uint8)
    document.open(Picture(pixels, "large"), Parameters(Encoding("quantiles", 8), n_states=3))
    qtbot.waitUntil(lambda: document.activity.work == "learning")
    qtbot.waitUntil(bar.under_way.isVisible)
    QTest.mouseClick(bar.under_way.cancel, LEFT)
    qtbot.waitUntil(bar.learn.isVisible)
    assert not bar.under_way.isVisible()
    assert document.frame.n_learned < document.frame.n_signatures
    assert "sample" in window.status.learned.text()
    document.set("alpha", alpha=0.5)
    qtbot.waitUntil(lambda: document.frame.request.parameters.alpha == 0.5)
    qtbot.wait(600)
    assert document.activity.work == "declined"
    QTest.mouseClick(bar.learn, LEFT)
    qtbot.waitUntil(lambda: frames[-1].request.complete and frames[-1].finished)
    assert frames[0].n_learned < frames[-1].n_learned == frames[-1].n_signatures
    assert document.activity.work == "idle"
    assert not bar.learn.isVisible()
    settle(qtbot, window)
    count = len(frames)
    qtbot.wait(500)
    assert len(frames) == count


def check_samples_have_the_size_set_and_reset_what_was_asked_for(window, qtbot) -> None:
    document, frames = window.document, list[Frame]()
    document.change("Change the sample", sample=1024)
    document.frame_changed.connect(frames.append)
    document.set("w", window=6)
    settle(qtbot, window)
    first = next(frame for frame in frames if frame.request.parameters.window == 6)
    assert 900 < first.n_learned <= 1024
    document.open(Picture(np.eye(30, dtype=np.uint8), "asked"), Parameters(n_states=9))
    document.set("N", n_states=3)
    QTest.keyClick(window, Qt.Key.Key_R, CONTROL)
    assert document.parameters.n_states == 9
    few = (np.indices((40, 50)).sum(axis=0) % 2 * 200).astype(np.uint8)
    three = Parameters(Encoding("quantiles", 3))
    document.open(Picture(few, "few", notes=("read somehow",)), three)
    settle(qtbot, window)
    text = window.status.message.whole_text()  # of the encoder, too
    assert "read somehow" in text
    assert "only 2 of 3" in text
