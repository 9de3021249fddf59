"""The bench's rows: controls, checks, undo, kept results."""

from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from PyQt6.QtCore import QByteArray, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.document.document import GESTURE_MS
from latviz.app.look import theme as themes
from latviz.app.panels.parameter_controls import BoxControl, NumberControl
from latviz.app.shell.settings import Settings
from latviz.app.widgets.shortcuts import sequences
from latviz.app.work.activity import Failure, Remedy
from latviz.core import ParameterError
from latviz.core.parameter import Parameter, rows
from latviz.resources import resource
from latviz.wings.bench.document import BenchDocument, from_line, keep, kept, to_line
from latviz.wings.bench.experiment import Experiment
from latviz.wings.bench.exports import python_of
from latviz.wings.bench.panel import BenchPanel
from latviz.wings.bench.shortcuts import BENCH
from latviz.wings.bench.window import BenchWindow
from tests.app.conftest import drag
from tests.app.fingers import changed_by_fingers
from tests.app.frames import timer_of
from tests.app.keys import doubled, window_keys, written
from tests.app.views.test_accessible import description_of, name_of, nameless, takes_keyboard
from tests.wings.bench.conftest import FIELD, SMALL, discard, opened


@pytest.fixture(params=[SMALL, FIELD], ids=lambda e: e.mode)
def document(request: pytest.FixtureRequest) -> BenchDocument:
    """The document of an experiment in each mode; nothing computes it."""
    return BenchDocument(Event(), request.param, False)


@pytest.fixture
def panel(document: BenchDocument, qtbot: QtBot) -> BenchPanel:
    made = BenchPanel(document)
    qtbot.addWidget(made)
    return made


def another(row: Parameter, value: Any) -> Any:
    if row.bounds is not None:
        high = row.bounds[1]
        step = 10**-row.decimals if row.decimals else 1
        return round(value - step if value + step > high else value + step, row.decimals or None)
    return next(c.value for c in row.choices_for() if c.value != value and c.value != "drawn")


def put(control: Any, value: Any) -> None:
    """Set a control as a user does."""
    if isinstance(control, NumberControl):
        control.box.setValue(value)
    elif isinstance(control, BoxControl):
        control.setValue(value)
    else:
        assert isinstance(control, QComboBox)
        control.setCurrentIndex(control.findData(value))
        control.activated.emit(control.currentIndex())


def shown(control: Any) -> Any:
    if isinstance(control, NumberControl):
        return control.value
    if isinstance(control, BoxControl):
        return control.value()
    return control.currentData()


def check_keyboard(bench: BenchWindow, first: QWidget) -> None:
    """Check that all focusable widgets are named, and reached by Tab from the first part on."""
    remedies = Remedy("Open it reduced", print), Remedy("Discard", print)
    bench.banner.show_failure(Failure("This failed.", "details", *remedies))
    parts = takes_keyboard(bench)
    assert len(parts) > 20
    assert not [(type(part), part.toolTip(), part.parent()) for part in nameless(bench)]
    for part in parts:
        if part.isVisible() and not bench.banner.isAncestorOf(part):
            assert description_of(part), name_of(part)
    names = [name_of(part) for part in parts]
    assert len(set(names)) == len(names)
    assert doubled(bench) == {}
    table = {key for keys in BENCH.values() for key in written(sequences(keys))}
    assert window_keys(bench) == table
    bench.banner.hide()
    first.setFocus()
    visited = []
    while (widget := QApplication.focusWidget()) not in visited:
        visited.append(widget)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    tab = Qt.FocusPolicy.TabFocus
    wanted = {p for p in parts if p.isVisible() and p.isEnabled() and p.focusPolicy() & tab == tab}
    assert set(visited) == wanted
    assert changed_by_fingers(bench) == []


def test_every_row_is_set_checked_undone_and_kept(document, panel) -> None:
    first, stack = document.value, document.undo_stack
    for row in rows(first):
        control, old = panel[row.field], row.of(first)
        new = another(row, old)
        put(control, new)
        assert row.of(document.value) == new, row.field
        assert stack.undoText() == row.undo
        assert row.undo in panel.undo.toolTip()
        assert from_line(to_line(document.value), first) == document.value
        stack.undo()
        assert document.value == first
        assert shown(control) == old
        assert stack.redoText() == row.undo
        stack.redo()
        assert (row.of(document.value), shown(control)) == (new, new)
        stack.undo()
        timer_of(document, GESTURE_MS).timeout.emit()
        assert row.tip in getattr(control, "slider", control).toolTip()
        for label in panel.findChildren(QLabel):
            if label.text() == row.label:
                assert row.tip in label.toolTip()
        wanted = r"from .* to " if row.bounds is not None else "must be one of"
        with pytest.raises(ParameterError, match=wanted):
            row.put(first, "nothing of this kind" if row.bounds is None else row.bounds[1] + 1)


def test_only_what_has_an_effect_is_shown(document: BenchDocument, panel: BenchPanel) -> None:
    first = document.value
    every = [(row, choice.value) for row in rows(first) for choice in row.choices_for()]
    for value in (first, *(row.put(first, value) for row, value in every)):
        document.set_value(value)
        for row in rows(value):
            control = panel[row.field]
            assert control.isVisibleTo(panel) == (not row.refused(value, 2)), row.field


def test_changes_of_one_gesture_are_one_command(qtbot: QtBot) -> None:
    document = BenchDocument(Event(), SMALL, False)
    panel = BenchPanel(document)
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    panel.show()
    drag(panel.number("replicates").slider, 150)
    dragged, stack = document.value, document.undo_stack
    assert dragged.replicates > 100
    assert stack.count() == 1
    document.set(noise=0.25)  # another field
    document.set(noise=0.75)
    assert stack.count() == 2
    timer_of(document, GESTURE_MS).timeout.emit()
    document.set(noise=0.9)
    assert stack.count() == 3
    document.set(noise=0.75)  # back, in the same gesture
    assert (stack.count(), document.value.noise) == (2, 0.75)
    document.set("Play", gesture := object(), region=5, seed=1)
    timer_of(document, GESTURE_MS).timeout.emit()
    document.set("Play", gesture, seed=2)
    assert (stack.count(), stack.undoText()) == (3, "Play")
    stack.undo()
    assert document.value == replace(dragged, noise=0.75)
    stack.undo()
    assert document.value == dragged
    stack.undo()
    assert document.value == SMALL
    document.set(region=3, seed=9)
    assert stack.undoText() == "Change the experiment"


def test_what_is_refused_changes_nothing(document: BenchDocument) -> None:
    said: list[str] = []
    document.failed.connect(lambda failure: said.append(failure.message))
    before = document.value
    document.set(replicates=1000)
    assert said == ["replicates must be an integer from 2 to 200, got 1000"]
    assert document.value == before
    assert document.undo_stack.count() == 0


def test_the_bench_is_kept_with_its_place(qtbot: QtBot, no_leaked_threads: None) -> None:
    window = opened(SMALL, Event())
    window.resize(620, 530)
    put(window.controls["field"], "mosaic")
    settings = window.settings
    discard(window)
    again = BenchWindow(settings, Event(), themes.LIGHT)
    assert again.document.value == replace(SMALL, field="mosaic")
    assert (again.width(), again.height()) == (620, 530)
    assert again.document.undo_stack.count() == 0
    discard(again)


def test_what_older_programs_kept_of_the_laboratory_is_found() -> None:
    settings = Settings(lasting=False)
    assert kept(settings) == (Experiment(), QByteArray())
    settings.store.setValue("lab", '{"side": 64, "region": 16, "replicates": 20}')
    assert kept(settings) == (SMALL, QByteArray())
    keep(settings, FIELD, QByteArray(b"place"))
    assert kept(settings) == (FIELD, QByteArray(b"place"))


def test_every_row_of_copies_is_in_their_script() -> None:
    """A row that the script left out would make it compute other numbers."""
    first = Experiment()
    for start in (first, replace(first, noise_kind="normal"), replace(first, field="mosaic")):
        for row in rows(start):
            if not row.refused(start, 2) and row.field not in ("mode", "window"):
                changed = row.put(start, another(row, row.of(start)))
                assert python_of(changed) != python_of(start), row.field


def test_the_manual_has_every_row() -> None:
    text = resource("help/wings/bench.md").read_text(encoding="utf-8")
    for row in rows(Experiment):
        (line,) = (line for line in text.splitlines() if line.startswith(f"| {row.name} |"))
        if row.bounds is not None:
            low, high = row.bounds
            assert f"{low:g} to {high:,.10g}" in line
        words = line.casefold()
        for choice in row.choices_for():
            assert choice.text.split()[0].strip(":").casefold() in words
