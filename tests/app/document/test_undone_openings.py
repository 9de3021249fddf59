"""Opening is a step like others: it is undone with all settings, and without losing memory."""

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latviz import workspace
from latviz.app.document.history import Opening
from latviz.app.document.opening import Opener
from latviz.app.program.window import MainWindow
from latviz.app.session import sessions
from latviz.app.session.autosave import Autosave
from latviz.app.session.sessions import Sessions
from latviz.engine.frames.requests import frame_of
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from latviz.files import memory
from tests.app.conftest import join_background, opened, settle

pytestmark = pytest.mark.usefixtures("few_views")

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Open = Callable[[str], None]


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, Path]:
    """Three files of noise of different shapes."""
    rng, paths = np.random.default_rng(0), {}
    for name, shape in (("a", (50, 60)), ("b", (40, 41)), ("c", (30, 31))):
        paths[name] = tmp_path / f"{name}.png"
        Image.fromarray(rng.integers(0, 256, shape).astype(np.uint8)).save(paths[name])
    return paths


@pytest.fixture
def opens(window: MainWindow, qtbot: QtBot, paths: dict[str, Path]) -> Open:
    """Open a file by its letter, and wait until its frame is complete; few views are shown."""
    window.tabs.stage.show_only({"controls", "image", "states"})

    def open_one(name: str) -> None:
        opened(window, qtbot, lambda: window.parts[Opener].open_file(str(paths[name])))

    return open_one


@pytest.fixture
def nothing_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "most_held", lambda: 0)


def keys(window: MainWindow, *modifiers: Any) -> None:
    QTest.keyClick(window, Qt.Key.Key_Z, *modifiers or (CONTROL,))


def work(window: MainWindow, qtbot: QtBot) -> State:
    """Set something of every kind; return the state."""
    document = window.document
    document.set("both", n_states=3, window=2)
    settle(qtbot, window)
    document.freeze(True)
    document.set("N", n_states=5)
    document.set_projection(Projection("principal"))
    document.change("Change the map", map="doubt")
    document.set_display(opacity=0.4, comparison="flicker")
    document.pin((3, 4))
    document.pin((7, 8))
    frame = settle(qtbot, window)
    document.select(StateSelection(frame.slots[1]))
    qtbot.waitUntil(lambda: document.activity.work == "idle")
    return document.state


def apart(state: State) -> State:
    """Return a state without its picture and A."""
    return replace(state, pictures=None, compared=None)


def test_what_is_held_comes_back(window: MainWindow, qtbot: QtBot, opens: Open) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_all_of_it_comes_back_without_reading(window, qtbot, opens, patch)
    with pytest.MonkeyPatch.context() as patch:
        check_what_may_be_held_follows_the_memory_that_is_free(window, qtbot, opens, patch)


def check_all_of_it_comes_back_without_reading(window, qtbot, opens, monkeypatch) -> None:
    opens("a")
    before = work(window, qtbot)
    opens("b")
    with monkeypatch.context() as patch:
        patch.setattr(workspace, "read_pictures", None)
        assert window.document.state.pins == ()
        keys(window)
        assert window.document.state == before
        assert window.document.state.compared is before.compared
        frame = settle(qtbot, window)
        assert frame.states.shape == (50, 60)
        keys(window, CONTROL | SHIFT)
        assert settle(qtbot, window).states.shape == (40, 41)
    for n_states, w in ((7, 6), (3, 1), (6, 4)):
        window.document.set("both", n_states=n_states, window=w)
        frame = settle(qtbot, window)
    opens("c")
    keys(window)
    again = settle(qtbot, window)  # with its colours
    np.testing.assert_array_equal(again.slots, frame.slots)
    np.testing.assert_array_equal(again.states, frame.states)


@pytest.mark.usefixtures("nothing_held")
def test_what_is_read_again_or_is_not_as_it_was(window, qtbot, opens, tmp_path, paths) -> None:
    check_beyond_what_may_be_held_files_are_read_again(window, qtbot, opens)
    check_all_kinds_of_files_are_read_again(window, qtbot, tmp_path)
    check_what_cannot_be_read_again_or_is_changed_meanwhile_is_not_undone(
        window, qtbot, opens, paths
    )
    with pytest.MonkeyPatch.context() as patch:
        check_a_session_that_others_were_saved_to_is_not_taken_for_the_old_one(
            window, qtbot, opens, tmp_path, patch
        )


def check_beyond_what_may_be_held_files_are_read_again(window, qtbot, opens) -> None:
    opens("a")
    before = work(window, qtbot)
    assert before.compared is not None
    pixels, kept = before.picture.pixels.copy(), frame_of(before.compared).states.copy()
    steps = window.document.undo_stack.index()
    opens("b")
    held = weakref.ref(before.picture)
    expected = apart(before)
    del before
    opens("c")
    gc.unfreeze()
    gc.collect()
    assert held() is None
    assert opened(window, qtbot, lambda: keys(window)).states.shape == (40, 41)
    opened(window, qtbot, lambda: keys(window))
    state = window.document.state
    assert state.compared is not None
    np.testing.assert_array_equal(state.picture.pixels, pixels)
    np.testing.assert_array_equal(frame_of(state.compared).states, kept)
    assert apart(state) == expected
    assert window.document.undo_stack.index() == steps
    keys(window)  # the selection, which takes no reading: the picture is there for all its steps
    assert window.document.state.selection is None
    assert window.document.picture is state.picture
    keys(window, CONTROL | SHIFT)
    assert opened(window, qtbot, lambda: keys(window, CONTROL | SHIFT)).states.shape == (40, 41)


def check_what_cannot_be_read_again_or_is_changed_meanwhile_is_not_undone(
    window, qtbot, opens, paths
) -> None:
    opens("a")
    opens("b")
    document, banner, content = window.document, window.banner, paths["a"].read_bytes()
    state, index = document.state, document.undo_stack.index()
    for how in ("no such file", "restore the old a.png"):
        paths["a"].unlink()
        if how != "no such file":
            paths["a"].write_bytes(paths["b"].read_bytes())
        keys(window)
        qtbot.waitUntil(banner.isVisible)
        assert banner.label.text().startswith("This step cannot be undone or redone now: a.png: ")
        assert how in banner.label.text()
        assert "\n" not in banner.label.text()
        assert document.state is state
        assert document.undo_stack.index() == index
        banner.hide()
        paths["a"].write_bytes(content)
    document.undo_stack.undo()
    document.set("N", n_states=6)  # before the file was read again
    join_background()
    qtbot.wait(100)
    assert document.parameters.n_states == 6
    assert settle(qtbot, window).states.shape == (40, 41)
    keys(window)  # N
    assert opened(window, qtbot, lambda: keys(window)).states.shape == (50, 60)


def check_what_may_be_held_follows_the_memory_that_is_free(
    window, qtbot, opens, monkeypatch
) -> None:
    for free, held in ((2**40, 2**29), (2**30, 2**27), (0, 0)):
        with monkeypatch.context() as patch:
            patch.setattr(memory, "available", lambda free=free: free)
            assert memory.most_held() == held
    monkeypatch.setattr(memory, "most_held", lambda: 40 * 41 + 50 * 60 - 1)
    opens("a")
    first = weakref.ref(window.document.picture)
    opens("b")
    second = weakref.ref(window.document.picture)
    opens("c")
    settle(qtbot, window)
    gc.unfreeze()
    gc.collect()
    assert first() is None
    assert second() is not None


def check_all_kinds_of_files_are_read_again(window, qtbot, tmp_path) -> None:
    rng = np.random.default_rng(1)
    records = ["".join(rng.choice(list("ACGT"), 200 + k)) for k in range(3)]
    fasta = tmp_path / "records.fasta"
    fasta.write_text("".join(f">{k}\n{record}\n" for k, record in enumerate(records)))
    stack = [Image.fromarray(rng.integers(0, 256, (20, 30)).astype(np.uint8)) for _ in range(4)]
    stack[0].save(tmp_path / "pages.tif", save_all=True, append_images=stack[1:])
    inside = tmp_path / "inside.latviz"
    pixels = rng.integers(0, 256, (25, 26)).astype(np.uint8)
    content = Session(State(parameters=Parameters(n_states=2), pins=((1, 2),)))
    workspace.write_session(inside, content, Picture(pixels, "pasted"))
    document, states = window.document, []

    def note() -> None:
        settle(qtbot, window)
        states.append((document.state.pictures.picture.pixels.copy(), apart(document.state)))

    opened(window, qtbot, lambda: window.parts[Opener].open_file(str(fasta)))
    document.show_member(2)
    document.pin((7,))
    note()
    path = str(tmp_path / "pages.tif")
    opened(window, qtbot, lambda: window.parts[Opener].open_path(path, 2))
    document.pin((5, 6))
    note()
    opened(window, qtbot, lambda: window.parts[Opener].open_path(path, "volume=lattice"))
    document.set_slice(3)
    document.pin((3, 1, 1))
    note()
    opened(window, qtbot, lambda: window.parts[Opener].open_file(str(inside)))
    note()
    opened(window, qtbot, lambda: window.parts[Opener].open_demo("stripes"))
    for shown, state in reversed(states):
        while document.undo_stack.canUndo() and apart(document.state) != state:
            before = document.undo_stack.index()
            document.undo_stack.undo()
            qtbot.waitUntil(lambda before=before: document.undo_stack.index() < before)
        settle(qtbot, window)
        assert apart(document.state) == state
        np.testing.assert_array_equal(document.picture.pixels, shown)


def check_a_session_that_others_were_saved_to_is_not_taken_for_the_old_one(
    window, qtbot, opens, tmp_path, monkeypatch
) -> None:
    path = tmp_path / "work.latviz"
    monkeypatch.setattr(sessions, "ask_session", lambda *_: (str(path), True))
    monkeypatch.setattr(window.parts[Autosave], "_folder", None)  # no other holder of the picture
    monkeypatch.setattr(window.parts[Autosave], "_record", lambda _: None)
    pictures = [
        Picture(np.full((9, 9), k, np.uint8), f"{k}", origin={"clipboard": True}) for k in range(2)
    ]
    for picture in pictures:
        window.document.open(picture, Parameters(n_states=2))
        settle(qtbot, window)
        window.parts[Sessions].save_as()
        qtbot.waitUntil(lambda: window.parts[Sessions].path == str(path))
    opens("a")
    opened(window, qtbot, lambda: keys(window))  # the second, whose file it is
    assert (window.document.picture.pixels == 1).all()
    state = window.document.state
    keys(window)
    qtbot.waitUntil(window.banner.isVisible)
    assert "0 has changed since it was opened" in window.banner.label.text()
    assert window.document.state is state


def test_pictures_can_be_read_again_if_all_have_files() -> None:
    pixels, file = np.zeros((4, 4), np.uint8), {"path": "a.png", "sha256": "0"}
    for origins, wanted in (
        ((file, file), True),
        ((file, {}), False),
        ((file, {**file, "embedded": "b"}), False),
    ):
        members = tuple(Picture(pixels, "a", origin=origin) for origin in origins)
        assert Opening(members).can_be_read_again == wanted
