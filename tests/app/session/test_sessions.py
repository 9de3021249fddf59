"""Sessions, saved from one window and opened in another."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from latviz.app.document.opening import Opener
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.session import sessions
from latviz.app.session.sessions import Sessions
from latviz.app.shell.settings import Settings
from latviz.app.work.activity import Activity
from latviz.core.data.cutting import ClusterHierarchy
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.requests import frame_of
from latviz.engine.geometry.selection import PairSelection, RangeSelection, StateSelection
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.keeping.session import SELECTIONS_LOST
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings import decoding
from latviz.engine.settings.decoding import DecodingA
from latviz.engine.settings.parameters import Parameters
from latviz.files import session_archive
from tests.app import conftest
from tests.app.conftest import begin_anew, opens, settle
from tests.app.exporting.test_files import drop

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
OWN = ("number", "complete", "coloring", "passing")
"""Fields of a request that do not change the content of its frame."""


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Answer the next question where to save."""

    def set_answer(path: Path, embed: bool = True) -> None:
        monkeypatch.setattr(sessions, "ask_session", lambda *_: (str(path), embed))

    return set_answer


@pytest.fixture
def other(qtbot: QtBot, no_leaked_threads: None) -> Iterator[MainWindow]:
    """A window without a picture, with the same views."""
    window = MainWindow(Settings(lasting=False), "light")
    window.tabs.stage.show_only(conftest.LAID_OUT)
    window.show()
    yield window
    discard(window)


def saved(window: MainWindow, qtbot: QtBot, *keys: Any) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_S, *keys or (CONTROL,))
    qtbot.waitUntil(lambda: "Saved" in window.status.message.whole_text(), timeout=20_000)
    window.status.show_message("")


def opened(window: MainWindow, qtbot: QtBot, path: Path) -> Frame:
    return conftest.opened(window, qtbot, lambda: window.parts[Opener].open_file(str(path)))


def question(window: MainWindow) -> QMessageBox | None:
    boxes = window.findChildren(QMessageBox, "changes")
    return next((box for box in boxes if box.isVisible()), None)


def answered(window: MainWindow, with_: QMessageBox.StandardButton) -> None:
    """Press a button of the box with the question on changes."""
    box = question(window)
    QTest.mouseClick(box.button(with_), Qt.MouseButton.LeftButton)
    assert question(window) is None


def names_compared(one: Any, where: str) -> set[str]:
    """Return the names of the fields that are compared between objects of a type."""
    if isinstance(one, ClusterHierarchy):
        return {"n_leaves", "root", "parents", "parts", "rows", "finest"}
    own = OWN if isinstance(one, Request) else ("timings", "origin")
    if where.endswith(".compared"):
        own = ("request", "timings")
    return {field.name for field in fields(one)} - set(own)


def assert_same(one: Any, other: Any, where: str = "frame") -> None:
    """Compare two values exactly, array by array, field by field."""
    one, other = (frame_of(a) if isinstance(a, DecodingA) else a for a in (one, other))
    assert type(one) is type(other), where
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other, err_msg=where)
        assert one.dtype == other.dtype, where
    elif is_dataclass(one) or isinstance(one, ClusterHierarchy):
        if where.endswith(".compared"):
            assert one.request.parameters == other.request.parameters
        for name in names_compared(one, where):
            assert_same(getattr(one, name), getattr(other, name), f"{where}.{name}")
    elif isinstance(one, Mapping):
        assert one.keys() == other.keys(), where
        for name, value in one.items():
            assert_same(value, other[name], f"{where}.{name}")
    elif isinstance(one, tuple):
        assert len(one) == len(other), where
        for k, (here, there) in enumerate(zip(one, other, strict=True)):
            assert_same(here, there, f"{where}.{k}")
    elif callable(one):
        assert_same(one(), other(), f"{where}()")
    else:
        np.testing.assert_equal(one, other, err_msg=where)  # NaN equals NaN


def work_a_lot(window: MainWindow, qtbot: QtBot) -> Frame:
    """Set everything that can be set; return the frame."""
    document = window.document
    document.set_layers("image", map=True)
    window.tabs.stage.open_dock("tree")
    settle(qtbot, window)
    document.freeze(True)
    assert document.state.compared is not None
    document.set("w", window=5)
    settle(qtbot, window)
    document.set("encoding", encoding=Encoding("quantiles", n_symbols=6), learning_window=2)
    settle(qtbot, window)
    document.set("N", n_states=7, alpha=0.4, alpha_mode="local", smoothing=0.5)
    document.set_projection(Projection("symbols", (1, 3, 5)))
    document.change("Change the map", map="inertia")
    document.change("Change the sample", sample=1024)
    document.set_display(opacity=0.35, borders=True, leaves=True, log_scale=True, split=0.25)
    document.set_display(marks="numbers")
    document.set_display(comparison="difference")
    for node in ((3, 4), (120, 200)):
        document.pin(node)
    frame = settle(qtbot, window)
    document.select(StateSelection(frame.slots[2]))
    qtbot.waitUntil(lambda: document.frame is not None and document.frame.lit is not None)
    qtbot.waitUntil(lambda: document.activity.work == "idle")
    return settle(qtbot, window)


def test_all_that_is_set_is_taken_up_again(window, other, qtbot, tmp_path, answer) -> None:
    frame = work_a_lot(window, qtbot)
    answer(tmp_path / "work.latviz")
    saved(window, qtbot)
    again = opened(other, qtbot, tmp_path / "work.latviz")
    assert frame.lit is not None
    assert frame.node_map is not None
    assert frame.dendrogram is not None
    assert frame.agreement is not None
    assert_same(again, frame)
    document = other.document
    assert document.state.suited == window.document.state.suited
    assert document.state.pins == ((3, 4), (120, 200))
    assert document.display == window.document.display
    assert document.state.selection == window.document.state.selection
    assert document.state.map == "inertia"
    assert document.state.sample == window.document.state.sample
    assert other.tabs.stage.is_open("tree")
    assert other.tabs.stage.is_open("pixel")
    document.reset()
    assert document.parameters == window.document.state.suited


@pytest.mark.usefixtures("few_views")
def test_an_image_by_its_place_and_selections(window, qtbot, other, tmp_path, answer) -> None:
    check_an_image_is_kept_by_its_place(window, other, qtbot, tmp_path, answer)
    begin_anew(qtbot, window)
    check_selections_demos_and_options_given_beside_a_session(
        window, other, qtbot, tmp_path, answer
    )


def check_selections_demos_and_options_given_beside_a_session(
    window, other, qtbot, tmp_path, answer
) -> None:
    for k, selection in enumerate((PairSelection(0, 1), RangeSelection("doubt", 0.1, 0.9))):
        window.document.select(selection)
        answer(tmp_path / f"{k}.latviz")
        saved(window, qtbot, CONTROL | SHIFT)
        lit = opened(other, qtbot, tmp_path / f"{k}.latviz").lit
        assert lit is not None
        assert_same(lit, window.document.frame.lit)
    path, wider = str(tmp_path / "1.latviz"), partial(replace, window=6)
    opens(other, qtbot, lambda: other.parts[Sessions].open_path(path, wider))
    assert settle(qtbot, other).request.parameters.window == 6
    opens(window, qtbot, lambda: window.parts[Opener].open_demo("stripes"))
    window.document.set("N", n_states=5)
    frame = settle(qtbot, window)
    answer(tmp_path / "demo.latviz")
    saved(window, qtbot)
    assert (tmp_path / "demo.latviz").stat().st_size < 10_000  # it is kept by its name
    assert_same(opened(other, qtbot, tmp_path / "demo.latviz"), frame)
    of_older = replace(other.document.session(), note=SELECTIONS_LOST)
    other.parts[Sessions].resume((of_older, other.document.state))
    assert SELECTIONS_LOST in other.status.message.whole_text()


def check_an_image_is_kept_by_its_place(window, other, qtbot, tmp_path, answer) -> None:
    (tmp_path / "images").mkdir()
    image = tmp_path / "images" / "a.png"
    pixels = np.random.default_rng(0).integers(0, 256, (100, 150)).astype(np.uint8)
    Image.fromarray(pixels).save(image)
    opens(window, qtbot, lambda: drop(window, image))
    settle(qtbot, window)
    (tmp_path / "sessions").mkdir()
    path = tmp_path / "sessions" / "a.latviz"
    answer(path, embed=False)
    saved(window, qtbot)
    assert path.stat().st_size < 10_000
    (tmp_path / "sessions").rename(tmp_path / "moved")
    path = tmp_path / "moved" / "a.latviz"
    frame = opened(other, qtbot, path)
    np.testing.assert_array_equal(frame.request.picture.pixels, pixels)
    document, picture = other.document, frame.request.picture
    Image.fromarray(255 - pixels).save(image)
    other.parts[Opener].open_file(str(path))
    qtbot.waitUntil(other.banner.isVisible)
    for word in ("a.latviz", str(image), "restore the old a.png"):
        assert word in other.banner.label.text()
    image.unlink()
    other.banner.hide()
    other.parts[Opener].open_file(str(path))
    qtbot.waitUntil(other.banner.isVisible)
    for word in ("a.latviz", str(image), "no such file"):
        assert word in other.banner.label.text()
    assert document.picture is picture
    assert document.frame is frame
    Image.fromarray(pixels).save(image)
    opened(window, qtbot, path)
    answer(tmp_path / "inside.latviz", embed=True)
    check_inside(window, qtbot, image, tmp_path / "inside.latviz")


def check_inside(window: MainWindow, qtbot: QtBot, image: Path, path: Path) -> None:
    saved(window, qtbot, CONTROL | SHIFT)
    image.unlink()
    window.settings.embed = False
    opened(window, qtbot, path)
    window.document.set("N", n_states=2)
    saved(window, qtbot)
    assert opened(window, qtbot, path).states.shape == (100, 150)


@pytest.mark.usefixtures("few_views")
def test_what_was_learned_or_declined_stays(window, qtbot, other, tmp_path, answer) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_a_large_image_gets_its_colours_again(window, other, qtbot, tmp_path, answer, patch)
    begin_anew(qtbot, window)
    check_what_was_declined_stays_declined(window, other, qtbot, tmp_path, answer)


def check_a_large_image_gets_its_colours_again(
    window, other, qtbot, tmp_path, answer, monkeypatch
) -> None:
    for n_states, w in ((7, 6), (3, 1), (6, 4)):
        window.document.set("both", n_states=n_states, window=w)
        frame = settle(qtbot, window)
    monkeypatch.setattr(decoding, "LARGE", 1000)
    answer(tmp_path / "a.latviz")
    saved(window, qtbot)
    frames: list[Frame] = []
    other.document.frame_changed.connect(frames.append)
    assert_same(opened(other, qtbot, tmp_path / "a.latviz"), frame)
    assert frames[0].n_learned < frames[-1].n_learned


def check_what_was_declined_stays_declined(window, other, qtbot, tmp_path, answer) -> None:
    document = window.document

    def decline(activity: Activity) -> None:
        if activity.work == "learning":
            document.decline_learning()

    document.activity_changed.connect(decline)
    document.set("w", window=6)
    qtbot.waitUntil(lambda: document.activity.work == "declined", timeout=20_000)
    assert document.frame.n_learned < document.frame.n_signatures
    answer(tmp_path / "a.latviz")
    saved(window, qtbot)
    opens(other, qtbot, lambda: other.parts[Opener].open_file(str(tmp_path / "a.latviz")))
    qtbot.waitUntil(lambda: other.document.activity.work == "declined", timeout=20_000)
    qtbot.wait(500)
    for late in (document, other.document):
        qtbot.waitUntil(lambda late=late: late.needed <= late.frame.results.keys())
    assert_same(other.document.frame, document.frame)


@pytest.mark.usefixtures("few_views")
def test_titles_and_bad_sessions(window, qtbot, tmp_path, answer) -> None:
    check_the_title_marks_what_is_not_saved(window, qtbot, tmp_path, answer)
    begin_anew(qtbot, window)
    check_bad_sessions_lose_nothing_and_say_why(window, qtbot, tmp_path, answer)


def check_the_title_marks_what_is_not_saved(window, qtbot, tmp_path, answer) -> None:
    assert window.windowTitle() == "camera – latviz"
    answer(tmp_path / "first.latviz")
    saved(window, qtbot)
    assert window.windowTitle() == "first.latviz[*] – camera – latviz"
    assert not window.isWindowModified()
    window.document.set("w", window=8)
    qtbot.waitUntil(window.isWindowModified)
    settle(qtbot, window)
    answer(tmp_path / "second.latviz")
    saved(window, qtbot)
    assert not window.isWindowModified()
    assert not (tmp_path / "second.latviz").exists()
    window.document.set("w", window=2)
    saved(window, qtbot, CONTROL | SHIFT)
    assert window.windowTitle() == "second.latviz[*] – camera – latviz"
    names = [str(tmp_path / f"{name}.latviz") for name in ("second", "first")]
    qtbot.waitUntil(lambda: window.settings.recent[:2] == names)  # written in the background
    frame = opened(window, qtbot, tmp_path / "first.latviz")
    assert frame.request.parameters.window == 8
    assert window.windowTitle() == "first.latviz[*] – camera – latviz"
    qtbot.wait(2 * sessions.LOOK_MS)
    assert not window.isWindowModified()
    window.document.open(Picture(np.eye(40, dtype=np.uint8), "next"), Parameters())
    assert window.windowTitle() == "next – latviz"


def check_bad_sessions_lose_nothing_and_say_why(window, qtbot, tmp_path, answer) -> None:
    answer(tmp_path / "nowhere" / "a.latviz")
    window.parts[Sessions].save()
    check_refused(window, qtbot, "a.latviz")
    (tmp_path / "bad.latviz").write_bytes(b"PK not really")
    drop(window, tmp_path / "bad.latviz")
    check_refused(window, qtbot, "bad.latviz")
    assert window.parts[Sessions].path == ""
    path = tmp_path / "a.latviz"
    answer(path)
    saved(window, qtbot)
    content, arrays = session_archive.read_session(path)
    content["session"]["state"]["display"]["opacity"] = 3.5
    session_archive.write_session(path, content, arrays)
    window.document.set_display(opacity=0.5)
    drop(window, path)
    answered(window, QMessageBox.StandardButton.Discard)
    check_refused(window, qtbot, "the opacity must be from 0 to 1, got 3.5")
    assert window.document.display.opacity == 0.5


def check_refused(window: MainWindow, qtbot: QtBot, why: str) -> None:
    picture, frame = window.document.picture, window.document.frame
    qtbot.waitUntil(window.banner.isVisible)
    assert why in window.banner.label.text()
    assert window.document.picture is picture
    assert window.document.frame is frame
    window.banner.hide()
