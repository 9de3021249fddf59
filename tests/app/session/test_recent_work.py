"""Recent sessions: when they are recorded, how the menu shows them, and how they are opened."""

import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QSize
from PyQt6.QtGui import QAction

from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.app.session import autosave, recent_work
from latviz.app.session.autosave import Autosave
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import read_session
from tests.app.conftest import join_background, opened, settle


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LATVIZ_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "kept"


@pytest.fixture
def start(folder: Path, begun: Callable[[], MainWindow]) -> Callable[[], MainWindow]:
    return begun


@pytest.fixture
def images(tmp_path: Path) -> list[Path]:
    rng, paths = np.random.default_rng(0), [tmp_path / f"{k}.png" for k in range(3)]
    for k, path in enumerate(paths):
        Image.fromarray(rng.integers(0, 256, (40 + k, 50)).astype(np.uint8)).save(path)
    return paths


def work_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("work-*.latviz"))


def listed(window: MainWindow) -> list[QAction]:
    """Return the items of the menu when it opens."""
    menu = window.menus.menus["Recent work"]
    menu.aboutToShow.emit()
    return menu.actions()


def test_the_list_is_cleared_what_was_left_comes_back_and_the_menu_shows_image_and_states(
    qtbot, folder, start, tmp_path
) -> None:
    pixels = np.zeros((40, 40), np.uint8)
    pixels[:20] = 255
    Image.fromarray(pixels).save(tmp_path / "halves.png")
    window = start()
    assert [item.isEnabled() for item in listed(window)] == [False]
    document = window.document
    opened(window, qtbot, lambda: window.parts[Opener].open_file(str(tmp_path / "halves.png")))
    document.set("both", n_states=2, window=1)
    document.pin((3, 4))
    frame = settle(qtbot, window)
    before = document.state
    opened(window, qtbot, lambda: window.parts[Opener].open_demo("stripes"))
    qtbot.waitUntil(lambda: len(work_in(folder)) == 1)
    (path,) = work_in(folder)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first, *_ = listed(window)
    assert first.text().startswith("halves.png – ")
    assert first.toolTip()
    image = first.icon().pixmap(QSize(64, 64)).toImage()
    assert image.pixelColor(8, 8).getRgb()[:3] == (255, 255, 255)
    assert image.pixelColor(8, 56).getRgb()[:3] == (0, 0, 0)
    upper, lower = (image.pixelColor(56, y).getRgb()[:3] for y in (8, 56))
    colors = (0, 114, 178), (213, 94, 0), (240, 228, 66), (86, 180, 233)  # Okabe and Ito
    assert upper == colors[frame.slots[frame.states[5, 30]]]
    assert lower == colors[frame.slots[frame.states[35, 30]]]
    assert upper != lower
    opened(window, qtbot, first.trigger)
    np.testing.assert_array_equal(document.picture.pixels, pixels)
    assert (document.parameters, document.state.pins) == (before.parameters, ((3, 4),))
    document.undo_stack.undo()
    assert document.picture.name == settle(qtbot, window).request.picture.name
    assert document.picture.origin["demo"] == "stripes"
    window.close()
    assert work_in(folder) == [path]
    assert list(folder.iterdir()) == [path]
    *_, clear = listed(start())
    clear.trigger()
    assert not work_in(folder)


def test_it_is_recorded_once_for_each_picture_and_not_without_changes(
    qtbot, folder, start, images
) -> None:
    window = start()
    document = window.document
    for image in images:
        opened(window, qtbot, lambda image=image: window.parts[Opener].open_file(str(image)))
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.redo()
    assert document.picture.name == "1.png"
    document.set("N", n_states=3)
    document.undo_stack.undo()
    opened(window, qtbot, lambda: window.parts[Opener].open_file(str(images[0])))
    join_background()
    assert not work_in(folder)
    for n_states in (3, 6):
        document.set("N", n_states=n_states)
        opened(window, qtbot, lambda: window.parts[Opener].open_demo("stripes"))
        document.undo_stack.undo()
        assert document.parameters.n_states == n_states
    window.close()
    (path,) = work_in(folder)
    assert read_session(path)[1].state.parameters.n_states == 6


def test_the_same_work_is_not_listed_twice(qtbot, folder, start, images) -> None:
    for window in (start(), start()):
        opened(window, qtbot, partial(window.parts[Opener].open_file, str(images[0])))
        window.document.set("N", n_states=3)
        settle(qtbot, window)
        window.close()
    assert len(work_in(folder)) == 1


def test_ten_are_kept_and_what_an_older_program_kept_last(folder: Path) -> None:
    folder.mkdir(parents=True)
    for k in range(13):
        path = recent_work.new_place(folder)
        path.write_text(f"{k}")
    recent_work.prune(folder)
    assert [path.read_text() for path in recent_work.kept_in(folder)] == [
        f"{k}" for k in range(12, 2, -1)
    ]
    for path in recent_work.kept_in(folder):
        path.unlink()
    (folder / "last.latviz").write_text("x")
    assert [path.name for path in recent_work.kept_in(folder)] == ["last.latviz"]


def test_what_was_pasted_is_recorded_without_changes_and_read_for_undo(
    qtbot, folder, start, images, monkeypatch
) -> None:
    from latviz.files import memory

    monkeypatch.setattr(memory, "most_held", lambda: 0)
    window = start()
    pixels = np.random.default_rng(1).integers(0, 256, (30, 40)).astype(np.uint8)
    pasted = Picture(pixels, "Pasted image", origin={"clipboard": True})
    window.document.open(pasted, Parameters(n_states=2))
    settle(qtbot, window)
    opened(window, qtbot, lambda: window.parts[Opener].open_file(str(images[0])))
    qtbot.waitUntil(lambda: len(work_in(folder)) == 1)
    join_background()
    qtbot.wait(50)
    opened(window, qtbot, lambda: window.parts[Opener].open_file(str(images[1])))
    opened(window, qtbot, window.document.undo_stack.undo)
    opened(window, qtbot, window.document.undo_stack.undo)
    assert window.document.picture is not pasted
    np.testing.assert_array_equal(window.document.picture.pixels, pixels)


def test_what_cannot_be_read_is_set_aside_and_offered_once(qtbot, folder, start, images) -> None:
    folder.mkdir(parents=True)
    for name in ("work-1-ab", "kept-ab"):
        (folder / f"{name}.latviz").write_bytes(b"PK no session")
    window = start()
    opened(window, qtbot, lambda: window.parts[Opener].open_file(str(images[0])))
    state = window.document.state
    qtbot.waitUntil(window.banner.isVisible)
    assert "did not close properly" in window.banner.label.text()
    window.banner.remedy_button.click()
    qtbot.waitUntil(lambda: "moved to" in window.banner.label.text())
    window.banner.hide()
    window.parts[Autosave].reopen()
    qtbot.waitUntil(window.banner.isVisible)
    text = window.banner.label.text()
    assert "work-1-ab.latviz" in text
    assert "moved to" in text
    assert window.document.state is state
    assert [item.text() for item in listed(window)] == ["No work yet"]
    window.close()
    aside = {"unreadable-1-ab.latviz", "unreadable-ab.latviz"}
    assert {item.name for item in folder.iterdir()} == aside
    again = start()
    opened(again, qtbot, lambda: again.parts[Opener].open_file(str(images[0])))
    qtbot.wait(100)
    assert not again.banner.isVisible()


def test_undoing_into_work_keeps_it_from_a_crash(qtbot, folder, start, images, monkeypatch) -> None:
    monkeypatch.setattr(autosave, "INTERVAL_MS", 50)
    window = start()
    opened(window, qtbot, lambda: window.parts[Opener].open_file(str(images[0])))
    window.document.set("N", n_states=3)
    opened(window, qtbot, lambda: window.parts[Opener].open_file(str(images[1])))
    window.document.undo_stack.undo()
    window.document.set("N", n_states=6)

    def is_kept() -> bool:
        paths = list(folder.glob("kept-*.latviz"))
        return any(read_session(path)[1].state.parameters.n_states == 6 for path in paths)

    qtbot.waitUntil(is_kept)
    (work,) = work_in(folder)
    assert read_session(work)[1].state.parameters.n_states == 3
