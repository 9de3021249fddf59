"""Copying pictures and values of views, and exporting them all."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QProgressDialog, QWidget

from latviz.app.exporting import copying, exporting
from latviz.app.exporting.copying import Copier, view_in_use
from latviz.app.exporting.exporting import FigureBatch
from latviz.app.program.window import MainWindow
from latviz.app.session import sessions
from latviz.app.session.sessions import Sessions
from latviz.app.views.base import View
from latviz.app.views.spec import AnySpec, as_text
from latviz.engine.frames.inspection import inspect
from tests.app.conftest import begin_anew, settle
from tests.app.shown_numbers import table

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_values_views_and_scripts_are_copied(window, qtbot, clipboard, tmp_path) -> None:
    check_values_are_those_of_the_frame_the_pins_and_the_pixel(window, qtbot, clipboard)
    window.document.reset()
    window.document.unpin_all()
    settle(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_every_view_and_title_has_a_menu_and_is_copied_at_the_resolution_that_is_set(
            window, clipboard, patch
        )
    begin_anew(qtbot, window)
    check_a_script_opens_the_session_that_has_the_image(window, qtbot, clipboard, tmp_path)


def check_values_are_those_of_the_frame_the_pins_and_the_pixel(window, qtbot, clipboard) -> None:
    document, copy_values = window.document, window.parts[Copier].copy_values
    clipboard.setText("as before")
    copy_values("image")
    assert "no values" in window.status.message.whole_text()
    assert clipboard.text() == "as before"
    document.inspector.hover((7, 8))
    copy_values("pixel")
    pixels = [inspect(document.frame, (7, 8))]
    unpinned = [row[1:] for row in table("pixel", document.frame, pixels)]
    assert clipboard.text() == as_text(unpinned)
    document.inspector.hover(None)
    document.set("N", n_states=6)
    copy_values("adjacency")
    qtbot.waitUntil(lambda: clipboard.text().startswith("A\t1"))
    assert document.frame.model.n_states == 6
    assert clipboard.text() == as_text(table("adjacency", document.frame, []))


COMMON = ["Copy the picture", "Export…"]


def check_every_view_and_title_has_a_menu_and_is_copied_at_the_resolution_that_is_set(
    window, clipboard, monkeypatch
) -> None:
    widths = []
    for dpi in (96, 192):
        window.settings.dpi = dpi
        window.parts[Copier].copy_view("indices")
        widths.append(clipboard.image().width())
    assert widths[1] == 2 * widths[0]
    indices = clipboard.image()
    QTest.keyClick(window, Qt.Key.Key_C, CONTROL)
    assert clipboard.image() != indices
    assert "State map" in window.status.message.whole_text()
    for name, view in window.views.items():
        bar = window.docks[name].bar
        assert bar.contextMenuPolicy() == Qt.ContextMenuPolicy.ActionsContextMenu
        assert view.contextMenuPolicy() == Qt.ContextMenuPolicy.CustomContextMenu
        for place in (bar, view):
            assert [action.text() for action in place.actions()] == COMMON
    window.views["emissions"].actions()[0].trigger()
    assert clipboard.image().width() > window.views["emissions"].width()
    check_name_in_use(window, monkeypatch)


def check_name_in_use(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """The view is meant that has the keyboard, or else the pointer over it."""
    assert view_in_use(window.views, window.docks) == "states"
    monkeypatch.setattr(window.views["adjacency"], "underMouse", lambda: True)
    assert view_in_use(window.views, window.docks) == "adjacency"
    window.tabs.stage.open_dock("tree")
    window.views["tree"].setFocus()
    focus: QWidget = window.docks["image"].header.layers
    for name in ("tree", "image"):
        monkeypatch.setattr(
            copying.QApplication,
            "focusWidget",
            lambda name=name: window.views["tree"] if name == "tree" else focus,
        )
        assert view_in_use(window.views, window.docks) == name
    monkeypatch.setattr(
        copying.QApplication, "focusWidget", lambda: window.controls["n_states"].box
    )
    assert view_in_use(window.views, window.docks) == "adjacency"


@pytest.fixture
def batch(window, qtbot, tmp_path, monkeypatch) -> Callable[..., list[Path]]:
    """Write figures of all views; return their files in a folder of their own."""

    def write(dpi: int, suffix: str = ".png") -> list[Path]:
        folder = tmp_path / f"{dpi}{suffix}"
        folder.mkdir()
        monkeypatch.setattr(exporting, "ask_folder", lambda *_: str(folder))
        window.settings.dpi, window.settings.figure_format = dpi, suffix
        window.status.show_message("")
        window.parts[FigureBatch].start()
        qtbot.waitUntil(lambda: "Wrote" in window.status.message.whole_text())
        return list(folder.iterdir())

    return write


def test_all_views_at_a_resolution_and_in_a_format(
    window, qtbot, tmp_path, batch, monkeypatch
) -> None:
    for dpi in (91, 182):
        check_resolution(window, batch(dpi), dpi)
    for suffix, start in ((".svg", b"<?xml"), (".pdf", b"%PDF-")):
        paths = batch(150, suffix)
        assert len(paths) == sum(view.isVisible() for view in window.views.values())
        assert all(path.suffix == suffix and path.read_bytes().startswith(start) for path in paths)
    # Text is as large at any resolution.
    pictures = []
    for dpi in (91, 182):
        with Image.open(tmp_path / f"{dpi}.png" / "camera-indices.png") as image:
            pictures.append(image.convert("L"))
    first, second = pictures
    assert second.size == tuple(2 * side for side in first.size)
    # Fonts are fitted to pixels in ways of their own; means of many pixels are not
    coarse, same = (
        np.asarray(picture.reduce(by), np.float64) for picture, by in ((first, 4), (second, 8))
    )
    assert np.abs(coarse - same).mean() < 4  # 25 if the text is a twentieth smaller
    check_cancelling_leaves_whole_files_and_failing_is_told(
        window, qtbot, tmp_path, batch, monkeypatch
    )


def check_resolution(window: MainWindow, paths: list[Path], dpi: int) -> None:
    visible = [name for name, view in window.views.items() if view.isVisible()]
    called = {"simplex" if name == "space" else name for name in visible}
    assert {path.name for path in paths} == {f"camera-{name}.png" for name in called}
    for path in paths:
        with Image.open(path) as image:
            np.testing.assert_allclose(image.info["dpi"], dpi, rtol=0.0, atol=0.02)
            # Sides are whole numbers of points.
            points = np.array(image.size) / dpi * 72
            np.testing.assert_allclose(points, np.rint(points), rtol=0.0, atol=0.6 * 72 / dpi)


def check_cancelling_leaves_whole_files_and_failing_is_told(
    window, qtbot, tmp_path, batch, monkeypatch
) -> None:
    draw, figures, part = exporting.figure_steps, [], window.parts[FigureBatch]

    def draw_and_cancel(spec: AnySpec, view: View, path: Path, dpi: float) -> Any:
        figures.append(spec)
        if len(figures) == 2:
            window.findChild(QProgressDialog).cancel()
        return draw(spec, view, path, dpi)

    monkeypatch.setattr(exporting, "figure_steps", draw_and_cancel)
    paths = batch(96)
    assert "Wrote 2 of 8 views" in window.status.message.whole_text()
    assert len(paths) == 2
    for path in paths:
        with Image.open(path) as image:
            image.load()
    monkeypatch.setattr(exporting, "ask_folder", lambda *_: str(tmp_path / "nowhere"))
    part.start()
    qtbot.waitUntil(window.banner.isVisible)
    assert "camera-image.png" in window.banner.label.text()
    qtbot.waitUntil(lambda: not window.findChildren(QProgressDialog))


def check_a_script_opens_the_session_that_has_the_image(window, qtbot, clipboard, tmp_path) -> None:
    settle(qtbot, window)
    window.parts[Copier].copy_python()
    assert "save the session" in clipboard.text()
    assert "codewords = B @ corners" in clipboard.text()
    script = clipboard.text()
    window.parts[Copier].copy_notebook()
    made = json.loads(clipboard.text())["cells"]
    code = ["".join(cell["source"]) for cell in made if cell["cell_type"] == "code"]
    assert code[-1] == "model"
    assert "".join("".join(code[:-1]).split()) in "".join(script.split())
    path = str(tmp_path / "work.latviz")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "ask_session", lambda *_: (path, True))
        window.parts[Sessions].save()
    qtbot.waitUntil(lambda: bool(window.parts[Sessions].path), timeout=20_000)
    window.parts[Copier].copy_python()
    assert f"read_session({path!r})" in clipboard.text()
