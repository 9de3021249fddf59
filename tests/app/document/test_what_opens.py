"""The settings that pictures open with in the window, by every way to open them."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QMimeData, QUrl
from PyQt6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from latviz.app.document.opening import Opener
from latviz.app.gallery.gallery import TICKING_MS, Gallery
from latviz.app.program.window import MainWindow
from latviz.core.data.encoding import Encoding
from latviz.engine.settings.parameters import Parameters, opening
from latviz.engine.settings.state import State
from latviz.workspace import read_pictures
from tests.app.conftest import opens
from tests.app.frames import timer_of

SIDES = 66, 70
SET = {"n_states": 3, "window": 40, "alpha": 0.5}
"""Settings of a user; no picture opens with them by default."""
Ways = Callable[[MainWindow, Path], object]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A sequence, a grey photograph and two in colour."""
    rng = np.random.default_rng(3)
    names = {"sequence": "fasta", "grey": "png", "colour": "png", "other colour": "png"}
    found = {kind: tmp_path / f"{kind}.{suffix}" for kind, suffix in names.items()}
    letters = "".join(rng.choice(list("ACDEFGHIKLMNPQRSTVWY"), 150))
    found["sequence"].write_text(f">one\n{letters}\n")
    grey = rng.permutation(np.resize(np.arange(200), SIDES[0] * SIDES[1])).reshape(SIDES)
    grey = grey.astype(np.uint8)
    Image.fromarray(grey).save(found["grey"])
    for name, turned in (("colour", grey), ("other colour", grey[::-1])):
        Image.fromarray(np.stack([turned, 255 - turned, turned // 2], axis=-1)).save(found[name])
    return found


@pytest.fixture
def window(begun: Callable[..., MainWindow]) -> MainWindow:
    """A window in which nothing was opened yet, with few views: what opens depends on none."""
    window = begun()
    window.tabs.stage.show_only({"controls", "image", "states"})
    return window


def fitting(kind: str, files: dict[str, Path]) -> Parameters:
    return opening(read_pictures(files[kind]).facts)


def open_kind(window: MainWindow, qtbot: QtBot, kind: str, files: dict[str, Path]) -> None:
    opens(window, qtbot, lambda: window.parts[Opener].open_file(str(files[kind])))


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    window.parts[Opener].open_data(data)


def copied(window: MainWindow, path: Path) -> None:
    clipboard = QGuiApplication.clipboard()
    clipboard.setImage(QImage(str(path)))
    window.parts[Opener].paste()


def in_folder(window: MainWindow, path: Path) -> None:
    folder = path.with_suffix("")
    folder.mkdir()
    shutil.copy(path, folder)
    window.parts[Opener].open_file(str(folder))


def recent(window: MainWindow, path: Path) -> None:
    window.settings.add_recent(str(path))
    window.settings.finish()
    menu = window.menus.menus["Open recent"]
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == path.name).trigger()


WAYS: dict[str, Ways] = {
    "file": lambda window, path: window.parts[Opener].open_files([str(path)]),
    "drop": drop,
    "paste": copied,
    "folder": in_folder,
    "recent": recent,
    "several": lambda window, path: window.parts[Gallery].open([str(path)]),
}


def test_by_every_way_the_picture_decides(window, qtbot, files) -> None:
    """A colour photograph opens the same after a sequence and after other settings."""
    document, wanted = window.document, fitting("colour", files)
    assert (wanted.encoding, wanted.n_states, wanted.window) == (Encoding("lab"), 4, 7)
    for name, way in WAYS.items():
        document.keep_settings(False)
        open_kind(window, qtbot, "sequence", files)
        document.set("Set", **SET)
        opens(window, qtbot, partial(way, window, files["colour"]))
        assert document.parameters == document.state.suited == wanted, name
        assert document.state.looks.mean_colors, name
        document.set("Set", **SET)
        document.keep_settings(True)
        was = document.parameters
        opens(window, qtbot, partial(way, window, files["other colour"]))
        assert document.parameters == was, name


def test_pages_folders_and_switches(window, qtbot, tmp_path, files) -> None:
    check_a_folder_is_one_piece_of_work(window, qtbot, files)
    check_switches_are_undone_and_options_of_the_command_line_come_before_both(window, qtbot, files)


def check_a_folder_is_one_piece_of_work(window, qtbot, files) -> None:
    """Its images keep the settings, until those of another kind are learned from."""
    document, gallery = window.document, window.parts[Gallery]
    paths = [str(files[kind]) for kind in ("colour", "grey", "other colour")]
    opens(window, qtbot, lambda: gallery.open(paths))
    timer_of(gallery, TICKING_MS).setInterval(0)
    waits_for_members(window, qtbot, gallery.tick_shown_alone)
    document.set("Set", **SET)
    document.set_mean_colors(False)
    was = document.state
    for _ in range(3):
        opens(window, qtbot, partial(gallery.step, 1))
        assert document.parameters == was.parameters
        assert document.state.looks == was.looks
    opens(window, qtbot, partial(gallery.show, 2))
    waits_for_members(window, qtbot, gallery.tick_shown_alone)
    assert (document.parameters, document.state.suited) == (was.parameters, was.suited)
    opens(window, qtbot, partial(gallery.show, 1))
    waits_for_members(window, qtbot, gallery.tick_shown_alone)
    assert document.parameters == document.state.suited == fitting("grey", files)
    document.undo_stack.undo()
    assert document.parameters == was.parameters


def waits_for_members(window: MainWindow, qtbot: QtBot, act: Callable[[], object]) -> None:
    def others(old: State, new: State) -> bool:
        return new.members != old.members

    with qtbot.waitSignal(window.document.changed, check_params_cb=others, timeout=20_000):
        act()


def check_switches_are_undone_and_options_of_the_command_line_come_before_both(
    window, qtbot, files
) -> None:
    document = window.document
    open_kind(window, qtbot, "grey", files)
    window.controls.keep.click()
    assert document.state.keeps_settings
    assert window.menus["Keep these settings"].isChecked()
    document.undo_stack.undo()
    assert not window.controls.keep.isChecked()
    assert not document.state.keeps_settings
    action = window.menus["Layer: Mean colours"]
    open_kind(window, qtbot, "colour", files)
    assert window.document.state.looks.mean_colors
    for on in (False, True):
        action.trigger()
        assert document.state.looks.mean_colors == document.display.borders == on
        window.menus.refresh()
        assert action.isChecked() == on
    document.undo_stack.undo()
    assert not document.state.looks.mean_colors
    assert not document.display.borders
    document.set("Set", **SET)
    document.keep_settings(True)
    path = str(files["other colour"])
    opens(window, qtbot, lambda: window.parts[Opener].open_path(path, adjust=five))
    assert document.parameters == document.state.suited == five(fitting("other colour", files))
    opens(window, qtbot, lambda: window.parts[Gallery].open([path], adjust=five))
    assert document.parameters == five(fitting("other colour", files))


def five(parameters: Parameters) -> Parameters:
    return replace(parameters, window=5)
