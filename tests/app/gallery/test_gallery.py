"""Many images: opened together, shown one by one, ticked to learn from, modelled."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QMimeData, QPoint, QRect, Qt, QUrl
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz.app.document import opening
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.document.opening import Opener
from latviz.app.gallery import gallery as gallery_module
from latviz.app.gallery import models as models_module
from latviz.app.gallery.delegate import PICTURE
from latviz.app.gallery.gallery import TICKING_MS, Gallery, evenly
from latviz.app.gallery.models import Models
from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.program.context_menus import ContextMenus
from latviz.app.program.window import MainWindow
from latviz.app.session import sessions
from latviz.app.session.sessions import Sessions
from latviz.app.shell import shell
from latviz.app.views import registry
from latviz.app.views.image.spec import PagePicker
from latviz.app.views.shelf.view import ShelfView
from latviz.app.views.states.spec import turn
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.files.listing import natural
from latviz.workspace import read_session
from tests.app.conftest import settle
from tests.app.frames import timer_of
from tests.app.gallery.shelves import (
    ALL,
    BROKEN,
    LEFT,
    N_FILES,
    READABLE,
    names,
    open_anew,
    open_folder,
    set_up,
    shelf_of,
    show,
    tick,
    wait_for_shelf,
    wait_until_shown,
    wait_until_ticked,
)
from tests.app.keys import doubled


@pytest.fixture
def _no_wings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views of wings need not compute what no test here looks at."""
    monkeypatch.setattr(registry, "wings", SimpleNamespace(rows=lambda *_: ()))


@pytest.fixture
def window(_no_wings: None, window: MainWindow) -> MainWindow:
    """A window that waits for no user."""
    timer_of(window.parts[Gallery], TICKING_MS).setInterval(0)
    set_up(window)
    return window


@pytest.fixture
def opened(window: MainWindow, folder: Path, qtbot: QtBot) -> MainWindow:
    open_folder(window, folder, qtbot)
    return window


def room(view: ShelfView, row: int) -> QRect:
    view.strip.scrollTo(view.model.index(row, 0))
    return view.strip.visualRect(view.model.index(row, 0))


def click(view: ShelfView, place: QPoint) -> None:
    QTest.mouseClick(view.strip.viewport(), LEFT, pos=place)


@pytest.mark.usefixtures("few_views")
def test_files_are_opened_together_and_that_is_undone(
    window, folder, tmp_path, qtbot, monkeypatch
) -> None:
    document = window.document
    monkeypatch.setattr(gallery_module, "ask_folder", lambda *_: str(folder))
    window.menus["Open a folder"].trigger()
    shelf = wait_for_shelf(window, qtbot)
    assert names(shelf) == ALL
    assert shelf.ticked == READABLE
    assert shelf.shown == 0
    assert document.picture.name == ALL[0]
    assert len(document.state.members) == N_FILES - 1
    assert window.views["shelf"].isVisible()
    assert window.settings.recent[0] == str(folder)
    assert "1 cannot be read" in window.status.message.whole_text()
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: document.state.shelf is None)
    assert document.picture.name == "camera"
    document.undo_stack.redo()
    assert names(wait_for_shelf(window, qtbot)) == ALL
    (tmp_path / "empty").mkdir()
    window.parts[Opener].open_file(str(tmp_path / "empty"))
    qtbot.waitUntil(window.banner.isVisible)
    assert "no image" in window.banner.label.text()
    assert document.picture.name == ALL[0]
    assert document.state.shelf is shelf
    check_dialog(window, qtbot, folder, monkeypatch)
    for paths in ([folder], [folder / name for name in ALL]):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        assert window.parts[Opener].open_data(data)
        assert names(wait_for_shelf(window, qtbot)) == ALL
        document.undo_stack.undo()
        assert document.state.shelf is None
    check_a_zarr_folder_among_images_is_named(window, qtbot, folder)
    check_files_that_look_like_labels_leave_the_shelf(window, qtbot, folder)


def check_a_zarr_folder_among_images_is_named(window, qtbot, folder) -> None:
    (folder / "slide.zarr").mkdir()
    open_folder(window, folder, qtbot)
    assert names(shelf_of(window)) == ALL
    text = "slide.zarr is not on the shelf: it is a zarr folder, which cannot be one of several"
    assert window.banner.label.text().startswith(text)
    (folder / "slide.zarr").rmdir()
    window.document.undo_stack.undo()
    assert window.document.state.shelf is None


def check_files_that_look_like_labels_leave_the_shelf(window, qtbot, folder) -> None:
    """Images whose label images have an ending of their own are opened, asked about, and undone."""
    (folder / ALL[BROKEN]).unlink()
    images = [ALL[k] for k in READABLE]
    endings = [name.replace(".png", "_truth.png") for name in images]
    for name, labels in zip(images, endings, strict=True):
        (folder / "labels" / name).rename(folder / labels)
    open_folder(window, folder, qtbot)
    assert names(shelf_of(window)) == sorted(
        [*images, *endings], key=lambda name: natural(Path(name))
    )
    text = "6 of these 12 files look like label images of the others, by the ending '_truth'"
    assert window.banner.label.text().startswith(text)
    assert window.document.picture.truth is None
    QTest.mouseClick(window.banner.remedy_button, LEFT)
    qtbot.waitUntil(lambda: shelf_of(window).truth == "_truth")
    settle(qtbot, window)
    assert names(shelf_of(window)) == images
    assert shelf_of(window).ticked == tuple(range(len(images)))
    assert all(member.truth is not None for member in window.document.state.members)
    assert not window.banner.isVisible()
    window.document.undo_stack.undo()
    qtbot.waitUntil(lambda: len(shelf_of(window).entries) == 2 * len(images))


def check_dialog(window, qtbot, folder, monkeypatch) -> None:
    paths, before = [str(folder / ALL[k]) for k in (4, 1, 0)], window.document.state.shelf
    monkeypatch.setattr(opening, "ask_files", lambda *_: paths)
    window.menus["Open"].trigger()
    qtbot.waitUntil(lambda: window.document.state.shelf is not before)
    assert names(wait_for_shelf(window, qtbot)) == [ALL[4], ALL[1], ALL[0]]
    monkeypatch.setattr(opening, "ask_files", lambda *_: paths[:1])
    window.menus["Open"].trigger()  # a single image needs no shelf
    qtbot.waitUntil(lambda: window.document.state.shelf is None)
    assert len(window.document.state.members) == 1


def test_of_many_files_some_are_learned_from_at_first() -> None:
    assert evenly(5) == [0, 1, 2, 3, 4]
    found = evenly(2000)
    assert len(found) == 32
    assert {b - a for a, b in pairwise(found)} <= {62, 63}


@pytest.mark.usefixtures("few_views")
def test_shelves_are_gone_along_and_empty_panels_take_no_room(window, qtbot, folder) -> None:
    check_empty_panels_take_no_room(window, qtbot, folder)
    open_anew(window, folder, qtbot)
    check_the_shelf_is_gone_along(window, qtbot, folder)


def check_the_shelf_is_gone_along(opened: MainWindow, qtbot: QtBot, folder: Path) -> None:
    view, header = opened.views["shelf"], opened.docks["shelf"].header
    header.filter.setText("N 5")
    assert list(view.model.items) == [4]
    header.filter.setText("")
    assert len(view.model.items) == N_FILES
    assert header.text.text() == f"{N_FILES - 1} of {N_FILES} learned from · 1 unreadable"
    check_esc_empties_the_filter_then_clears_the_highlight(opened, qtbot)
    check_click(opened, qtbot)
    check_unreadable(opened, qtbot)
    check_steps(opened, qtbot)
    check_slices(opened, qtbot)
    tick(opened, qtbot, 0)
    show(opened, qtbot, 0)
    (folder / ALL[1]).unlink()
    opened.parts[Gallery].step(1)
    wait_until_shown(opened, qtbot, 2)
    path = shelf_of(opened).entries[1].path
    assert "no such" in opened.parts[Gallery].thumbnails.failures[path].lower()


def check_esc_empties_the_filter_then_clears_the_highlight(opened, qtbot) -> None:
    assert doubled(opened) == {}
    field, document = opened.docks["shelf"].header.filter, opened.document
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    field.setFocus()
    QTest.keyClicks(field, "N 5")
    document.select(StateSelection(settle(qtbot, opened).slots[0]))
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert document.state.selection is not None
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert document.state.selection is None
    document.select(StateSelection(settle(qtbot, opened).slots[0]))
    opened.views["states"].keyboard.setFocus()
    QTest.keyClick(opened.views["states"].keyboard, Qt.Key.Key_Escape)
    assert document.state.selection is None


def check_click(opened: MainWindow, qtbot: QtBot) -> None:
    """A click shows an image with the same model."""
    before, view = settle(qtbot, opened), opened.views["shelf"]
    opened.document.select(StateSelection(before.slots[0]))
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


def check_unreadable(opened: MainWindow, qtbot: QtBot) -> None:
    """A file that cannot be read shows the reason, and is not opened."""
    view = opened.views["shelf"]
    index = view.model.index(BROKEN, 0)
    assert "not an image" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert not index.flags() & Qt.ItemFlag.ItemIsUserCheckable
    click(view, room(view, BROKEN).center())
    qtbot.waitUntil(opened.banner.isVisible)
    assert "not an image" in opened.banner.label.text()
    assert shelf_of(opened).shown == 0


def check_steps(opened: MainWindow, qtbot: QtBot) -> None:
    """Next and previous skip unreadable files."""
    show(opened, qtbot, BROKEN - 1)
    QTest.keyClick(opened, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    wait_until_shown(opened, qtbot, BROKEN + 1)
    QTest.keyClick(opened, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    wait_until_shown(opened, qtbot, BROKEN - 1)
    show(opened, qtbot, N_FILES - 1)
    opened.parts[Gallery].step(1)
    wait_until_shown(opened, qtbot, 0)


def check_slices(opened: MainWindow, qtbot: QtBot) -> None:
    """Keys of slices and records do not change the shelf."""
    before = opened.document.state
    assert not opened.menus["Next slice"].isEnabled()
    turn(opened.document, 1)
    assert opened.document.state == before
    gallery = opened.parts[Gallery]
    ticking = timer_of(gallery, 0)
    ticking.setInterval(60_000)
    gallery.tick([0, 1])
    show(opened, qtbot, 4)  # before the ticked ones are read
    ticking.setInterval(0)
    ticking.timeout.emit()
    wait_until_ticked(opened, qtbot, (0, 1))
    assert shelf_of(opened).shown == 4
    beside = opened.document.state
    assert beside.pictures.other is not None
    turn(opened.document, 1)
    assert opened.document.state == beside
    picker = PagePicker()
    qtbot.addWidget(picker)
    picker.show_source(beside.pictures)  # which counts the pages of a file, not the members
    assert picker.isHidden()


def check_what_is_learned_from_is_ticked_undone_and_kept_in_a_session(
    opened, qtbot, tmp_path, monkeypatch
) -> None:
    check_tick(opened, qtbot)
    show(opened, qtbot, 2)
    opened.menus["Learn only from this image"].trigger()
    wait_until_ticked(opened, qtbot, (2,))
    assert settle(qtbot, opened).n_signatures == 28 * 40
    opened.menus["Tick or untick this image"].trigger()  # the last one stays
    assert shelf_of(opened).ticked == (2,)
    opened.menus["Learn from all images"].trigger()
    wait_until_ticked(opened, qtbot, READABLE)
    assert shelf_of(opened).shown == 2
    check_menu(opened, qtbot)
    tick(opened, qtbot, 1, 2, 5)
    path = tmp_path / "a.latviz"
    monkeypatch.setattr(sessions, "ask_session", lambda *_: (str(path), False))
    opened.parts[Sessions].save()
    qtbot.waitUntil(path.exists)
    pictures, session = read_session(path)
    assert session.state.shelf == shelf_of(opened)
    assert [member.name for member in pictures.members] == [ALL[k] for k in (1, 2, 5)]
    assert pictures.picture.name == ALL[2]
    tick(opened, qtbot, 2, 5)
    assert opened.parts[Sessions].path == str(path)  # and it is the same session
    assert opened.parts[Sessions].is_changed


def check_tick(opened: MainWindow, qtbot: QtBot) -> None:
    """A click on a tick, or a space, learns from others."""
    before, view, document = settle(qtbot, opened), opened.views["shelf"], opened.document
    picture, others = document.picture, (0, 2, 4, 5, 6)
    click(view, room(view, 1).topLeft() + QPoint(12, 12))
    wait_until_ticked(opened, qtbot, others)
    frame = settle(qtbot, opened)
    assert [member.name for member in document.state.members] == [ALL[k] for k in others]
    assert shelf_of(opened).shown == 0  # a tick does not show the file
    assert document.picture is picture  # nor is it read again
    assert frame.slots == before.slots
    assert frame.n_signatures == sum((24 + 2 * k) * 40 for k in others)
    view.strip.setFocus()
    view.strip.setCurrentIndex(view.model.index(1, 0))
    QTest.keyClick(view.strip, Qt.Key.Key_Space)
    wait_until_ticked(opened, qtbot, READABLE)
    document.undo_stack.undo()
    document.undo_stack.undo()
    wait_until_ticked(opened, qtbot, READABLE)


def check_empty_panels_take_no_room(window: MainWindow, qtbot: QtBot, folder: Path) -> None:
    window.tabs.enter("images")
    settle(qtbot, window)
    invitation = window.parts[Gallery].invitation

    def shown() -> tuple[bool, bool]:
        return window.docks["shelf"].isVisible(), invitation.isVisible()

    assert shown() == (False, True)
    window.tabs.restore_default()
    assert shown() == (False, True)
    window.tabs.enter("inspect")
    assert not invitation.isVisible()
    window.parts[Opener].open_file(str(folder))
    wait_for_shelf(window, qtbot)
    assert window.tabs.use.name == "images"  # many images open there
    assert shown() == (True, False)
    window.document.undo_stack.undo()
    assert window.document.state.shelf is None
    assert shown() == (False, True)
    window.document.undo_stack.redo()
    qtbot.waitUntil(lambda: window.document.state.shelf is not None)
    assert shown() == (True, False)
    window.parts[Opener].open_file(str(next(folder.glob("*.png"))))  # a single picture elsewhere
    qtbot.waitUntil(lambda: window.document.state.shelf is None)
    assert window.tabs.use.name == "explore"
    window.tabs.enter("tradeoff")
    window.parts[Opener].open_demo("figure2")
    qtbot.waitUntil(lambda: window.document.picture.is_made)
    assert window.tabs.use.name == "tradeoff"  # which suits one picture, too


@pytest.mark.usefixtures("few_views")
def test_an_image_that_is_wanted_and_ticks_are_both_read(opened: MainWindow, qtbot: QtBot) -> None:
    gallery = opened.parts[Gallery]
    gallery.show(1)  # the ticks are due while it is read
    gallery.tick([2, 4])
    timer_of(gallery, 0).timeout.emit()
    wait_until_ticked(opened, qtbot, (2, 4))
    wait_until_shown(opened, qtbot, 1)
    gallery.tick([0])
    timer_of(gallery, 0).timeout.emit()
    gallery.show(5)  # and an image is requested while ticks are read
    wait_until_shown(opened, qtbot, 5)
    wait_until_ticked(opened, qtbot, (0,))
    assert gallery.shelf is opened.document.state.shelf


def check_menu(opened: MainWindow, qtbot: QtBot) -> None:
    """The menu of the shelf acts on the chosen files."""
    view = opened.views["shelf"]
    chosen = view.strip.selectionModel()
    view.strip.setCurrentIndex(view.model.index(4, 0))
    chosen.select(view.model.index(5, 0), chosen.SelectionFlag.Select)
    assert view.chosen == [4, 5]
    view.customContextMenuRequested.emit(QPoint(5, 5))
    menu = opened.parts[ContextMenus].menu
    menu.hide()
    acts = {action.text(): action for action in menu.actions()}
    acts["Learn only from these 2 images"].trigger()
    wait_until_ticked(opened, qtbot, (4, 5))


def entries(n: int) -> list[Entry]:
    return [Entry(f"/nowhere/{k}.png", k, k) for k in range(n)]


def test_small_pictures_are_read_when_they_are_looked_at(qtbot: QtBot) -> None:
    """Of 2,000 files only the visible ones are read, after any scrolling."""
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
    view.strip.grab()  # which requests it
    qtbot.waitUntil(lambda: thumbnails.of(shelf.entries[1999]) is not None)
    last = view.strip.visualRect(view.model.index(1999, 0)).center()
    grey = view.strip.grab().toImage().pixelColor(last)
    assert grey.red() == grey.green() == grey.blue() == 90
    thumbnails.close()


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Answer the dialogs of models."""

    def answer(**answers: Any) -> None:
        for name, value in answers.items():
            module = shell if name == "ask_where" else models_module
            monkeypatch.setattr(module, name, lambda *_, value=value: value)

    return answer


@pytest.mark.usefixtures("few_views")
def test_ticks_and_models_are_kept_and_let_go(
    opened, folder, qtbot, tmp_path, monkeypatch, ask
) -> None:
    check_a_model_is_saved_applied_and_let_go(opened, qtbot, tmp_path, ask)
    open_anew(opened, folder, qtbot)
    check_what_is_learned_from_is_ticked_undone_and_kept_in_a_session(
        opened, qtbot, tmp_path, monkeypatch
    )


def check_a_model_is_saved_applied_and_let_go(opened, qtbot, tmp_path, ask) -> None:
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
    assert "wood.npz" in opened.parts[Models].bar.message.whole_text()
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
    index = opened.views["shelf"].model.index(0, 0)
    assert not index.flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert "States of the model wood.npz" in opened.status.learned.text()
    QTest.mouseClick(opened.parts[Models].bar.stop, LEFT)
    assert opened.document.state.given is None
    assert not opened.parts[Models].bar.isVisible()
    assert opened.controls["n_states"].isEnabled()
    opened.document.undo_stack.undo()
    assert opened.document.state.given is not None
    assert not opened.controls["n_states"].isEnabled()


@pytest.mark.usefixtures("few_views")
def test_a_model_is_applied_to_images_that_it_suits(window, folder, tmp_path, qtbot, ask) -> None:
    document, before = window.document, settle(qtbot, window)
    ask(ask_folder=str(folder))
    window.menus["Apply this model to a folder"].trigger()
    assert names(wait_for_shelf(window, qtbot)) == ALL
    frame = settle(qtbot, window)
    np.testing.assert_array_equal(frame.codebook, before.codebook)
    assert frame.slots == before.slots
    assert (
        window.parts[Models].bar.message.whole_text().startswith("The model of camera is applied")
    )
    ask(ask_files=[str(folder / ALL[2])])
    window.menus["Apply this model to images"].trigger()
    qtbot.waitUntil(lambda: document.state.shelf is None)
    np.testing.assert_array_equal(settle(qtbot, window).codebook, before.codebook)
    deep = np.random.default_rng(1).integers(0, 60_000, (30, 40)).astype(np.uint16)
    Image.fromarray(deep).save(tmp_path / "deep.png")
    window.parts[Opener].open_file(str(tmp_path / "deep.png"))
    qtbot.waitUntil(window.banner.isVisible)
    assert "uint16" in window.banner.label.text()
    assert document.picture.name == ALL[2]
    QTest.mouseClick(window.banner.remedy_button, LEFT)
    qtbot.waitUntil(lambda: document.picture.name == "deep.png")  # without the model
    assert document.state.given is None
    settle(qtbot, window)
    window.banner.hide()
    (tmp_path / "bad.npz").write_bytes(b"no model")
    window.parts[Opener].open_file(str(tmp_path / "bad.npz"))
    qtbot.waitUntil(window.banner.isVisible)
    assert "bad.npz" in window.banner.label.text()
    assert document.state.given is None
