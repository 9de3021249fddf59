"""The page of what was tried: a row for each setting at rest, to use and to compare."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from latviz.app.document.document import Lock
from latviz.app.document.opening import Opener
from latviz.app.look.theme import Theme
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.session import autosave, sessions
from latviz.app.session.sessions import Sessions
from latviz.app.shell.settings import Settings
from latviz.app.views.tried import trials
from latviz.app.views.tried.row import MARK, PAD
from latviz.app.views.tried.view import TriedView
from latviz.app.widgets.title_controls import Switch
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut, Pair
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.kept import frame_of
from latviz.engine.indices import INDICES
from latviz.engine.keeping import trial as trial_module
from latviz.engine.keeping.trial import COLUMNS, Trial, setting_of
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import read_session
from tests.app.conftest import another_picture, begin_anew, settle, settle_all
from tests.app.frames import corner_of_blobs, is_color, menu_of, pixels, timer_of


@pytest.fixture(autouse=True)
def _short_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "REST_MS", 30)


def names(window: MainWindow) -> list[str]:
    return [trial.name for trial in window.views["tried"].trials]


def rest_at(window: MainWindow, qtbot: QtBot, n: int, w: int) -> None:
    """Set N and w, and wait until that is a trial."""
    window.document.set("Change N and w", n_states=n, window=w)
    window.document.learn_from_all()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: f"N = {n}, w = {w}" in names(window))


def test_rests_are_kept_sorted_and_returned_to(window, qtbot, show_only) -> None:
    show_only("image", "states", "tried")
    with pytest.MonkeyPatch.context() as patch:
        check_rests_are_kept_returned_to_compared_and_undone(window, qtbot, patch)
    begin_anew(qtbot, window)
    check_a_click_gives_the_numbers_again(window, qtbot)
    show_only("image", "states", "tried")
    begin_anew(qtbot, window)
    check_the_rows_are_sorted_and_marks_the_best(window, qtbot)


def check_rests_are_kept_returned_to_compared_and_undone(window, qtbot, monkeypatch) -> None:
    window.tabs.stage.open_dock("tried")
    view, document = window.views["tried"], window.document
    first = document.parameters
    qtbot.waitUntil(lambda: len(names(window)) == 1)
    rest_at(window, qtbot, 3, 2)
    rest_at(window, qtbot, 5, 1)
    frame = settle(qtbot, window)
    qtbot.waitUntil(lambda: view.trials[-1].score != "")
    assert view.trials[-1].score == f"{frame.code_lengths.states.bits:.3f} bits"
    check_rows_have_state_maps(view, window.parts[Preferences].theme, on_screen=2)
    assert view.list.item(2).text() == f"N = 5, w = 1\n★ {view.trials[2].score}"
    assert button_of(view, 2) is None
    button_of(view, 0).click()
    assert document.parameters == first
    settle(qtbot, window)
    document.undo_stack.undo()
    assert (document.parameters.n_states, document.parameters.window) == (5, 1)
    settle(qtbot, window)
    QTest.qWait(100)
    assert len(names(window)) == 3  # no setting is tried again
    view.list.setCurrentRow(1)
    window.activateWindow()
    view.list.setFocus()
    QTest.keyClick(view.list, Qt.Key.Key_Return)
    assert (document.parameters.n_states, document.parameters.window) == (3, 2)
    check_a_click_compares(window, qtbot)
    # The history of a picture is restored with it.
    before, view = names(window), window.views["tried"]
    window.document.open(*corner_of_blobs())
    frame = settle(qtbot, window)
    qtbot.waitUntil(lambda: len(names(window)) == 1)
    qtbot.waitUntil(lambda: "Accuracy" in view.trials[0].score)
    assert view.trials[0].accuracy == frame.truth.accuracy
    window.document.undo_stack.undo()
    assert names(window) == before
    document.keep_trials(())
    monkeypatch.setattr(trial_module, "MOST", 2)
    check_trials_are_few_and_a_table(window, qtbot)


def button_of(view: TriedView, k: int) -> QPushButton | None:
    room = view.list.itemWidget(view.list.item(k))
    return None if room is None else room.findChild(QPushButton)


def check_rows_have_state_maps(view: TriedView, theme: Theme, on_screen: int) -> None:
    """The row on screen has a border, and no map or ground is tinted."""
    image, size = pixels(view.list.viewport()), view.rows.picture
    for k, trial in enumerate(view.trials):
        room = view.list.visualItemRect(view.list.item(k))
        row = image[room.top() : room.bottom() + 1, room.left() : room.right() + 1]
        seen, n_inner = row[PAD : PAD + size.height(), PAD : PAD + size.width()], 0
        height, width = trial.drawn.shape[:2]
        for y, x in product(range(4, height - 4, 5), range(4, width - 4, 5)):
            if (trial.drawn[y - 4 : y + 5, x - 4 : x + 5] == trial.drawn[y, x]).all():
                at = seen[y * len(seen) // height, x * seen.shape[1] // width]
                assert (at == trial.drawn[y, x, :3]).all()
                n_inner += 1
        assert n_inner > 10
        accent, panel = is_color(row, theme.accent), is_color(row, theme.panel)
        assert accent[2:-2, 1].all() == (k == on_screen)
        assert panel[3:-3, 4].all()


def check_a_click_compares(window: MainWindow, qtbot: QtBot) -> None:
    view, document = window.views["tried"], window.document
    states = settle(qtbot, window).states  # of N = 3, w = 2
    rest_at(window, qtbot, 2, 4)
    a = names(window).index("N = 3, w = 2")
    place = view.list.visualItemRect(view.list.item(a)).center()
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: document.state.compared is not None)
    kept = frame_of(document.state.compared)
    np.testing.assert_array_equal(kept.states, states)
    assert (document.parameters.n_states, document.parameters.window) == (2, 4)
    settle(qtbot, window)
    assert [view.list.item(k).data(MARK) for k in (a, a + 2)] == ["Reference", "On screen"]
    QTest.keyClick(view.list, Qt.Key.Key_Space)  # the same row again
    assert document.state.compared is None


def check_trials_are_few_and_a_table(window: MainWindow, qtbot: QtBot) -> None:
    """Two at most are remembered."""
    for n in (2, 3, 5):
        rest_at(window, qtbot, n, 1)
    assert names(window) == ["N = 3, w = 1", "N = 5, w = 1"]
    view, spec = window.views["tried"], window.specs["tried"]
    rows = spec.table(view, settle(qtbot, window))
    error = "Prediction error, bits per pixel"
    indices = (row.in_files for row in INDICES.values())
    assert rows[0] == [*COLUMNS, error, *indices]
    assert [row[:2] for row in rows[1:]] == [[3, 1], [5, 1]]
    assert all(len(row) == len(rows[0]) for row in rows)
    view.list.setCurrentRow(0)
    next(a for a in menu_of(window, "tried").actions() if a.text() == "Remove").trigger()
    assert names(window) == ["N = 5, w = 1"]


# A click gives the numbers again


def numbers(one: Frame | Trial) -> tuple[float | None, ...]:
    """Return the numbers of a frame, or those shown for its trial."""
    if isinstance(one, Trial):
        known = one.accuracy, one.rand, one.code_length
    else:
        truth, code = one.truth, one.code_lengths
        matched = (None, None) if truth is None else (truth.accuracy, truth.rand)
        known = *matched, None if code is None else code.states.bits
    return *known, one.associativity, one.inertia, one.residual_correlation


def at_rest(window: MainWindow, qtbot: QtBot) -> tuple[Frame, Trial]:
    """Wait until the settings are a trial; return its frame, too."""
    document, view = window.document, window.views["tried"]

    def is_there() -> bool:
        frame, wanted = document.frame, setting_of(document.state)
        known = [trial for trial in view.trials if setting_of(trial) == wanted]
        is_shown = frame is not None and setting_of(frame.request) == wanted
        return is_shown and frame.finished and len(known) == 1 and not trials_rest(window)

    document.learn_from_all()
    settle_all(qtbot, window)
    qtbot.waitUntil(is_there)
    frame = document.frame
    (trial,) = (t for t in view.trials if setting_of(t) == setting_of(frame.request))
    return frame, trial


def trials_rest(window: MainWindow) -> bool:
    """Return True if it waits for a rest."""
    (found,) = window.views["tried"].findChildren(trials.Trials)
    return timer_of(found, trials.REST_MS).isActive()


def set_in_turn(window: MainWindow, frame: Frame) -> list[dict[str, object]]:
    """Return settings to apply one after another: no two have the same map."""
    grey = Parameters(Encoding("grey"), n_states=3, window=2)
    symbols = Parameters(Encoding("quantiles", n_symbols=4), n_states=5, window=1)
    one, other = (tuple(frame.model.codebook[k].tolist()) for k in (0, 1))
    given = Given(frame.model, frame.observations.encoder, "a.npz", frame.slots)
    cut = HandCut(together=(Pair(one, other),))
    return [
        {"parameters": symbols},
        {"parameters": replace(symbols, decoder="belief")},
        {"parameters": frame.request.parameters, "hand_cut": cut},
        {"parameters": grey},
        {"given": given, "parameters": given.admitted(Parameters(window=6))},
    ]


def check_a_click_gives_the_numbers_again(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.stage.open_dock("tried")
    window.tabs.stage.open_dock("indices")
    view, document = window.views["tried"], window.document
    document.open(*corner_of_blobs())
    first, _ = at_rest(window, qtbot)
    assert first.truth is not None
    seen = {setting_of(first.request): first}
    for changes in set_in_turn(window, first):
        document.change("Set", object(), **{"given": None, "hand_cut": HandCut(), **changes})
        frame, trial = at_rest(window, qtbot)
        assert numbers(trial) == numbers(frame)
        seen[setting_of(frame.request)] = frame
    assert len(seen) == len(view.trials) == 6
    assert len({frame.states.tobytes() for frame in seen.values()}) >= 5
    for trial in view.trials[::3]:
        view.wanted.emit(trial)
        frame, same = at_rest(window, qtbot)
        before = seen[setting_of(trial)]
        assert setting_of(frame.request) == setting_of(trial) == setting_of(same)
        assert numbers(frame) == numbers(before) == numbers(trial) == numbers(same)
    assert len(view.trials) == 6
    # A lesson locks the settings that a click would change.
    view.wanted.emit(view.trials[-1])
    given, refused = document.state.given, list[str]()
    assert given is not None
    document.refused.connect(refused.append)
    document.set_lock(Lock(frozenset({"window"}), "Only w can be set now"))
    view.wanted.emit(view.trials[1])
    assert (document.state.given, refused) == (given, ["Only w can be set now"])
    document.set_lock(None)
    view.wanted.emit(view.trials[1])
    assert setting_of(document.state) == setting_of(view.trials[1])
    document.undo_stack.undo()
    assert document.state.given == given


# The order, and the best


def captions(window: MainWindow) -> list[str]:
    rows = window.views["tried"].list
    return [rows.item(k).text().replace("\n", " ") for k in range(rows.count())]


def check_the_rows_are_sorted_and_marks_the_best(window: MainWindow, qtbot: QtBot) -> None:
    window.tabs.stage.open_dock("tried")
    view, switch = window.views["tried"], window.docks["tried"].header.findChild(Switch)
    encodings = Encoding("quantiles", n_symbols=3), Encoding("grey")
    for encoding in encodings:
        for n, w in ((4, 3), (2, 9), (5, 1)):
            window.document.set("All", encoding=encoding, n_states=n, window=w)
            at_rest(window, qtbot)
    in_time = list(view.trials)
    marks = ["({})"] * 3 + ["{}", "{}", "★ {}"]  # bits of symbols and of greys do not compare
    assert captions(window) == [
        f"{one.name} {mark.format(one.score)}" for mark, one in zip(marks, in_time, strict=True)
    ]
    QTest.mouseClick(switch.buttons[1], Qt.MouseButton.LeftButton)
    bits = [one.code_length for one in in_time]
    order = [k for k in np.argsort(bits, kind="stable") if k >= 3]
    assert order[0] == 5  # the smallest windows code a photograph best
    names_in_order = [in_time[k].name for k in (*order, 0, 1, 2)]
    pairs = zip(captions(window), names_in_order, strict=True)
    assert all(caption.startswith(name) for caption, name in pairs)
    assert captions(window)[0].startswith("N = 5, w = 1 ★ ")
    assert view.list.item(0).data(MARK) == "On screen"
    told = view.list.accessibleDescription()
    assert f"Best: N = 5, w = 1, prediction error {in_time[5].score} per pixel, given" in told
    assert "lower is better" in told
    first = view.list.item(0)
    assert "the best so far" in first.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "lower is better" in first.toolTip()
    button_of(view, len(order)).click()  # the oldest of the other encoding
    assert setting_of(window.document.state) == setting_of(in_time[0])
    at_rest(window, qtbot)
    assert [caption[:12] for caption in captions(window)[:3]].count("N = 5, w = 1") == 1
    assert captions(window)[0].startswith("N = 5, w = 1 ★ ")  # now of three symbols
    window.document.undo_stack.undo()
    window.document.undo_stack.undo()
    assert not switch.buttons[1].isChecked()
    kept = [(setting_of(one), numbers(one)) for one in view.trials]
    assert kept == [(setting_of(one), numbers(one)) for one in in_time]  # undo leaves a record


# Sessions


def test_trials_are_saved_restored_and_not_undone(
    window: MainWindow,
    qtbot: QtBot,
    begun: Callable[[], MainWindow],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "a.latviz"
    monkeypatch.setattr(sessions, "ask_session", lambda *_: (str(path), True))
    window.tabs.stage.open_dock("tried")
    rest_at(window, qtbot, 3, 2)
    rest_at(window, qtbot, 5, 1)
    at_rest(window, qtbot)
    before = window.views["tried"].trials
    window.parts[Sessions].save()
    qtbot.waitUntil(path.exists)
    assert read_session(path)[1].trials == before
    other = begun()
    with qtbot.waitSignal(other.document.changed, check_params_cb=another_picture):
        other.parts[Opener].open_file(str(path))
    other.tabs.stage.open_dock("tried")
    assert other.views["tried"].trials == before
    _, trial = at_rest(other, qtbot)
    assert (other.views["tried"].trials, trial) == (before, before[-1])
    rest_at(other, qtbot, 2, 2)
    assert other.parts[Sessions].is_changed
    other.document.undo_stack.undo()
    assert not other.parts[Sessions].is_changed  # a rest changes no setting
    assert len(other.views["tried"].trials) == len(before) + 1
    drawn = other.views["tried"].list.item(0).data(Qt.ItemDataRole.DecorationRole)
    assert not drawn.isNull()


def test_a_rest_is_kept_though_nothing_else_is_set(qtbot, begun, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LATVIZ_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(autosave, "INTERVAL_MS", 20)
    folder, image = Settings().kept_folder, tmp_path / "a.png"
    pixels = np.random.default_rng(0).integers(0, 256, (30, 40)).astype(np.uint8)
    Image.fromarray(pixels).save(image)
    window = begun(image)
    window.tabs.stage.open_dock("tried")
    first = window.document.parameters
    at_rest(window, qtbot)
    QTest.qWait(100)
    assert not folder.exists()  # without settings
    rest_at(window, qtbot, 3, 2)
    window.document.set("Back", n_states=first.n_states, window=first.window)
    at_rest(window, qtbot)
    kept = window.views["tried"].trials
    assert len(kept) == 2

    def is_kept() -> bool:
        return [read_session(one)[1].trials for one in folder.glob("kept-*.latviz")] == [kept]

    qtbot.waitUntil(is_kept)
    window.close()
    assert [read_session(one)[1].trials for one in folder.glob("work-*.latviz")] == [kept]
