"""The start page: visible without a picture, hidden as soon as one is open."""

import os
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QCommandLinkButton
from pytestqt.qtbot import QtBot

from latviz.app.document.opening import Opener
from latviz.app.lessons.teacher import Teacher
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import store
from latviz.app.start import starter
from latviz.app.start.page import LINK_ICON
from latviz.app.start.starter import Starter
from latviz.core.progress import stop_if_unwanted
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from tests.app.conftest import settle


@pytest.fixture(autouse=True)
def _quick_demos(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw but one demo, which takes no time."""
    make = starter.small_demo
    monkeypatch.setattr(starter, "small_demo", lambda _: make("stripes"))


@pytest.fixture
def page(begun, qtbot, image, tmp_path, monkeypatch) -> MainWindow:
    """A window whose file could not be read, and that opened another one before."""
    monkeypatch.setenv("LATVIZ_HOME", str(tmp_path / "home"))
    store().clear()
    store().setValue("recent", [str(image)])
    window = begun()
    window.parts[Opener].open_file("/no/such/picture.png")
    qtbot.waitUntil(window.parts[Starter].page.isVisible)
    return window


def links(window: MainWindow, name: str) -> dict[str, QCommandLinkButton]:
    layout = getattr(window.parts[Starter].page, name)
    found = (layout.itemAt(k).widget() for k in range(layout.count()))
    return {link.accessibleName(): link for link in found if isinstance(link, QCommandLinkButton)}


def test_a_failed_start_invites(page: MainWindow, qtbot: QtBot, image: Path) -> None:
    shown = page.parts[Starter].page
    assert "no such file" in page.banner.label.text()
    assert shown.geometry().top() >= page.banner.mapTo(page, QPoint()).y() + page.banner.height()
    assert not shown.back.isVisible()
    assert [demo.accessibleName() for demo in shown.demos.values()] == list(DEMO_TITLES.values())
    for demo in shown.demos.values():  # no caption is cut
        widest = max(demo.fontMetrics().horizontalAdvance(t) for t in demo.text().split("\n"))
        assert widest < demo.width()
    assert list(links(page, "recent")) == [image.name]
    assert len(links(page, "lessons")) == starter.MOST_LESSONS + 1
    qtbot.waitUntil(lambda: not links(page, "recent")[image.name].icon().isNull())
    blank = shown.demos["blobs"].icon().pixmap(64).toImage()
    stripes = shown.demos["stripes"]
    qtbot.waitUntil(lambda: stripes.icon().pixmap(64).toImage() != blank)
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert not page.banner.isVisible()
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert shown.isVisible()  # no widget is below it


def test_the_keyboard_stays_on_it_and_opens_what_was_open_last(page, qtbot, image) -> None:
    qtbot.waitUntil(lambda: not links(page, "recent")[image.name].icon().isNull())
    qtbot.waitUntil(links(page, "recent")[image.name].isVisible)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    assert page.parts[Starter].page.isAncestorOf(QApplication.focusWidget())
    visited = []
    while (focus := QApplication.focusWidget()) not in visited:
        visited.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    wanted = [*page.parts[Starter].page.demos.values(), *links(page, "lessons").values()]
    assert set(wanted) <= set(visited)
    assert not any(dock.isAncestorOf(w) for dock in page.docks.values() for w in visited)
    link = links(page, "recent")[image.name]
    assert link in visited
    QTest.keyClick(link, Qt.Key.Key_Space)
    settle(qtbot, page)
    assert page.document.picture.name == image.name
    assert not page.parts[Starter].page.isVisible()
    assert page.docks["states"].isEnabled()


def test_closing_cancels_the_small_pictures(begun, qtbot, monkeypatch, no_leaked_threads) -> None:
    """Closing waited for the demo that was being drawn, 1.4 s."""
    began = Event()

    def endless(_: str) -> None:
        began.set()
        while True:
            stop_if_unwanted()

    monkeypatch.setattr(starter, "small_demo", endless)
    window = begun()
    window.menus["Start page"].trigger()
    qtbot.waitUntil(began.is_set)
    window.close_now()  # or it waits for `LEFT_S`, and then leaves the thread behind


@pytest.mark.parametrize("suffix", ["png", "jpg", "bmp", "gif", "tif", "webp"])
def test_small_pictures_of_recent_files(tmp_path: Path, suffix: str) -> None:
    """Those of TIFF files ended the program: a reader of Qt's outlived its buffer."""
    path = tmp_path / f"wide.{suffix}"
    Image.new("RGB", (320, 160), (200, 30, 90)).save(path)
    _, found = starter.small_pictures([], [str(path)] * 2)
    drawn = found[str(path)]
    assert drawn.shape == (LINK_ICON // 2, LINK_ICON, 3)
    assert np.allclose(drawn, (200, 30, 90), atol=5)  # JPEG's


def test_damaged_recent_files_have_no_small_pictures(tmp_path, capfd) -> None:
    """Qt's library of PNG printed past Python."""
    paths = [tmp_path / f"{kind}.{kind}" for kind in ("png", "jpg", "tif")]
    for path in paths:
        Image.new("RGB", (320, 160), (200, 30, 90)).save(path)
        path.write_bytes(path.read_bytes()[:99])
    paths += [tmp_path / "none.png", tmp_path]
    assert starter.small_pictures([], list(map(str, paths)))[1] == {}
    assert capfd.readouterr() == ("", "")


@pytest.mark.posix("os.mkfifo", "/dev/null")
def test_small_pictures_of_pipes_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    pipe, device = tmp_path / "a.png", tmp_path / "b.png"
    os.mkfifo(pipe)
    device.symlink_to("/dev/null")
    assert starter.small_pictures([], [str(pipe), str(device), "a\0b"])[1] == {}


def test_it_can_be_reached_later_left_and_a_lesson_begins_from_it(window, qtbot) -> None:
    settle(qtbot, window)
    window.menus["Start page"].trigger()
    shown = window.parts[Starter].page
    assert shown.isVisible()
    assert shown.back.isVisible()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not shown.isVisible()
    window.menus["Start page"].trigger()
    window.resize(900, 700)
    qtbot.waitUntil(lambda: shown.width() == window.width())
    shown.demos["stripes"].click()
    qtbot.waitUntil(lambda: window.document.picture.origin.get("demo") == "stripes")
    assert not shown.isVisible()
    settle(qtbot, window)
    window.menus["Start page"].trigger()
    next(iter(links(window, "lessons").values())).click()
    assert window.tabs.use.name == "learn"
    qtbot.waitUntil(lambda: window.parts[Teacher].lesson is not None)
    assert not window.parts[Starter].page.isVisible()
    settle(qtbot, window)
