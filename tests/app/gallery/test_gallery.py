"""Many images: opened together, shown one by one, ticked to learn from, computed, modelled."""

import csv
import gc
import weakref
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.document import opening
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.document.opening import Opener
from latviz.app.exporting import exporting
from latviz.app.exporting.exporting import Exporter
from latviz.app.gallery import gallery as gallery_module
from latviz.app.gallery import models as models_module
from latviz.app.gallery.delegate import PICTURE
from latviz.app.gallery.gallery import Gallery, evenly
from latviz.app.gallery.models import Models
from latviz.app.gallery.thumbnails import MOST_KEPT, MOST_WAITING, Thumbnails
from latviz.app.program.context_menus import ContextMenus
from latviz.app.program.window import MainWindow
from latviz.app.session import sessions
from latviz.app.session.sessions import Sessions
from latviz.app.views.image.spec import PagePicker
from latviz.app.views.images.view import ImagesView
from latviz.app.views.shelf.view import ShelfView
from latviz.app.views.states.spec import turn
from latviz.collection.reading import Unreadable, read_entry
from latviz.collection.record import Record, RecordTask, computed
from latviz.core import memory
from latviz.core.data.encoding import Encoding
from latviz.core.disk.errors import FileError
from latviz.core.model.indices import inertia
from latviz.core.progress import Progress
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.startup.compilers import Compiling
from latviz.workspace import read_session
from tests.app.conftest import settle

LEFT = Qt.MouseButton.LeftButton
N_FILES = 7
BROKEN = 3
"""The place of the file that is none."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of six small grey images with labels, and a file that is none among them."""
    rng = np.random.default_rng(5)
    place = tmp_path / "scans"
    (place / "labels").mkdir(parents=True)
    for k in range(N_FILES):
        shape = 24 + 2 * k, 40
        labels = (np.arange(40) >= 12 + 2 * k).astype(np.uint8) * np.ones(shape, np.uint8)
        grey = np.where(labels, 170, 80) + rng.normal(0, 12 + 6 * k, shape)
        path = place / f"scan {k + 1}.png"
        Image.fromarray(grey.clip(0, 255).astype(np.uint8)).save(path)
        Image.fromarray(labels).save(place / "labels" / path.name)
    (place / f"scan {BROKEN + 1}.png").write_bytes(b"no image")
    return place


def one_by_one(
    entries: Sequence[Entry],
    task: RecordTask,
    progress: Progress,
    truth: str,
    room: Callable[[], int],
) -> Iterator[Record | Unreadable]:
    """Compute in this process, where tests need no other."""
    for done, entry in enumerate(entries, start=1):
        try:
            yield computed(entry, task, truth)[0]
        except FileError as error:
            yield Unreadable.of(entry.path, error)
        progress.report(done / len(entries))


@pytest.fixture
def window(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The window, which keeps nothing between tests and waits for no hand."""
    monkeypatch.setenv("LATVIZ_CACHE", str(tmp_path / "cache"))
    window.parts[Gallery].survey.run = one_by_one
    window.parts[Gallery].survey._due.setInterval(0)
    window.parts[Gallery]._ticking.setInterval(0)
    window.document.set("M", encoding=Encoding("quantiles", 3), n_states=2, window=2)
    window.document.keep_settings(True)
    return window


@pytest.fixture
def opened(window: MainWindow, folder: Path, qtbot: QtBot) -> MainWindow:
    """The window with the folder open."""
    window.parts[Opener].open_file(str(folder))
    wait_for_shelf(window, qtbot)
    return window


def wait_for_shelf(window: MainWindow, qtbot: QtBot) -> Shelf:
    qtbot.waitUntil(lambda: window.document.state.shelf is not None)
    settle(qtbot, window)
    shelf = window.document.state.shelf
    assert shelf is not None
    return shelf


def names(shelf: Shelf | None) -> list[str]:
    return [entry.name for entry in shelf.entries]


def shelf_of(window: MainWindow) -> Shelf:
    assert window.document.state.shelf is not None
    return window.document.state.shelf


def view_of(window: MainWindow) -> ShelfView:
    found = window.views["shelf"]
    return found


def room(view: ShelfView, row: int) -> QRect:
    view.strip.scrollTo(view.model.index(row, 0))
    return view.strip.visualRect(view.model.index(row, 0))


def click(view: ShelfView, place: QPoint) -> None:
    QTest.mouseClick(view.strip.viewport(), LEFT, pos=place)


def wait_until_shown(window: MainWindow, qtbot: QtBot, index: int) -> None:
    qtbot.waitUntil(lambda: shelf_of(window).shown == index)
    settle(qtbot, window)


ALL = [f"scan {k + 1}.png" for k in range(N_FILES)]
READABLE = tuple(k for k in range(N_FILES) if k != BROKEN)


# Opening


def test_a_folder_is_opened_from_the_menu(
    window: MainWindow, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery_module, "ask_images_folder", lambda *_: str(folder))
    window.menus["Open a folder"].trigger()
    shelf = wait_for_shelf(window, qtbot)
    assert names(shelf) == ALL
    assert shelf.ticked == READABLE
    assert shelf.shown == 0
    assert window.document.picture.name == ALL[0]
    assert len(window.document.state.members) == N_FILES - 1
    assert view_of(window).isVisible()
    assert window.settings.recent[0] == str(folder)
    assert "1 cannot be read" in window.status.message.whole_text()


def test_several_files_are_opened_together(
    window: MainWindow, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [str(folder / ALL[k]) for k in (4, 1, 0)]
    monkeypatch.setattr(opening, "ask_files", lambda *_: paths)
    window.menus["Open"].trigger()
    assert names(wait_for_shelf(window, qtbot)) == [ALL[4], ALL[1], ALL[0]]
    monkeypatch.setattr(opening, "ask_files", lambda *_: paths[:1])
    window.menus["Open"].trigger()  # one alone is no shelf
    qtbot.waitUntil(lambda: window.document.state.shelf is None)
    assert len(window.document.state.members) == 1


@pytest.mark.parametrize("what", ["folder", "files"])
def test_what_is_dropped_is_opened(
    window: MainWindow, folder: Path, qtbot: QtBot, what: str
) -> None:
    data = QMimeData()
    paths = [folder] if what == "folder" else [folder / name for name in ALL]
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    assert window.parts[Opener].open_data(data)
    assert names(wait_for_shelf(window, qtbot)) == ALL


def test_a_folder_without_images_says_so_and_loses_nothing(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    before = window.document.picture
    (tmp_path / "empty").mkdir()
    window.parts[Opener].open_file(str(tmp_path / "empty"))
    qtbot.waitUntil(window.banner.isVisible)
    assert "no image" in window.banner.label.text()
    assert window.document.picture is before
    assert window.document.state.shelf is None


def test_opening_the_shelf_is_undone(opened: MainWindow, qtbot: QtBot) -> None:
    opened.document.undo_stack.undo()
    qtbot.waitUntil(lambda: opened.document.state.shelf is None)
    assert opened.document.picture.name == "camera"
    opened.document.undo_stack.redo()
    assert names(wait_for_shelf(opened, qtbot)) == ALL


def test_of_many_files_some_are_learned_from_at_first() -> None:
    assert evenly(5) == [0, 1, 2, 3, 4]
    found = evenly(2000)
    assert len(found) == 32
    assert {b - a for a, b in pairwise(found)} <= {62, 63}


# Moving along


def test_a_click_shows_an_image_with_the_same_model(opened: MainWindow, qtbot: QtBot) -> None:
    before = settle(qtbot, opened)
    opened.document.select(StateSelection(before.slots[0]))
    view = view_of(opened)
    click(view, room(view, 2).center())
    wait_until_shown(opened, qtbot, 2)
    frame = settle(qtbot, opened)
    assert frame.request.picture.name == ALL[2]
    assert frame.slots == before.slots
    np.testing.assert_array_equal(frame.codebook, before.codebook)
    assert opened.document.state.selection == StateSelection(before.slots[0])
    assert view.strip.currentIndex().row() == 2
    opened.document.undo_stack.undo()
    wait_until_shown(opened, qtbot, 0)


def test_next_and_previous_pass_over_what_cannot_be_read(opened: MainWindow, qtbot: QtBot) -> None:
    opened.parts[Gallery].show(BROKEN - 1)
    wait_until_shown(opened, qtbot, BROKEN - 1)
    QTest.keyClick(opened, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    wait_until_shown(opened, qtbot, BROKEN + 1)
    QTest.keyClick(opened, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    wait_until_shown(opened, qtbot, BROKEN - 1)
    opened.parts[Gallery].show(N_FILES - 1)
    wait_until_shown(opened, qtbot, N_FILES - 1)
    opened.parts[Gallery].step(1)
    wait_until_shown(opened, qtbot, 0)


def test_keys_of_slices_and_records_leave_the_shelf_as_it_is(
    opened: MainWindow, qtbot: QtBot
) -> None:
    before = opened.document.state
    assert not opened.menus["Next slice"].isEnabled()
    turn(opened.document, 1)
    assert opened.document.state == before
    opened.parts[Gallery].tick([0, 1])
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == (0, 1))
    opened.parts[Gallery].show(4)
    wait_until_shown(opened, qtbot, 4)
    beside = opened.document.state
    assert beside.pictures.other is not None
    turn(opened.document, 1)
    assert opened.document.state == beside
    picker = PagePicker()
    qtbot.addWidget(picker)
    picker.show_source(beside.pictures)  # which counts the pages of a file, not the members
    assert picker.isHidden()


def test_an_unreadable_file_says_why_and_is_not_shown(opened: MainWindow, qtbot: QtBot) -> None:
    view = view_of(opened)
    index = view.model.index(BROKEN, 0)
    assert "not an image" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert not index.flags() & Qt.ItemFlag.ItemIsUserCheckable
    click(view, room(view, BROKEN).center())
    qtbot.waitUntil(opened.banner.isVisible)
    assert "not an image" in opened.banner.label.text()
    assert shelf_of(opened).shown == 0


def test_a_file_that_went_away_is_passed_over(
    opened: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    opened.parts[Gallery].tick([0])
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == (0,))
    (folder / ALL[1]).unlink()
    opened.parts[Gallery].step(1)
    wait_until_shown(opened, qtbot, 2)
    assert (
        "no such"
        in opened.parts[Gallery].thumbnails.failures[shelf_of(opened).entries[1].path].lower()
    )


def test_the_filter_lists_names(opened: MainWindow) -> None:
    view, header = view_of(opened), opened.docks["shelf"].header
    header.filter.setText("N 5")
    assert list(view.model.items) == [4]
    header.filter.setText("")
    assert len(view.model.items) == N_FILES
    said = header.said.text()
    assert said == f"{N_FILES - 1} of {N_FILES} learned from · 1 unreadable"


# Ticking


def tick_place(view: ShelfView, row: int) -> QPoint:
    return room(view, row).topLeft() + QPoint(12, 12)


def test_a_click_on_a_tick_learns_from_others(opened: MainWindow, qtbot: QtBot) -> None:
    before, view = settle(qtbot, opened), view_of(opened)
    picture = opened.document.picture
    click(view, tick_place(view, 1))
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == (0, 2, 4, 5, 6))
    frame = settle(qtbot, opened)
    assert [member.name for member in opened.document.state.members] == [
        ALL[k] for k in (0, 2, 4, 5, 6)
    ]
    assert shelf_of(opened).shown == 0  # a tick shows nothing
    assert opened.document.picture is picture  # nor is it read again
    assert frame.slots == before.slots
    assert frame.n_signatures == sum((24 + 2 * k) * 40 for k in (0, 2, 4, 5, 6))
    view.strip.setFocus()
    view.strip.setCurrentIndex(view.model.index(1, 0))
    QTest.keyClick(view.strip, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == READABLE)
    opened.document.undo_stack.undo()
    opened.document.undo_stack.undo()
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == READABLE)


def test_learning_from_the_image_on_screen_alone_and_from_all(
    opened: MainWindow, qtbot: QtBot
) -> None:
    opened.parts[Gallery].show(2)
    wait_until_shown(opened, qtbot, 2)
    opened.menus["Learn from this image alone"].trigger()
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == (2,))
    assert settle(qtbot, opened).n_signatures == 28 * 40
    opened.menus["Learn from this image, or no longer"].trigger()  # the last one stays
    assert shelf_of(opened).ticked == (2,)
    opened.menus["Learn from all images"].trigger()
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == READABLE)
    assert shelf_of(opened).shown == 2


def test_the_menu_of_the_shelf_is_about_what_is_chosen(opened: MainWindow, qtbot: QtBot) -> None:
    view = view_of(opened)
    view.strip.setCurrentIndex(view.model.index(4, 0))
    view.strip.selectionModel().select(
        view.model.index(5, 0),
        view.strip.selectionModel().SelectionFlag.Select,
    )
    assert view.chosen == [4, 5]
    view.customContextMenuRequested.emit(QPoint(5, 5))
    menu = opened.parts[ContextMenus].menu
    menu.hide()
    acts = {action.text(): action for action in menu.actions()}
    acts["Learn from these 2 images alone"].trigger()
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == (4, 5))


# Small pictures


def entries(n: int) -> list[Entry]:
    return [Entry(f"/nowhere/{k}.png", k, k) for k in range(n)]


def test_small_pictures_are_read_when_they_are_looked_at(qtbot: QtBot) -> None:
    """Of 2,000 files only those in sight are read, whatever is scrolled past."""
    read: list[str] = []

    def draw(entry: Entry) -> np.ndarray:
        read.append(entry.path)
        return np.full((8, 12, 3), 90, np.uint8)

    view, thumbnails = ShelfView(), Thumbnails(read=draw)
    qtbot.addWidget(view)
    shelf = Shelf.of(entries(2000))
    view.begin(thumbnails, lambda: shelf, lambda: "")
    view.resize(900, 150)
    view.show()
    view.refresh()
    in_sight = 900 // PICTURE + 2
    qtbot.waitUntil(lambda: len(read) >= 9)
    qtbot.waitUntil(lambda: thumbnails.of(shelf.entries[0]) is not None)
    assert len(read) <= in_sight
    bar = view.strip.horizontalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: shelf.entries[1999].path in read)
    assert len(read) <= 3 * in_sight
    grey = (
        view.strip.grab()
        .toImage()
        .pixelColor(view.strip.visualRect(view.model.index(1999, 0)).center())
    )
    qtbot.waitUntil(lambda: thumbnails.of(shelf.entries[1999]) is not None)
    grey = (
        view.strip.grab()
        .toImage()
        .pixelColor(view.strip.visualRect(view.model.index(1999, 0)).center())
    )
    assert grey.red() == grey.green() == grey.blue() == 90
    thumbnails.close()


def test_few_small_pictures_are_kept(qtbot: QtBot) -> None:
    thumbnails = Thumbnails(read=lambda _: np.zeros((2, 2, 3), np.uint8))
    many = entries(MOST_KEPT + 300)
    for entry in many:
        thumbnails.of(entry)
    assert len(thumbnails._wanted) <= MOST_WAITING
    for k in range(0, len(many), 100):
        for entry in many[k : k + 100]:
            thumbnails.of(entry)
        qtbot.waitUntil(lambda: not thumbnails._wanted)
        thumbnails.background._lane.wait(None)
        QTest.qWait(1)
    assert len(thumbnails._there) <= MOST_KEPT
    thumbnails.close()


# Results


@pytest.fixture
def images(opened: MainWindow, qtbot: QtBot) -> ImagesView:
    """The view of results, all of them there."""
    opened.shell.show("images", front=True)
    wait_for_results(opened, qtbot)
    found = opened.views["images"]
    return found


def wait_for_results(window: MainWindow, qtbot: QtBot) -> None:
    survey, n = window.parts[Gallery].survey, len(shelf_of(window).entries)
    qtbot.waitUntil(lambda: survey.fraction is None and len(survey.fresh) == n)
    survey.changed.emit()


def column(view: ImagesView, name: str) -> int:
    return 1 + [column.name for column in view.rows.measures].index(name)


def texts(view: ImagesView, at: int) -> list[str]:
    return [view.rows.index(row, at).data() for row in range(view.rows.rowCount())]


def test_each_image_has_its_results_by_the_same_model(
    opened: MainWindow, images: ImagesView, qtbot: QtBot
) -> None:
    assert texts(images, 0) == ALL
    assert "not an image" in images.rows.index(BROKEN, 1).data()
    assert len(images.rows.measures) >= 8
    for place in READABLE:
        opened.parts[Gallery].show(place)
        wait_until_shown(opened, qtbot, place)
        frame = settle(qtbot, opened)
        record = images.rows.record(place)
        assert record.index("inertia") == pytest.approx(inertia(frame.states, 2, 2), rel=1e-12)
        shares = [float((frame.states == k).mean()) for k in range(2)]
        np.testing.assert_allclose(record.shares, shares, rtol=1e-12, atol=0.0)
        shown = images.rows.index(place, column(images, "inertia")).data()
        assert shown == f"{record.index('inertia'):.3f}"
        assert images.table.currentIndex().row() == images.rows.row_of(place)
        bar = view_of(opened).model.index(place, 0).data(Qt.ItemDataRole.UserRole + 2)
        np.testing.assert_allclose([share for _, share in bar], shares, rtol=1e-12, atol=0.0)
        colors = [(r << 16) + (g << 8) + b for r, g, b in frame.colors.tolist()]
        assert [color for color, _ in bar] == colors


def test_a_click_on_a_head_sorts_and_unreadable_files_come_last(images: ImagesView) -> None:
    at = column(images, "bits")
    header = images.table.horizontalHeader()
    for down in (False, True):
        end = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
        images.table.sortByColumn(at, end)
        *values, last = [float(text) if text else None for text in texts(images, at)]
        assert last is None
        assert values == sorted(values, reverse=down)
        assert texts(images, 0)[-1] == ALL[BROKEN]
        assert header.sortIndicatorSection() == at


def test_a_row_and_a_point_show_their_image(
    opened: MainWindow, images: ImagesView, qtbot: QtBot
) -> None:
    place = images.table.visualRect(images.rows.index(2, 0)).center()
    QTest.mouseClick(images.table.viewport(), LEFT, pos=place)
    wait_until_shown(opened, qtbot, 2)
    images.table.setFocus()
    images.table.setCurrentIndex(images.rows.index(1, 0))
    QTest.keyClick(images.table, Qt.Key.Key_Return)
    wait_until_shown(opened, qtbot, 1)
    scatter = images.scatter
    assert [point.place for point in scatter.points] == list(READABLE)
    point = next(point for point in scatter.points if point.place == 5)
    at = scatter.place_of(point)
    nearest = min(scatter.points, key=lambda q: (scatter.place_of(q) - at).manhattanLength())
    QTest.mouseClick(scatter, LEFT, pos=at.toPoint())
    wait_until_shown(opened, qtbot, nearest.place)
    assert scatter.tip_at(QPointF(at)).startswith(nearest.name)


def test_the_plot_goes_by_keys_and_has_the_axes_that_are_chosen(
    opened: MainWindow, images: ImagesView, qtbot: QtBot
) -> None:
    box = images.across
    box.setCurrentIndex(box.findData("height"))
    box.activated.emit(box.currentIndex())
    assert opened.document.state.axes == ("height", "bits")
    scatter = images.scatter
    assert [point.x for point in scatter.points] == [24.0 + 2 * k for k in READABLE]
    assert scatter.titles[0] == "Height"
    scatter.setFocus()
    QTest.keyClick(scatter, Qt.Key.Key_Right)
    QTest.keyClick(scatter, Qt.Key.Key_Return)
    wait_until_shown(opened, qtbot, 1)  # the next higher one
    opened.document.undo_stack.undo()
    opened.document.undo_stack.undo()
    assert opened.document.state.axes == ("inertia", "bits")


def test_accuracy_and_confusion_over_all_images(
    opened: MainWindow, images: ImagesView, qtbot: QtBot
) -> None:
    images.tabs.setCurrentIndex(1)
    rows = images.confusion_rows
    counts = np.zeros((2, 2), int)
    for place in READABLE:
        opened.parts[Gallery].show(place)
        wait_until_shown(opened, qtbot, place)
        frame = settle(qtbot, opened)
        truth = read_entry(shelf_of(opened).entries[place]).truth
        assert truth is not None
        for label in range(2):
            for state in range(2):
                counts[label, state] += ((truth == label) & (frame.states == state)).sum()
    right = max(np.trace(counts), counts.sum() - np.trace(counts)) / counts.sum()
    assert f"{100 * right:.1f} %" in images.said.text()
    for label in range(2):
        assert rows.index(label, 1).data() == f"{counts[label].sum():,}"
        for state in range(2):
            share = counts[label, state] / counts[label].sum()
            assert rows.index(label, 2 + state).data() == f"{100 * share:.1f} %"
    images.confusion.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    shares = [float(rows.index(row, 2).data().split()[0]) for row in range(2)]
    assert shares == sorted(shares, reverse=True)
    accuracies = [text for text in texts(images, column(images, "accuracy")) if text]
    assert len(accuracies) == len(READABLE)


def test_label_images_are_looked_for_where_a_person_says(
    opened: MainWindow, images: ImagesView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert images.confusion_rows.found is not None
    monkeypatch.setattr(gallery_module, "ask_labels", lambda *_: "_nowhere")
    opened.menus["Label images"].trigger()
    qtbot.waitUntil(lambda: shelf_of(opened).truth == "_nowhere")
    settle(qtbot, opened)
    assert opened.document.picture.truth is None
    wait_for_results(opened, qtbot)
    assert images.confusion_rows.found is None
    opened.document.undo_stack.undo()
    qtbot.waitUntil(lambda: opened.document.picture.truth is not None)


def test_another_model_computes_all_anew_and_old_numbers_are_grey(
    opened: MainWindow, images: ImagesView, qtbot: QtBot
) -> None:
    before = images.rows.record(0)
    opened.parts[Gallery].survey.run = lambda *_: iter(())
    opened.document.set("w", window=4)
    settle(qtbot, opened)
    qtbot.waitUntil(lambda: not opened.parts[Gallery].survey.fresh)
    images.refresh()
    assert images.rows.record(0) is before
    muted = images.rows.index(0, 1).data(Qt.ItemDataRole.ForegroundRole)
    assert muted == images.theme.color("muted")
    opened.parts[Gallery].survey.run = one_by_one
    opened.document.set("w", window=3)
    settle(qtbot, opened)
    wait_for_results(opened, qtbot)
    after = images.rows.record(0)
    assert after.window == 3
    assert images.rows.index(0, 1).data(Qt.ItemDataRole.ForegroundRole) is None


def test_computing_is_stopped_and_goes_on(opened: MainWindow, qtbot: QtBot) -> None:
    done: list[str] = []

    def slowly(
        some: Sequence[Entry],
        task: RecordTask,
        progress: Progress,
        truth: str,
        room: Callable[[], int],
    ) -> Iterator[Record | Unreadable]:
        for found in one_by_one(some, task, progress, truth, room):
            done.append(found.path)
            yield found
            if len(done) == 2:
                while not progress.cancelled():
                    Event().wait(0.001)

    survey = opened.parts[Gallery].survey
    survey.run = slowly
    opened.shell.show("images", front=True)
    qtbot.waitUntil(lambda: len(survey.fresh) == 2)
    survey.changed.emit()
    header = opened.docks["images"].header
    button = header.stop
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)
    assert survey.fraction is None
    assert button.text() == "Go on"
    survey.run = one_by_one
    QTest.mouseClick(button, LEFT)
    wait_for_results(opened, qtbot)
    assert not button.isVisible()


def test_images_get_the_room_that_the_window_leaves(
    opened: MainWindow, images: ImagesView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = opened.parts[Gallery].survey
    wait_for_results(opened, qtbot)
    monkeypatch.setattr(memory, "taken", lambda: 1500 << 20)
    assert survey._room() == (2048 - 1500) << 20
    monkeypatch.setattr(memory, "taken", lambda: 3 << 30)
    assert survey._room() == 1  # one image at a time, in any case
    with monkeypatch.context() as compiling:
        compiling.setattr(Compiling, "running", property(lambda _: True))
        assert survey._room() == 0
    opened.document.set("w", window=5)
    assert opened.document.activity.work == "computing"
    assert survey._room() == 0
    settle(qtbot, opened)
    assert survey._room() == 1


def test_the_image_that_was_on_screen_is_let_go(
    opened: MainWindow, images: ImagesView, qtbot: QtBot
) -> None:
    wait_for_results(opened, qtbot)
    opened.document.undo_stack.clear()
    frame = weakref.ref(settle(qtbot, opened))
    names, colors = opened.parts[Gallery].survey.names, opened.parts[Gallery].survey.colors()
    opened.parts[Gallery].step(1)
    wait_until_shown(opened, qtbot, 1)
    opened.parts[Gallery].step(1)
    wait_until_shown(opened, qtbot, 2)
    gc.collect()
    assert frame() is None
    assert (names, colors) == (
        opened.parts[Gallery].survey.names,
        opened.parts[Gallery].survey.colors(),
    )


def test_results_are_exported(
    opened: MainWindow,
    images: ImagesView,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "a.csv"
    monkeypatch.setattr(exporting, "ask_where", lambda *_: str(path))
    opened.parts[Exporter].export_values("images")
    qtbot.waitUntil(path.exists)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [Path(row["Image"]).name for row in rows] == ALL
    assert "not an image" in rows[BROKEN]["Unreadable"]
    record = images.rows.record(0)
    assert float(rows[0]["Inertia"]) == record.index("inertia")


# Models


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Answer the dialogs of models."""

    def answer(**answers: Any) -> None:
        for name, value in answers.items():
            monkeypatch.setattr(models_module, name, lambda *_, value=value: value)

    return answer


def test_a_model_is_saved_applied_and_let_go(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path, ask: Callable[..., None]
) -> None:
    learned, path = settle(qtbot, opened), tmp_path / "wood.npz"
    ask(ask_where=str(path), ask_model=str(path))
    opened.menus["Save model"].trigger()
    qtbot.waitUntil(path.exists)
    opened.document.set("N", n_states=5)
    settle(qtbot, opened)
    opened.menus["Apply a model"].trigger()
    qtbot.waitUntil(lambda: opened.document.state.given is not None)
    frame = settle(qtbot, opened)
    np.testing.assert_array_equal(frame.states, learned.states)
    assert opened.parts[Models].bar.isVisible()
    assert "wood.npz" in opened.parts[Models].bar.said.whole_text()
    for name in ("n_states", "encoding.name"):
        assert not opened.controls[name].isEnabled()
    assert opened.controls["window"].isEnabled()
    assert "wood.npz" in opened.controls["n_states"].box.toolTip()
    opened.document.set("N", n_states=7)  # is refused
    assert opened.document.parameters.n_states == 2
    opened.menus["Choose N"].trigger()  # is refused at once
    assert not opened.parts[IdleJobs].is_choosing
    assert "wood.npz is applied" in opened.status.message.whole_text()
    opened.menus["Choose w"].trigger()
    assert opened.parts[IdleJobs].is_choosing
    opened.parts[IdleJobs].cancel()
    index = view_of(opened).model.index(0, 0)
    assert not index.flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert "States of the model wood.npz" in opened.status.learned.text()
    QTest.mouseClick(opened.parts[Models].bar.let_go, LEFT)
    assert opened.document.state.given is None
    assert not opened.parts[Models].bar.isVisible()
    assert opened.controls["n_states"].isEnabled()
    opened.document.undo_stack.undo()
    assert opened.document.state.given is not None
    assert not opened.controls["n_states"].isEnabled()


def test_this_model_is_applied_to_a_folder_and_to_an_image(
    window: MainWindow, folder: Path, qtbot: QtBot, ask: Callable[..., None]
) -> None:
    before = settle(qtbot, window)
    ask(ask_images_folder=str(folder))
    window.menus["Apply this model to a folder"].trigger()
    assert names(wait_for_shelf(window, qtbot)) == ALL
    frame = settle(qtbot, window)
    np.testing.assert_array_equal(frame.codebook, before.codebook)
    assert frame.slots == before.slots
    assert window.parts[Models].bar.said.whole_text().startswith("The model of camera is applied")
    ask(ask_files=[str(folder / ALL[2])])
    window.menus["Apply this model to images"].trigger()
    qtbot.waitUntil(lambda: window.document.state.shelf is None)
    np.testing.assert_array_equal(settle(qtbot, window).codebook, before.codebook)


def test_a_model_that_does_not_suit_is_refused(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    settle(qtbot, window)
    (tmp_path / "bad.npz").write_bytes(b"no model")
    window.parts[Opener].open_file(str(tmp_path / "bad.npz"))
    qtbot.waitUntil(window.banner.isVisible)
    assert "bad.npz" in window.banner.label.text()
    assert window.document.state.given is None


def test_an_image_that_the_model_does_not_suit_is_opened_without_it(
    window: MainWindow, folder: Path, tmp_path: Path, qtbot: QtBot, ask: Callable[..., None]
) -> None:
    settle(qtbot, window)
    ask(ask_files=[str(folder / ALL[0])])
    window.menus["Apply this model to images"].trigger()
    qtbot.waitUntil(lambda: window.document.state.given is not None)
    deep = np.random.default_rng(1).integers(0, 60_000, (30, 40)).astype(np.uint16)
    Image.fromarray(deep).save(tmp_path / "deep.png")
    window.parts[Opener].open_file(str(tmp_path / "deep.png"))
    qtbot.waitUntil(window.banner.isVisible)
    assert "uint16" in window.banner.label.text()
    assert window.document.picture.name == ALL[0]
    QTest.mouseClick(window.banner.remedy_button, LEFT)
    qtbot.waitUntil(lambda: window.document.picture.name == "deep.png")
    assert window.document.state.given is None


# Sessions


def test_a_session_keeps_the_shelf_and_the_model(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.parts[Gallery].show(2)
    wait_until_shown(opened, qtbot, 2)
    opened.parts[Gallery].tick([1, 2, 5])
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == (1, 2, 5))
    path = tmp_path / "a.latviz"
    monkeypatch.setattr(sessions, "ask_session", lambda *_: (str(path), False))
    opened.parts[Sessions].save()
    qtbot.waitUntil(path.exists)
    pictures, session = read_session(path)
    assert session.state.shelf == shelf_of(opened)
    assert [member.name for member in pictures.members] == [ALL[k] for k in (1, 2, 5)]
    assert pictures.picture.name == ALL[2]
    assert session.state.axes == opened.document.state.axes
    opened.parts[Gallery].tick([2, 5])
    qtbot.waitUntil(lambda: shelf_of(opened).ticked == (2, 5))
    assert opened.parts[Sessions].path == str(path)  # and it is the same session
    assert opened.parts[Sessions].is_changed
