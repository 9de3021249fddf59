"""Opening a session whose reference takes long, and exports meanwhile."""

import io
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as PILImage
from PIL import ImageCms
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColorSpace, QImage
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz import computing
from latviz.app.document import opening
from latviz.app.document.opening import Opener, picture_of
from latviz.app.exporting import exporting
from latviz.app.exporting.copying import Copier
from latviz.app.exporting.exporting import Exporter, FigureBatch
from latviz.app.program.window import MainWindow
from latviz.app.widgets.lifetimes import image_of
from latviz.computing import compute
from latviz.core.progress import Cancelled, Progress
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from latviz.workspace import write_session
from tests.app.conftest import begin_anew, opens, settle
from tests.app.frames import timer_of

pytestmark = pytest.mark.usefixtures("few_views")

NEXT = Picture(np.eye(40, dtype=np.uint8) * 200, "next")


class Slow:
    """Computes a frame once `may_end` is set; counts how often it was cancelled."""

    def __init__(self) -> None:
        self.may_end, self.given_up = False, 0

    def compute(self, picture: Picture, decoding: Decoding, progress: Progress) -> Frame:
        for step in range(1000):
            if progress.cancelled():
                self.given_up += 1
                raise Cancelled
            if self.may_end:
                break
            progress.report(min(step / 50, 0.75))
            time.sleep(0.02)
        return compute(picture, decoding, progress=progress)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    slow = Slow()
    monkeypatch.setattr(computing, "compute", slow.compute)
    return slow


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A session that compares two windows of a small image."""
    parameters = Parameters(n_states=2, window=1)
    picture = Picture(np.eye(60, dtype=np.uint8) * 200, "stripe")
    state = State(parameters=parameters, suited=parameters)
    session = Session(state, compared=Decoding(parameters, 4096))
    write_session(tmp_path / "a.latviz", session, picture)
    return str(tmp_path / "a.latviz")


def test_a_person_may_stop_it(window: MainWindow, qtbot: QtBot, slow: Slow, path: str) -> None:
    bar, picture = window.status.opening, window.document.picture
    stops: list[Callable[[], object]] = [
        lambda: QTest.keyClick(window, Qt.Key.Key_Escape),
        lambda: QTest.mouseClick(bar.cancel, Qt.MouseButton.LeftButton),
    ]
    for count, stop in enumerate(stops, start=1):
        window.parts[Opener].open_file(path)
        qtbot.waitUntil(bar.isVisible)
        stop()
        assert bar.isHidden()
        assert "cancelled" in window.status.message.whole_text()
        qtbot.waitUntil(lambda count=count: slow.given_up == count)
        assert window.document.picture is picture
    window.parts[Opener].open_demo("stripes")  # so does another picture
    settle(qtbot, window)
    assert bar.isHidden()
    window.parts[Opener].open_file(path)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.bar.value() == 75)
    assert "the reference" in window.status.message.whole_text()
    slow.may_end = True
    opens(window, qtbot, lambda: None)
    assert bar.isHidden()
    assert window.document.state.compared is not None
    slow.may_end = False
    for end in (lambda: window.parts[Opener].open_demo("stripes"), window.close):
        count = slow.given_up
        window.parts[Opener].open_file(path)
        qtbot.waitUntil(bar.isVisible)
        end()
        qtbot.waitUntil(lambda count=count: slow.given_up == count + 1)


def test_messages_while_another_picture_opens(window, qtbot, tmp_path) -> None:
    check_what_is_said_of_opening_ends_with_it(window, qtbot, tmp_path)
    begin_anew(qtbot, window)
    with pytest.MonkeyPatch.context() as patch:
        check_an_export_is_finished_whatever_is_opened(window, qtbot, tmp_path, patch)


def check_what_is_said_of_opening_ends_with_it(window, qtbot, tmp_path) -> None:
    message, bar, opener = window.status.message, window.status.opening, window.parts[Opener]
    image, broken = tmp_path / "a.png", tmp_path / "b.png"
    PILImage.fromarray(np.eye(30, dtype=np.uint8) * 200).save(image)
    broken.write_bytes(b"no image")
    settle(qtbot, window)
    opens(window, qtbot, lambda: opener.open_file(str(image)))
    assert bar.isHidden()
    assert "Opening" not in message.whole_text()
    opener.open_file(str(broken))
    assert "Opening b.png" in message.whole_text()
    timer_of(window.shell, opening.SLOW_MS).timeout.emit()
    qtbot.waitUntil(window.banner.isVisible)
    assert bar.isHidden()
    assert not any(word in message.whole_text() for word in ("Opening", "reading"))


def check_an_export_is_finished_whatever_is_opened(window, qtbot, tmp_path, monkeypatch) -> None:
    asked, document = [""], window.document
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: asked[-1])

    def begin(name: str) -> Path:
        asked.append(str(tmp_path / name))
        document.set("both", n_states=5, smoothing=0.5)
        window.parts[Exporter].export_results(Path(name).suffix)
        return tmp_path / name

    first = Picture(document.picture.pixels[:80, :90], "same")
    for suffix in (".png", ".npz"):
        document.open(first)
        document.set("both", n_states=2, smoothing=0.0)
        settle(qtbot, window)
        whole = begin(f"whole{suffix}")
        qtbot.waitUntil(whole.exists)
        document.set("both", n_states=2, smoothing=0.0)
        settle(qtbot, window)
        lost = begin(f"lost{suffix}")
        document.open(replace(NEXT))
        qtbot.waitUntil(lambda lost=lost: str(lost) in window.status.message.whole_text())
        assert whole.read_bytes() == lost.read_bytes()


def test_what_cannot_be_finished_is_told(window, qtbot, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(tmp_path / "view.png"))
    monkeypatch.setattr(exporting, "ask_folder", lambda *_: str(tmp_path))
    go_on, run = threading.Event(), Pipeline.run

    def held(*arguments: Any, **options: Any) -> Frame:
        go_on.wait(10)
        return run(*arguments, **options)

    monkeypatch.setattr(Pipeline, "run", held)
    for act, what in (
        (lambda: window.parts[Exporter].export_view("image"), "Exporting “Image”"),
        (window.parts[FigureBatch].start, "Exporting the views"),
        (lambda: window.parts[Copier].copy_values("states"), "Copying “State map”"),
        (window.parts[Copier].copy_python, "Copying a script"),
    ):
        go_on.clear()
        window.document.set("w", window=window.document.parameters.window + 1)
        act()
        QTest.qWait(0)  # views wait until their docks are there
        window.document.open(replace(NEXT))
        go_on.set()
        qtbot.waitUntil(lambda what=what: what in window.status.message.whole_text())
        assert "another picture was opened" in window.status.message.whole_text()
        settle(qtbot, window)
    assert not list(tmp_path.iterdir())


def test_an_image_of_the_clipboard_is_on_white_and_in_srgb() -> None:
    samples = np.random.default_rng(0).integers(0, 256, (10, 20, 4), dtype=np.uint8)
    samples[..., 3] = 255
    samples[:2, :, 3] = 0
    image = image_of(samples)
    image.setColorSpace(QColorSpace(QColorSpace.NamedColorSpace.DisplayP3))
    profile = ImageCms.ImageCmsProfile(io.BytesIO(image.colorSpace().iccProfile().data()))
    colours = PILImage.fromarray(samples[..., :3])
    srgb = ImageCms.createProfile("sRGB")
    expected = np.array(ImageCms.profileToProfile(colours, profile, srgb, outputMode="RGB"))
    expected[:2] = expected[2, 0]
    found = picture_of(image)
    np.testing.assert_array_equal(found.pixels, expected)
    np.testing.assert_array_equal(found.known, samples[..., 3] > 0)
    converted, transparent = found.notes
    assert converted == "colours converted from 'Display P3' to sRGB"
    assert transparent == "40 of 200 pixels are unknown (transparent)"
    image.setColorSpace(QColorSpace(QColorSpace.NamedColorSpace.SRgb))
    opaque = image.convertToFormat(QImage.Format.Format_RGB888)
    assert picture_of(opaque).notes == ()
