"""The window, driven by mouse and keys through to the pixels of the views."""

import sys

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QGuiApplication, QImage, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.help.help_dialog import HelpDialog
from latviz.app.look import theme as themes
from latviz.app.look.theme import DARK, LIGHT
from latviz.app.panels.preferences import Preferences
from latviz.app.program.main import report_exceptions
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from latviz.app.views.states.overlays import border_map
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import drag, settle

CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


def pixels_of(widget: QWidget) -> np.ndarray:
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    bits = image.constBits()
    assert bits is not None
    rows = np.frombuffer(bits.asstring(image.sizeInBytes()), dtype=np.uint8)
    rows = rows.reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)


def point_of(window: MainWindow, name: str, node: tuple[int, int]) -> QPoint:
    """Return where the middle of a pixel of the picture is drawn in a canvas."""
    canvas = window.views[name].canvas  # type: ignore[attr-defined]
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
    box.setCurrentIndex(box.findData(name))  # type: ignore[attr-defined]
    box.activated.emit(box.currentIndex())  # type: ignore[attr-defined]


def test_the_first_picture_is_right(window: MainWindow) -> None:
    frame = window.document.frame
    assert frame is not None
    assert_map_shows(window, frame)
    assert not window.banner.isVisible()
    assert "all 48,000 pixels" in window.status.learned.text()


def test_dragging_n_changes_every_view(window: MainWindow, qtbot: QtBot) -> None:
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


def test_dragging_w_changes_the_picture(window: MainWindow, qtbot: QtBot) -> None:
    drag(window.controls["window"].slider, 12)
    frame = settle(qtbot, window)
    assert frame.request.parameters.window == 12
    assert window.controls["learning_window"].number.value == 12
    assert_map_shows(window, frame)


def test_keys_in_the_number_box(window: MainWindow, qtbot: QtBot) -> None:
    box = window.controls["window"].box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "7")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert window.document.parameters.window == 7
    assert window.controls["window"].slider.value() == 7
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert window.document.parameters.window == 8
    assert settle(qtbot, window).request.parameters.window == 8


def test_alpha_shifts_the_pair_term(window: MainWindow, qtbot: QtBot) -> None:
    before = settle(qtbot, window).evaluation
    drag(window.controls["alpha"].slider, 50)
    frame = settle(qtbot, window)
    after = frame.evaluation
    assert before is not None
    assert after is not None
    height, width = frame.states.shape
    pairs = height * (width - 1) + width * (height - 1)
    alpha = frame.request.parameters.alpha
    assert alpha < 0.6
    expected = before.pair_term + pairs * np.log(alpha)
    np.testing.assert_allclose(after.pair_term, expected, rtol=1e-9, atol=0.0)


def test_shortcuts(window: MainWindow, qtbot: QtBot) -> None:
    for key, field, value in (
        (Qt.Key.Key_Up, "n_states", 5),
        (Qt.Key.Key_Right, "window", 4),
        (Qt.Key.Key_Down, "n_states", 4),
        (Qt.Key.Key_Left, "window", 3),
    ):
        QTest.keyClick(window, key, CONTROL)
        assert getattr(window.document.parameters, field) == value
    QTest.keyClick(window, Qt.Key.Key_B)
    assert window.document.display.borders
    QTest.keyClick(window, Qt.Key.Key_BracketLeft)
    assert window.document.display.opacity == 0.9
    QTest.keyClick(window, Qt.Key.Key_W)
    assert window.controls["window"].slider.hasFocus()


def test_no_two_actions_share_a_shortcut(window: MainWindow) -> None:
    keys = [key.toString() for action in window.menus.actions for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert len(keys) > 30


def test_help_lists_every_shortcut(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_F1)
    (dialog,) = window.findChildren(HelpDialog)
    dialog.show_page("shortcuts.md")
    text = dialog.browser.toPlainText()
    for shortcut in window.menus.shortcuts():
        assert shortcut.keys in text
        assert shortcut.text in text
    dialog.close()


def test_undo_and_redo(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    first = document.parameters
    drag(window.controls["n_states"].slider, 8)
    dragged = document.parameters
    assert dragged != first
    choose(window.controls["encoding.name"], "grey")
    assert document.parameters.encoding.name == "grey"
    settle(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert document.parameters == dragged
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert document.parameters == first
    assert window.controls["n_states"].value == 4
    assert settle(qtbot, window).request.parameters == first
    document.undo_stack.redo()
    assert document.parameters == dragged


def test_reset_can_be_undone(window: MainWindow) -> None:
    first = window.document.parameters
    drag(window.controls["window"].slider, 20)
    changed = window.document.parameters
    assert changed != first
    QTest.mouseClick(window.controls.reset, LEFT)
    assert window.document.parameters == first
    window.document.undo_stack.undo()
    assert window.document.parameters == changed


def test_unlinked_windows(window: MainWindow) -> None:
    evaluation = window.controls["evaluation_window"]
    assert not evaluation.number.box.isEnabled()
    assert not evaluation.number.slider.isVisible()
    evaluation.link.click()
    assert window.document.parameters.evaluation_window == 3
    assert evaluation.number.box.isEnabled()
    assert evaluation.number.slider.isVisible()
    drag(window.controls["window"].slider, 9)
    assert window.document.parameters.window > 3
    assert window.document.parameters.evaluation_window == 3
    evaluation.link.click()
    assert window.document.parameters.evaluation_window is None
    assert evaluation.number.value == window.document.parameters.window


def test_every_encoding(window: MainWindow, qtbot: QtBot) -> None:
    for encoding in ENCODINGS:
        few = ((np.arange(60 * 70).reshape(60, 70) // 7) % 11 * 20).astype(np.uint8)
        window.document.open(Picture(np.stack([few, 220 - few, few], axis=2), "few"))
        choose(window.controls["encoding.name"], encoding)
        frame = settle(qtbot, window)
        info = ENCODINGS[frame.request.parameters.encoding.name]
        assert frame.request.parameters.encoding.name == encoding, encoding
        assert frame.observations.discrete == info.discrete, encoding
        assert not window.banner.isVisible(), encoding
        assert window.controls["encoding.n_symbols"].isVisible() == info.uses_symbols, encoding
        assert window.controls["encoding.scale"].isVisible() == info.uses_scale, encoding


def test_hovering_inspects_the_pixel(window: MainWindow, qtbot: QtBot) -> None:
    frame = settle(qtbot, window)
    node = (0, 5)
    canvas = window.views["image"].canvas
    QTest.mouseMove(canvas.viewport(), point_of(window, "image", (50, 50)))
    QTest.mouseMove(canvas.viewport(), point_of(window, "image", node))
    view = window.views["image"]
    qtbot.waitUntil(lambda: view.inspection is not None and view.inspection.node == node)
    found = view.inspection
    assert found is not None
    assert found.window == (slice(0, 4), slice(2, 9))
    symbols = frame.observations.values[0:4, 2:9]
    shares = np.bincount(symbols.reshape(-1), minlength=3) / 28
    np.testing.assert_allclose(found.signature, shares, rtol=1e-12, atol=0.0)
    distances = np.sqrt(((frame.codebook - shares) ** 2).sum(axis=1))
    assert found.nearest[0][0] == found.state == frame.states[node] == distances.argmin()
    np.testing.assert_allclose(found.nearest[1][1], np.sort(distances)[1], rtol=1e-12, atol=0.0)
    fields = window.views["pixel"].fields  # type: ignore[attr-defined]
    assert fields["Pixel"].text() == "row 0, column 5"
    assert fields["Window"].text() == "4 × 7 pixels"
    assert fields["Value"].text() == str(window.document.picture.pixels[node])
    assert f"{distances.min():.4f}" in fields["State"].text()
    assert fields["Signature"].text() == ", ".join(f"{share:.3f}" for share in shares)
    mark = canvas._window_mark
    assert mark.isVisible()
    assert (mark.rect().x(), mark.rect().y()) == (2, 0)
    assert (mark.rect().width(), mark.rect().height()) == (7, 4)
    QTest.mouseMove(canvas.viewport(), QPoint(1, 1))
    assert window.views["image"].inspection is None
    assert not mark.isVisible()


def test_zoom_and_pan_are_shared(window: MainWindow) -> None:
    image, states = window.views["image"].canvas, window.views["states"].canvas
    QTest.keyClick(window, Qt.Key.Key_Plus, CONTROL)
    assert not image.whole
    np.testing.assert_allclose(image.scale_factor, states.scale_factor, rtol=1e-6, atol=0.0)
    image.box.translateBy(x=15.0, y=-9.0)
    image.box.sigRangeChangedManually.emit([True, True])
    np.testing.assert_allclose(
        (image.centre.x(), image.centre.y()),
        (states.centre.x(), states.centre.y()),
        rtol=0.0,
        atol=1e-6,
    )
    QTest.mouseDClick(states.viewport(), LEFT, pos=QPoint(60, 60))
    assert image.whole
    assert states.whole


def test_opacity_blends_with_the_image(window: MainWindow, qtbot: QtBot) -> None:
    window.docks["states"].header.blend.slider.setValue(0)
    frame = settle(qtbot, window)
    window.views["states"].canvas.zoom(4.0)
    drawn, image = pixels_of(window.views["states"].canvas), pixels_of(window.views["image"].canvas)
    for node in ((100, 120), (95, 110), (110, 128)):
        here, there = (point_of(window, name, node) for name in ("states", "image"))
        value = frame.request.picture.pixels[node]
        assert (drawn[here.y(), here.x()] == value).all()
        assert (image[there.y(), there.x()] == value).all()
    window.views["states"].canvas.show_all()
    window.docks["states"].header.blend.slider.setValue(100)
    assert_map_shows(window, frame)


def test_hidden_views_are_not_computed(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    window.docks["space"].close()
    drag(window.controls["window"].slider, 9)
    assert settle(qtbot, window).space is None
    window.docks["space"].show()
    qtbot.waitUntil(lambda: document.frame is not None and document.frame.space is not None)


def test_restoring_the_layout(window: MainWindow) -> None:
    window.docks["adjacency"].setFloating(True)
    window.docks["image"].close()
    window.tabs.layout.restore_default()
    for name, dock in window.docks.items():
        hidden = ("map", "pins", "regions", "tree", "tradeoff", "guide", "lesson")
        hidden = (*hidden, "multiples", "tried", "steps", "selections", "images", "shelf")
        assert dock.isVisible() == (name not in hidden)
        assert not dock.isFloating()


def test_the_layout_is_remembered(window: MainWindow) -> None:
    window.docks["likelihood"].close()
    window.close()
    again = MainWindow(Settings())
    again.show()
    assert not again.docks["likelihood"].isVisible()
    assert again.docks["indices"].isVisible()
    again.tabs.layout.restore_default()
    again.close()


def test_the_theme_is_that_chosen(window: MainWindow) -> None:
    for name, theme in (("dark", DARK), ("light", LIGHT)):
        window.parts[Preferences].choose_theme(name)
        corner = pixels_of(window.views["image"].canvas)[2, 2]
        assert tuple(corner) == theme.color("panel").getRgb()[:3]


def test_the_theme_follows_the_system(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window.parts[Preferences].choose_theme("system")
    hints = QGuiApplication.styleHints()
    assert hints is not None
    for theme in (DARK, LIGHT):
        monkeypatch.setattr(themes, "system_theme", lambda theme=theme: theme)
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Unknown)
        for name in ("image", "space", "adjacency", "likelihood"):
            corner = pixels_of(window.views[name])[-2, 2]
            assert tuple(corner) == theme.color("panel").getRgb()[:3]


def test_an_exception_in_a_slot_is_shown_and_survived(
    window: MainWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    report_exceptions(window)
    try:
        raise RuntimeError("this slot is broken")
    except RuntimeError:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    qtbot.waitUntil(window.banner.isVisible)
    assert "this slot is broken" in window.banner.label.text()
    QTest.mouseClick(window.banner.copy_button, LEFT)
    clipboard = QGuiApplication.clipboard()
    assert clipboard is not None
    assert "Traceback" in clipboard.text()
    assert "RuntimeError" in capsys.readouterr().err
    drag(window.controls["n_states"].slider, 6)
    assert settle(qtbot, window).model.n_states > 4


def test_a_fast_drag_ends_on_the_newest(window: MainWindow, qtbot: QtBot) -> None:
    numbers: list[int] = []
    window.document.frame_changed.connect(lambda frame: numbers.append(frame.request.number))
    for value in [*range(40), *range(40, 5, -1)]:
        window.controls["window"].slider.setValue(value)
        qtbot.wait(1)
    frame = settle(qtbot, window)
    assert frame.request.parameters.window == 6
    assert numbers == sorted(numbers)


def test_odd_shapes(window: MainWindow, qtbot: QtBot) -> None:
    for shape in [(1, 1), (1, 300), (300, 1), (3, 2), (40, 900), (900, 40)]:
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


def test_a_large_image_comes_to_rest(window: MainWindow, qtbot: QtBot) -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (1100, 1000)).astype(np.uint8)
    frames: list[Frame] = []
    window.document.frame_changed.connect(frames.append)
    window.document.open(Picture(pixels, "large"), Parameters(n_states=3))

    def at_rest() -> bool:
        return bool(frames) and frames[-1].request.complete and frames[-1].finished

    qtbot.waitUntil(at_rest, timeout=60_000)
    assert frames[0].n_learned < frames[-1].n_learned == frames[-1].n_signatures
    count = len(frames)
    qtbot.wait(1000)
    assert len(frames) == count


def test_learning_from_all_can_be_declined_and_asked_for(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, bar = window.document, window.status.learning
    pixels = np.random.default_rng(2).integers(0, 256, (1500, 1400)).astype(np.uint8)
    document.open(Picture(pixels, "large"), Parameters(Encoding("quantiles", 8), n_states=3))
    qtbot.waitUntil(lambda: document.activity.work == "learning", timeout=60_000)
    qtbot.waitUntil(bar.under_way.isVisible, timeout=60_000)
    QTest.mouseClick(bar.under_way.cancel, LEFT)
    qtbot.waitUntil(bar.learn.isVisible, timeout=60_000)
    assert not bar.under_way.isVisible()
    assert document.frame is not None
    assert document.frame.n_learned < document.frame.n_signatures
    assert "sample" in window.status.learned.text()
    document.set("alpha", alpha=0.5)
    qtbot.waitUntil(lambda: document.frame.request.parameters.alpha == 0.5, timeout=60_000)
    qtbot.wait(600)
    assert document.activity.work == "declined"
    QTest.mouseClick(bar.learn, LEFT)
    settle(qtbot, window)
    assert document.activity.work == "idle"
    assert not bar.learn.isVisible()


def test_what_cannot_be_encoded_is_said_until_it_is_undone(
    window: MainWindow, qtbot: QtBot
) -> None:
    frame = settle(qtbot, window)
    window.document.set("labels", encoding=Encoding("labels"))
    qtbot.waitUntil(window.banner.isVisible)
    assert "failed" in window.status.mark.text()
    assert window.document.frame is frame
    assert_map_shows(window, frame)
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: not window.banner.isVisible())
    qtbot.waitUntil(lambda: "up to date" in window.status.mark.text())


def test_a_failure_that_was_left_behind_is_not_told(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    told: list[object] = []
    document.failed.connect(told.append)
    for _ in range(5):
        document.set("labels", encoding=Encoding("labels"))
        document.set("grey", encoding=Encoding("grey"))
        settle(qtbot, window)
    assert not told


def wheel(widget: QWidget) -> None:
    none = Qt.MouseButton.NoButton
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(), QPoint(0, 120), none,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def test_the_wheel_changes_only_what_has_the_keyboard(window: MainWindow) -> None:
    controls, document = window.controls, window.document
    first = document.parameters
    controls.reset.setFocus()
    for widget in (controls["n_states"].slider, controls["window"].box, controls["encoding.name"]):
        wheel(widget)
    assert document.parameters == first
    controls["n_states"].slider.setFocus()
    wheel(controls["n_states"].slider)
    assert document.parameters.n_states > first.n_states


def test_the_help_opens_once(window: MainWindow) -> None:
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_F1)
    assert len(window.findChildren(HelpDialog)) == 1
    window.findChildren(HelpDialog)[0].close()


def test_reset_returns_to_what_suits_the_picture(window: MainWindow, qtbot: QtBot) -> None:
    window.document.set("N", n_states=7)
    window.document.open(Picture(np.eye(30, dtype=np.uint8) * 200, "next"))
    window.document.set("N", n_states=3)
    QTest.keyClick(window, Qt.Key.Key_R, CONTROL)
    found = window.document.parameters  # not what the last picture had
    assert (found.encoding, found.n_states, found.window) == (Encoding("labels"), 2, 3)
    window.document.open(Picture(np.eye(30, dtype=np.uint8), "asked"), Parameters(n_states=9))
    window.document.set("N", n_states=3)
    QTest.keyClick(window, Qt.Key.Key_R, CONTROL)
    assert window.document.parameters.n_states == 9
    settle(qtbot, window)


def test_what_is_dragged_is_learned_from_a_sample_of_the_size_set(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.document.change("Change the sample", sample=1024)
    frames: list[Frame] = []
    window.document.frame_changed.connect(frames.append)
    window.document.set("w", window=6)
    settle(qtbot, window)
    first = next(frame for frame in frames if frame.request.parameters.window == 6)
    assert 900 < first.n_learned <= 1024


def test_zoom_has_limits(window: MainWindow) -> None:
    canvas = window.views["states"].canvas
    for _ in range(60):
        canvas.zoom(2.0)
    rows, columns = canvas.region
    assert rows.stop - rows.start >= 1
    assert columns.stop - columns.start >= 1
    for _ in range(60):
        canvas.zoom(0.5)
    assert canvas.scale_factor > 1e-3


@pytest.mark.parametrize("zoom", [1.0, 8.0])
def test_leaves_and_borders_are_drawn_where_states_change(
    window: MainWindow, qtbot: QtBot, zoom: float
) -> None:
    frame = settle(qtbot, window)
    canvas = window.views["states"].canvas
    canvas.zoom(zoom)
    plain = pixels_of(canvas)
    for key in (Qt.Key.Key_Q, Qt.Key.Key_B):
        QTest.keyClick(window, key)
        lined = pixels_of(canvas)
        changed = (lined != plain).any(axis=2)
        assert 0.001 < changed.mean() < 0.6
        QTest.keyClick(window, key)
        np.testing.assert_array_equal(pixels_of(canvas), plain)
    QTest.keyClick(window, Qt.Key.Key_B)
    rows, columns = canvas.region
    border = border_map(frame.states)[rows, columns]
    lined = pixels_of(canvas)
    inner = np.argwhere(border[1:-1, 1:-1] == 1) + 1
    assert len(inner) > 20
    if canvas.scale_factor >= 3:
        for row, column in inner[:: max(1, len(inner) // 50)]:
            point = point_of(window, "states", (rows.start + row, columns.start + column))
            assert tuple(lined[point.y(), point.x()]) == (16, 19, 23)


def test_the_encoders_notes_are_shown(window: MainWindow, qtbot: QtBot) -> None:
    few = (np.indices((40, 50)).sum(axis=0) % 2 * 200).astype(np.uint8)
    three = Parameters(Encoding("quantiles", 3))
    window.document.open(Picture(few, "few", notes=("read somehow",)), three)
    settle(qtbot, window)
    text = window.status.message.whole_text()
    assert "read somehow" in text
    assert "only 2 of 3" in text
