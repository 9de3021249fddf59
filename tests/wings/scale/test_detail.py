"""Zarr folders in the window: the visible part is read and decoded at the finest level."""

import math
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import zarr
from PyQt6.QtCore import QPoint, QPointF, QRectF, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from zarr.core.sync import cleanup_resources

from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.app.sharing.writer import Writer
from latviz.app.views.viewer.view import Viewer
from latviz.core import Encoding, FitSettings
from latviz.core.truth.agreement import contingency, matched_states
from latviz.files import levels
from latviz.files.pyramids import open_pyramid
from latviz.wings.scale import decoding, magnifier, whole
from latviz.wings.scale.decoding import decode_file
from latviz.wings.scale.finer import Finer
from latviz.wings.scale.kept import ZarrSettings
from latviz.wings.scale.magnifier import Magnifier
from latviz.wings.scale.settings import HowDecoded
from tests.app.conftest import begin_anew, settle
from tests.app.frames import timer_of
from tests.core.cases import blocky
from tests.files.test_pyramids import VERSIONS
from tests.wings.scale.cases import states_in

SMALL, LARGE = (240, 208), (960, 832)
"""At their second levels one is smaller than a view of the window, the other is larger."""
SYMBOLS = Encoding("palette", 4)


class Patient:
    def report(self, _fraction: float) -> None:
        pass

    def cancelled(self) -> bool:
        return False


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of images of three noisy colours, at three levels."""
    folder = tmp_path_factory.mktemp("made")
    for shape in (SMALL, LARGE):
        fields = [blocky(shape, 4, seed, noise=0.2, block=40) for seed in (1, 2, 3)]
        values = (50 * np.stack(fields)[None, :, None] + 20).astype(np.uint8)
        group = zarr.create_group(str(folder / f"{shape}"), attributes=VERSIONS["0.5"][1])
        for k in range(3):
            level = values[..., :: 2**k, :: 2**k]
            array = group.create_array(
                f"s{k}", shape=level.shape, dtype=level.dtype, chunks=(1, 3, 1, 128, 128)
            )
            array[:] = level
    return folder


@pytest.fixture
def copied(window: MainWindow, made: Path, tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Yield a function that copies one of them and opens a level; end the threads of zarr."""
    timer_of(window.parts[Magnifier], magnifier.REST_MS).setInterval(0)
    with pytest.MonkeyPatch.context() as patch:

        def copy(shape: tuple[int, int], level: int = 1) -> Path:
            patch.setattr(levels, "QUICK", math.prod(shape) // 4**level)
            return Path(shutil.copytree(made / f"{shape}", tmp_path / "slide.zarr"))

        yield copy
        window.parts[Magnifier].close()
    cleanup_resources()


@pytest.fixture
def slide(copied: Callable[..., Path]) -> Path:
    """The small one."""
    return copied(SMALL)


def opened(window: MainWindow, qtbot: QtBot, slide: Path, **parameters: object) -> Viewer:
    """Open it, set parameters, and return the view of states."""
    window.parts[Opener].open_path(str(slide))
    qtbot.waitUntil(lambda: window.document.picture.name == "slide.zarr")
    given = {"encoding": SYMBOLS, "n_states": 3, "window": 2, "decoder": "nearest", **parameters}
    window.document.set("all", **given)
    settle(qtbot, window)
    return window.views["states"]


def zoom_by_wheel(view: Viewer, times: int) -> None:
    """Turn the wheel over the middle of a view."""
    viewport = view.canvas.viewport()
    middle = QPointF(viewport.rect().center())
    for _ in range(times):
        event = QWheelEvent(
            middle,
            viewport.mapToGlobal(middle),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(viewport, event)


def place_in(view: Viewer) -> tuple[slice, slice]:
    """Return which pixels of the finest level a view shows as a detail."""
    shown = view.detail
    left, top = round(2 * shown.left), round(2 * shown.top)
    rows, columns = shown.pixels.shape[:2]
    assert (2 * shown.width, 2 * shown.height) == (columns, rows)
    return slice(top, top + rows), slice(left, left + columns)


def on_screen(view: Viewer) -> np.ndarray:
    """Return the states of a part of the detail, which may be that of the whole picture still."""
    rows, columns = place_in(view)
    return view.detail.fine.states[100 - rows.start : 140 - rows.start, 84 - columns.start :][
        :, :40
    ]


def is_fine(view: Viewer) -> bool:
    """Return True if a view shows states of the finest level."""
    return view.detail is not None and view.detail.fine is not None


@pytest.mark.usefixtures("few_views")
def test_what_is_on_screen_is_fine_or_told_of(window, qtbot, slide, tmp_path, show_only) -> None:
    show_only("image", "states")
    check_pixels_on_screen_are_those_of_the_finest_level(window, qtbot, slide)
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_what_is_on_screen_is_what_decoding_all_writes(window, qtbot, slide, tmp_path, patch)
    begin_anew(qtbot, window)
    check_learning_is_cancelled_and_a_folder_that_went_is_told_of(window, qtbot, slide)


def check_what_is_on_screen_is_what_decoding_all_writes(
    window, qtbot, slide, tmp_path, monkeypatch
) -> None:
    view = opened(window, qtbot, slide)
    view.canvas.show_part(QRectF(20, 30, 40, 40))
    monkeypatch.setattr(whole, "ask_scheduler", lambda *_: "")
    fit = FitSettings(3, 2, window.document.parameters.learning_window)
    for decoder, encoding in (("nearest", SYMBOLS), ("belief", Encoding("lab"))):
        window.document.set("all", decoder=decoder, encoding=encoding)
        settle(qtbot, window)
        qtbot.waitUntil(lambda: is_fine(view))
        settings = HowDecoded(encoding=encoding, fit=fit, decoder=decoder)
        decode_file(tmp_path / f"{decoder}.zarr", open_pyramid(slide), settings, Patient())
        written = states_in(open_pyramid(tmp_path / f"{decoder}.zarr"))
        assert np.array_equal(view.detail.fine.states, written[place_in(view)])
        frame = window.document.frame
        table = contingency(written[::2, ::2], frame.states)
        old = [frame.slots.index(slot) for slot in view.detail.fine.slots_in(frame)]
        best = table[matched_states(table)].sum()  # another matching is nearly as good
        assert 0.95 * best < table[np.arange(3), old].sum() <= best
        again = tmp_path / f"{decoder} again.zarr"
        with monkeypatch.context() as patch:
            patch.setattr(decoding, "prepare", None)  # the model is not learned again
            patch.setattr("latviz.app.shell.shell.ask_where", lambda *_, path=again: str(path))
            window.menus["Decode all of a zarr folder"].trigger()
            qtbot.waitUntil(lambda: not window.parts[Writer].is_on)
        assert np.array_equal(states_in(open_pyramid(again)), written)


def check_pixels_on_screen_are_those_of_the_finest_level(window, qtbot, slide) -> None:
    view = opened(window, qtbot, slide)
    window.document.set_layers("states", opacity=0.4)
    view.canvas.show_part(QRectF(42, 50, 20, 20))
    qtbot.waitUntil(lambda: is_fine(view))
    found = view.canvas.grab().toImage()
    colors = window.document.frame.appearance.colors(
        view.detail.fine.slots_in(window.document.frame)
    )
    place, wrong = place_in(view), 0
    nodes = np.random.default_rng(0).integers(5, 35, (50, 2)) + np.array([120, 104]) - 20
    for row, column in nodes.tolist():
        at = view.canvas.box.mapViewToScene(QPointF((column + 0.5) / 2, (row + 0.5) / 2))
        got = found.pixelColor(view.canvas.mapFromScene(at)).getRgb()[:3]
        inside = row - place[0].start, column - place[1].start
        pixel = view.detail.pixels[inside].astype(float)
        wanted = 0.6 * pixel + 0.4 * colors[view.detail.fine.states[inside]]
        wrong += np.abs(wanted - got).max() > 3
    assert wrong == 0

    # Other states go until they are learned, and come back at once.
    first = on_screen(view)
    window.document.set("N", n_states=4)
    assert view.detail.fine is None
    assert "finest" in window.parts[Magnifier].label.text()
    qtbot.waitUntil(lambda: view.detail.fine is not None)
    assert view.detail.fine.n_states == 4
    window.document.set("refined", decoder="refined")
    settle(qtbot, window)
    assert view.detail.fine is None
    assert window.parts[Magnifier].label.text() == "Zoomed: finest level, coarser states"
    window.document.set("back", decoder="nearest", n_states=3)
    qtbot.waitUntil(lambda: view.detail.fine is not None)
    assert np.array_equal(on_screen(view), first)

    # It is switched off in the menu.
    qtbot.waitUntil(lambda: view.detail is not None)
    window.menus["Finer levels where zoomed in"].trigger()
    assert view.detail is None
    assert not ZarrSettings(window.settings).detail
    view.canvas.zoom(1.1)
    qtbot.wait(2 * magnifier.SOON_MS)
    assert view.detail is None
    window.menus["Finer levels where zoomed in"].trigger()
    qtbot.waitUntil(lambda: view.detail is not None)


def test_where_the_finest_level_has_too_much_another_is_read(
    window, qtbot, copied, monkeypatch
) -> None:
    monkeypatch.setattr(Finer, "level_for", lambda *_: 1)
    slide = copied(SMALL, level=2)
    view = opened(window, qtbot, slide)
    assert window.document.picture.shape == (60, 52)
    qtbot.waitUntil(lambda: view.detail is not None)
    assert np.array_equal(view.detail.pixels, open_pyramid(slide).read(1)[place_in(view)])
    assert window.parts[Magnifier].label.text() == "Zoomed: level 2, coarser states"
    assert not timer_of(window.parts[Magnifier], 0).isActive()
    assert view.detail.fine is None


def check_learning_is_cancelled_and_a_folder_that_went_is_told_of(window, qtbot, slide) -> None:
    # Learning is cancelled, and the picture stays fine.
    rest = timer_of(window.parts[Magnifier], 0)
    rest.setInterval(3_600_000)
    view = opened(window, qtbot, slide)
    qtbot.waitUntil(lambda: view.detail is not None)
    assert window.parts[Magnifier].label.text() == "Zoomed: finest level, states pending"
    rest.timeout.emit()
    window.parts[Magnifier].bar.cancel.click()
    assert not window.parts[Magnifier].bar.isVisible()
    qtbot.wait(2 * magnifier.SOON_MS)
    assert view.detail.fine is None
    assert window.parts[Magnifier].label.text() == "Zoomed: finest level, coarser states"

    # A folder that was removed is reported, and the picture stays.
    window.parts[Magnifier].set_on(False)
    shutil.rmtree(slide)
    window.parts[Magnifier].set_on(True)
    qtbot.waitUntil(window.banner.isVisible)
    assert "slide.zarr" in window.banner.label.text()
    assert view.detail is None
    assert window.document.picture.shape == (120, 104)
    window.banner.hide()
    zoom_by_wheel(view, 3)
    qtbot.wait(2 * magnifier.SOON_MS)
    assert not window.banner.isVisible()  # it was reported before


def test_who_zooms_in_sees_the_finest_level(window, qtbot, copied) -> None:
    # Other pictures are not affected.
    view, soon = window.views["states"], timer_of(window.parts[Magnifier], magnifier.SOON_MS)
    zoom_by_wheel(view, 12)
    assert not soon.isActive()
    assert view.detail is None
    assert not view.fine.isVisible()
    view.canvas.show_all()

    # Of a pyramid the finest level is read.
    slide = copied(LARGE)
    view = opened(window, qtbot, slide)
    assert window.document.picture.shape == (480, 416)
    qtbot.wait(2 * magnifier.SOON_MS)
    assert view.canvas.scale_factor < 1
    assert view.detail is None
    assert not window.parts[Magnifier].label.isVisible()
    zoom_by_wheel(view, 12)
    soon.timeout.emit()
    view.canvas.show_all()
    soon.timeout.emit()  # before the file was opened
    zoom_by_wheel(view, 12)
    assert view.canvas.scale_factor > 1
    qtbot.waitUntil(lambda: is_fine(view))
    assert window.parts[Magnifier].label.text() == "Zoomed: finest level"
    assert window.views["image"].detail is view.detail
    place = place_in(view)
    for part, s in zip(place, view.canvas.region, strict=True):
        assert part.start <= 2 * s.start < 2 * s.stop <= part.stop
    assert np.array_equal(view.detail.pixels, open_pyramid(slide).read(0)[place])
    before = view.detail
    view.canvas.box.translateBy(x=-150, y=-150)
    view.canvas.viewed.emit()
    qtbot.waitUntil(lambda: view.detail is not before)
    assert is_fine(view)
    assert place_in(view) != place
    view.canvas.show_all()
    qtbot.waitUntil(lambda: view.detail is None)
    assert not window.parts[Magnifier].label.isVisible()
