"""Opening and exporting, through the window."""

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyqtgraph as pg
import pytest
from PIL import Image
from PyQt6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PyQt6.QtGui import QClipboard, QDragEnterEvent, QDragMoveEvent, QDropEvent, QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from latviz import __version__
from latviz.app.document.opening import Opener
from latviz.app.exporting import drawing
from latviz.app.exporting.copying import Copier
from latviz.app.exporting.drawing import image_of
from latviz.app.exporting.exporting import Exporter, FigureBatch
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.session.sessions import Sessions
from latviz.app.shell.dialogs import WITH_PLACE, ask_session, ask_to_save, ask_where
from latviz.core.disk.errors import TargetError
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.files import memory
from latviz.files.marks import is_marked
from latviz.files.writing import write_labels
from tests.app.conftest import begin_anew, opens, settle, settle_all
from tests.app.program.test_window import assert_map_shows
from tests.products import FULL

CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
DPI = 192
"""Pixels an inch of the files below: with `STRIP` there are as many strips as at 600."""
STRIP = 600_000


def save(path: Path, pixels: np.ndarray) -> Path:
    Image.fromarray(pixels).save(path)
    return path


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(20, 20), action, data, LEFT, keys))


@pytest.mark.usefixtures("few_views")
def test_files_are_dragged_refused_opened_dropped_and_pasted(
    window, qtbot, tmp_path, clipboard
) -> None:
    sizes = iter(range(20, 22))  # another picture for each
    for name in ("states", "space"):
        settle(qtbot, window)
        check_dragging(window, qtbot, tmp_path / "a.png", name, next(sizes))
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_files_that_are_bad_or_too_large_lose_nothing_and_long_names_widen_nothing(
            window, qtbot, tmp_path, patch
        )
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    with pytest.MonkeyPatch.context() as patch:
        check_files_are_opened_by_dialog_by_dropping_by_pasting_and_from_the_list(
            window, qtbot, tmp_path, patch, clipboard
        )


def check_dragging(window: MainWindow, qtbot: QtBot, path: Path, name: str, size: int) -> None:
    """Drag in a text: it leaves without a word of Qt, which would fail the test; drop a file."""
    view = window.views[name]
    holder = view.window()
    handle, place = holder.windowHandle(), view.mapTo(holder, view.rect().center())
    text, file = QMimeData(), QMimeData()
    text.setText("no picture")
    file.setUrls([QUrl.fromLocalFile(str(save(path, np.eye(size, dtype=np.uint8))))])
    action, keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier

    def drag_in(data: QMimeData) -> bool:
        enter = QDragEnterEvent(place, action, data, LEFT, keys)
        QApplication.sendEvent(handle, enter)
        move = QDragMoveEvent(place, action, data, LEFT, keys)
        move.setAccepted(enter.isAccepted())  # as Qt does with events of a display
        QApplication.sendEvent(handle, move)
        return move.isAccepted()

    assert not drag_in(text)
    QApplication.sendEvent(handle, QEvent(QEvent.Type.DragLeave))
    assert drag_in(file)
    dropped = QDropEvent(QPointF(place), action, file, LEFT, keys)
    opens(window, qtbot, lambda: QApplication.sendEvent(handle, dropped))
    assert window.document.picture.shape == (size, size)


def check_files_are_opened_by_dialog_by_dropping_by_pasting_and_from_the_list(
    window, qtbot, tmp_path, monkeypatch, clipboard
) -> None:
    ramp = (np.arange(4800) % 251).astype(np.uint8).reshape(60, 80)
    first = save(tmp_path / "first.png", ramp)
    second = save(tmp_path / "second.png", np.full((30, 50, 3), 90, np.uint8))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_a, **_k: ([str(first)], ""))
    opens(window, qtbot, lambda: QTest.keyClick(window, Qt.Key.Key_O, CONTROL))
    assert settle(qtbot, window).states.shape == (60, 80)
    opens(window, qtbot, lambda: drop(window, second))
    assert settle(qtbot, window).states.shape == (30, 50)
    assert [Path(p).name for p in window.settings.recent[:2]] == ["second.png", "first.png"]
    window.menus.menus["Open recent"].aboutToShow.emit()
    opens(window, qtbot, window.menus.menus["Open recent"].actions()[1].trigger)
    assert window.document.picture.name == "first.png"
    check_dropping(window, qtbot, tmp_path)
    check_pasting(window, qtbot, tmp_path, clipboard)


def check_dropping(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Several files can be dropped, and addresses of files on this computer."""
    data, document, open_data = QMimeData(), window.document, window.parts[Opener].open_data
    data.setText("no image")
    event = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, LEFT, NO_KEYS)
    event.ignore()
    window.dragEnterEvent(event)
    assert not event.isAccepted()
    paths = [save(tmp_path / f"{k}.png", np.full((9, 9), k, np.uint8)) for k in range(2)]
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    window.dragEnterEvent(event)
    assert event.isAccepted()
    opens(window, qtbot, lambda: open_data(data))
    assert len(document.state.shelf.entries) == 2
    assert document.picture.name == "0.png"
    spaced = save(tmp_path / "a #1%.png", np.full((9, 9), 7, np.uint8))
    url = spaced.as_uri().replace("file://", "file://localhost")
    for urls in ([QUrl(url)], [QUrl(spaced.as_uri())]):
        data.setUrls(urls)
        opens(window, qtbot, lambda: open_data(data))
        assert document.picture.name == "a #1%.png"
    data.setUrls([QUrl("https://example.org/cat.jpg")])
    open_data(data)
    assert "not on this computer" in window.banner.label.text()
    gone = QMimeData()
    gone.setData("text/uri-list", b"")
    assert gone.hasUrls(), "so it was accepted while it was dragged"
    action = Qt.DropAction.CopyAction
    for left in (gone, QMimeData()):
        window.banner.hide()
        dropped = QDropEvent(QPointF(9, 9), action, left, LEFT, NO_KEYS)
        dropped.ignore()
        window.dropEvent(dropped)
        assert "no longer offers it" in window.banner.label.text()
        assert window.banner.isVisible()
        assert not dropped.isAccepted()
    window.banner.hide()


def check_pasting(window: MainWindow, qtbot: QtBot, tmp_path: Path, clipboard: QClipboard) -> None:
    """A picture pasted while a file is read replaces it: it was opened last."""
    slow = save(tmp_path / "slow.png", np.zeros((900, 900, 3), np.uint8))
    image = QImage(31, 17, QImage.Format.Format_RGB32)
    image.fill(0xFF204060)
    clipboard.setImage(image)
    window.parts[Opener].open_path(str(slow))
    QTest.keyClick(window, Qt.Key.Key_V, CONTROL)
    window.parts[Opener].background.finish()
    settle(qtbot, window)
    qtbot.wait(50)
    np.testing.assert_array_equal(
        window.document.picture.pixels, np.broadcast_to((0x20, 0x40, 0x60), (17, 31, 3))
    )
    clipboard.setText("no image")
    window.parts[Opener].paste()
    assert "no image" in window.banner.label.text()


def check_files_that_are_bad_or_too_large_lose_nothing_and_long_names_widen_nothing(
    window, qtbot, tmp_path, monkeypatch
) -> None:
    frame, banner = settle(qtbot, window), window.banner
    bad = tmp_path / "holiday.png"
    bad.write_bytes(b"not an image at all")
    drop(window, bad)
    qtbot.waitUntil(banner.isVisible)
    assert "holiday.png" in banner.label.text()
    assert window.document.frame is frame
    assert_map_shows(window, frame)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not banner.isVisible()
    path = save(tmp_path / "vast.png", np.arange(90 * 120).reshape(90, 120).astype(np.uint8))
    monkeypatch.setattr(memory, "available", lambda: 6000 * (memory.EXPLORED + 1))
    drop(window, path)
    qtbot.waitUntil(banner.isVisible)
    assert "vast.png" in banner.label.text()
    assert "6,000" in banner.label.text()
    assert window.document.frame is frame
    assert banner.remedy_button.text() == "Open at 1/2 of its size"
    opens(window, qtbot, lambda: QTest.mouseClick(banner.remedy_button, LEFT))
    assert settle(qtbot, window).states.shape == (45, 60)
    assert "reduced to 1/2" in window.status.message.whole_text()
    assert not banner.isVisible()
    window.resize(1024, 600)
    narrow = window.minimumSizeHint().width()
    name = "a photograph of the cathedral in the evening light " * 4
    window.document.open(Picture(np.zeros((20, 30), np.uint8), name), Parameters())
    settle(qtbot, window)
    assert window.minimumSizeHint().width() <= narrow
    texts = [shortcut.text for shortcut in window.menus.shortcuts()]
    assert "Image" in texts
    assert not any("cathedral" in text for text in texts)


@pytest.mark.usefixtures("few_views")
def test_demos_pages_and_what_leaves_the_window(window, qtbot, tmp_path, answer, clipboard) -> None:
    check_demos_open_from_the_menu(window, qtbot)
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_pictures_and_scripts_leave_the_window_beside_its_thread(
            window, qtbot, tmp_path, answer, patch, clipboard
        )


OPENED = ("stripes", "protein", "leaves")
"""Demos that are opened daily, of each kind: in grey, a sequence, in colours."""


def check_demos_open_from_the_menu(window: MainWindow, qtbot: QtBot) -> None:
    for name, title in DEMO_TITLES.items():
        (action,) = [a for a in window.menus.actions if a.text() == title]
        if not FULL and name not in OPENED:
            continue
        opens(window, qtbot, action.trigger)
        picture = window.document.picture
        assert picture.origin == {"demo": name}
        assert picture.truth is not None, name
    frame = settle(qtbot, window)
    assert frame.states.shape == frame.request.picture.truth.shape


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Answer the next question where to write."""

    def set_answer(path: Path) -> None:
        monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))

    return set_answer


def test_files_of_the_work_on_screen_are_not_replaced(window, qtbot, tmp_path, answer) -> None:
    """Another file that was on screen before may be."""
    first, second = tmp_path / "a.png", tmp_path / "b.png"
    for place, shade in ((first, 90), (second, 180)):
        tiles = np.kron(np.eye(2), np.full((9, 9), shade)).astype(np.uint8)
        save(place, tiles)
        opens(window, qtbot, lambda place=place: window.parts[Opener].open_path(str(place)))
    settle(qtbot, window)
    before, exporter = second.read_bytes(), window.parts[Exporter]
    (tmp_path / "link.png").symlink_to(second)
    for place in (second, tmp_path / "link.png"):
        answer(place)
        exporter.export_results(".png")
        assert "the result is made from this file" in window.banner.label.text()
        window.banner.hide()
    with pytest.raises(TargetError):  # and the one writer, which other dialogs come to
        write_labels(second, np.ones((2, 2), np.int32))
    assert second.read_bytes() == before
    answer(first)
    before = first.read_bytes()
    exporter.export_results(".png")
    qtbot.waitUntil(lambda: first.read_bytes() != before)


def test_exports_of_results_and_of_views(window, qtbot, tmp_path, answer) -> None:
    frame, exporter = settle(qtbot, window), window.parts[Exporter]
    for suffix in (".npz", ".json", ".png"):
        answer(tmp_path / f"result{suffix}")
        exporter.export_results(suffix)
        qtbot.waitUntil((tmp_path / f"result{suffix}").exists)
    with np.load(tmp_path / "result.npz") as stored:
        np.testing.assert_array_equal(stored["states"], frame.states)
    answer(tmp_path / "states.png")  # all views and formats: test_figures.py
    exporter.export_view("states")
    qtbot.waitUntil((tmp_path / "states.png").exists)
    with Image.open(tmp_path / "states.png") as image:
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.02)
        assert image.info["Software"] == f"latviz {__version__}"
    assert is_marked(tmp_path / "states.png")
    answer(tmp_path / "no" / "a.png")
    exporter.export_view("states")
    qtbot.waitUntil(window.banner.isVisible)
    assert "a.png" in window.banner.label.text()
    check_waiting(window, qtbot, tmp_path, answer)


def check_waiting(window, qtbot, tmp_path, answer) -> None:
    """Exports wait for pending settings, and closing the window waits for them."""
    answer(tmp_path / "a.npz")
    window.document.set("N", n_states=7)
    window.parts[Exporter].export_results(".npz")
    qtbot.waitUntil((tmp_path / "a.npz").exists)
    with np.load(tmp_path / "a.npz") as stored:
        assert stored["A"].shape == (7, 7)
    window.tabs.stage.close_dock("space")  # a hidden view is exported with its content
    window.document.set("w", window=5)
    assert settle(qtbot, window).space is None
    answer(tmp_path / "space.svg")
    window.parts[Exporter].export_view("space")
    qtbot.waitUntil((tmp_path / "space.svg").exists)
    assert window.document.frame.space is not None
    assert "0–" in (tmp_path / "space.svg").read_text()
    for number in range(3):
        answer(tmp_path / f"{number}.npz")
        window.parts[Exporter].export_results(".npz")
    window.close()
    for number in range(3):
        with np.load(tmp_path / f"{number}.npz") as stored:
            assert stored["states"].shape == (200, 240)


def pixels_in(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def pixels_of(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    return np.array(pg.functions.ndarray_from_qimage(image))


def test_the_window_is_drawn_strip_by_strip_as_it_is_at_once(
    window, qtbot, tmp_path, answer, monkeypatch
) -> None:
    """At 600 pixels an inch drawing it at once takes 0.4 s."""
    # A message on the picture before would come between two strips.
    monkeypatch.setattr(window.status, "show_message", lambda _text: None)
    monkeypatch.setattr(drawing, "_IN_STRIP", STRIP)
    settle_all(qtbot, window)
    window.setFocus()
    QTest.mouseMove(window.menuBar())
    QTest.qWait(100)

    def begin(name: str, dpi: int) -> Path:
        window.settings.dpi = dpi
        answer(tmp_path / name)
        window.parts[Exporter].export_window()
        return tmp_path / name

    for dpi in (DPI, 97):
        path = begin(f"{dpi}.png", dpi)
        wanted = pixels_of(image_of(window, dpi=dpi))
        qtbot.waitUntil(path.exists)
        found = pixels_in(path)
        assert found.shape == wanted.shape
        assert (found != wanted).any(axis=2).mean() < 1e-3
    # A view that changes or is closed meanwhile is still drawn in one piece.
    changed = begin("changed.png", DPI)
    QCoreApplication.processEvents()  # a strip or so
    assert not changed.exists()
    window.document.begin(display=replace(window.document.display, opacity=0.0))
    QTest.mouseMove(window.menuBar())
    qtbot.waitUntil(changed.exists)
    whole = pixels_of(image_of(window, dpi=DPI))
    assert (pixels_in(changed) != whole).any(axis=2).mean() < 0.01
    closed = begin("closed.png", DPI)
    window.close()
    assert (pixels_in(closed) != whole).any(axis=2).mean() < 0.01


def check_pictures_and_scripts_leave_the_window_beside_its_thread(
    window, qtbot, tmp_path, answer, monkeypatch, clipboard
) -> None:
    threads: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda _: threads.append(threading.get_ident()))
    for name in ("a.png", "a.svg"):
        answer(tmp_path / name)
        window.parts[Exporter].export_view("states")
    answer(tmp_path / "window.png")
    window.parts[Exporter].export_window()
    qtbot.waitUntil(lambda: len(threads) == 3)
    assert threading.get_ident() not in threads
    window.document.set("N", n_states=5)
    QTest.keyClick(window, Qt.Key.Key_C, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: "n_states=5" in clipboard.text())
    compile(clipboard.text(), "script", "exec")


def test_before_there_is_a_picture_nothing_is_copied_or_exported_and_closing_ends_reading(
    qtbot, no_leaked_threads, answer, tmp_path, photographs
) -> None:
    window = MainWindow()
    window.show()
    check_nothing_is_copied_or_exported(window, answer, tmp_path)
    check_closing_while_a_file_is_read(window, qtbot, photographs["china"])
    assert not list(tmp_path.iterdir())


def check_nothing_is_copied_or_exported(window, answer, tmp_path) -> None:
    answer(tmp_path / "a.png")
    for act in (
        window.parts[Copier].copy_view,
        lambda: window.parts[Copier].copy_values("states"),
        window.parts[FigureBatch].start,
        window.parts[Sessions].save,
        lambda: window.parts[Exporter].export_view("states"),
        lambda: window.parts[Exporter].export_results(".npz"),
    ):
        window.status.show_message("")
        act()
        assert "open an image" in window.status.message.whole_text()


def type_into_dialog(act: Callable[[QFileDialog], None]) -> None:
    """Act on the file dialog that is about to come up."""

    def find() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        act(dialog)
        dialog.accept()

    QTimer.singleShot(200, find)


def name(dialog: QFileDialog, text: str) -> None:
    """Type a name."""
    line = dialog.findChild(QLineEdit)
    line.setText(text)


def test_asking_where_adds_the_suffix_of_the_chosen_kind(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)

    def choose_svg(dialog: QFileDialog) -> None:
        kind = next(kind for kind in dialog.nameFilters() if "svg" in kind)
        dialog.selectNameFilter(kind)
        dialog.filterSelected.emit(kind)

    type_into_dialog(lambda dialog: name(dialog, "plain"))
    assert ask_where(window, str(tmp_path), "a", (".png", ".svg")) == str(tmp_path / "plain.png")
    type_into_dialog(choose_svg)
    assert ask_where(window, str(tmp_path), "a", (".png", ".svg")) == str(tmp_path / "a.svg")
    type_into_dialog(lambda dialog: (choose_svg(dialog), name(dialog, "b"))[0])
    assert ask_where(window, str(tmp_path), "a", (".png", ".svg")) == str(tmp_path / "b.svg")


def answer_questions(replies: list[str], asked: list[str]) -> QTimer:
    """Click these buttons in turn; note the questions, and type "other" after Cancel."""

    def answer_one() -> None:
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox):
            return
        asked.append(box.text())
        reply = replies.pop(0)
        if reply == "Cancel":
            type_into_dialog(lambda dialog: name(dialog, "other"))
        next(button for button in box.buttons() if button.text() == reply).click()

    timer = QTimer()
    timer.timeout.connect(answer_one)
    timer.start(50)
    return timer


def test_a_file_whose_name_was_completed_is_asked_about(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    old, folder = tmp_path / "work.latviz", str(tmp_path / "x.latviz")
    versioned, upper = tmp_path / "run.v2.latviz", tmp_path / "A.LATVIZ"
    for path in (old, versioned):
        path.write_text("old work")
    asked: list[str] = []
    replies = ["Replace", "Cancel", "Replace"]
    timer = answer_questions(replies, asked)
    type_into_dialog(lambda dialog: name(dialog, "work"))
    assert ask_session(window, folder, True) == (str(old), True)
    type_into_dialog(lambda dialog: name(dialog, "work"))
    other = str(tmp_path / "other.latviz")
    assert ask_session(window, folder, False) == (other, False)
    type_into_dialog(lambda dialog: name(dialog, "run.v2"))
    assert ask_session(window, folder, True) == (str(versioned), True)
    assert [("work.latviz" in one, "run.v2.latviz" in one) for one in asked] == [
        *((True, False), (True, False), (False, True))
    ]
    type_into_dialog(lambda dialog: name(dialog, upper.name))
    assert ask_session(window, folder, True) == (str(upper), True)
    assert len(asked) == 3  # new names are not asked about
    timer.stop()


def test_the_kind_of_a_session_is_chosen(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    offered = tmp_path / "run.v2.latviz"
    type_into_dialog(
        lambda dialog: (
            dialog.selectNameFilter(WITH_PLACE),
            dialog.filterSelected.emit(WITH_PLACE),
        )[0]
    )
    assert ask_session(window, str(offered), True) == (str(offered), False)


def test_a_cancelled_dialog_returns_no_path(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    QTimer.singleShot(200, lambda: QApplication.activeModalWidget().reject())
    assert ask_to_save(window, "Save", str(tmp_path / "a.csv"), {"CSV (*.csv)": ".csv"})[0] == ""


def check_closing_while_a_file_is_read(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    window.parts[Opener].open_path(str(path))
    window.close()
    qtbot.wait(50)
    assert window.document.picture is None
    qtbot.waitUntil(lambda: not window.worker.isRunning())  # it may have begun just now
    discard(window)
