"""Rows of every bench: controls, checks, undo, kept results, the newest request."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, get_args, get_type_hints

import pytest
from PyQt6.QtCore import QByteArray, QCoreApplication, QEvent, Qt, pyqtSignal
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QComboBox, QLabel, QLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.benches import opener
from latviz.app.benches.bench import BenchDocument, BenchListener, BenchThread
from latviz.app.benches.bench_window import BenchPanel, BenchWindow
from latviz.app.benches.laboratory.document import LabDocument
from latviz.app.benches.opener import Benches
from latviz.app.benches.playground.controls import PlayControls
from latviz.app.benches.playground.document import PlayDocument
from latviz.app.look import theme as themes
from latviz.app.panels.controls import BoxControl, NumberControl, SwitchControl
from latviz.app.program.window import MainWindow
from latviz.app.shell.settings import Settings
from latviz.app.widgets.shortcuts import sequences
from latviz.app.work.activity import Failure, Remedy
from latviz.core import ParameterError
from latviz.core.parameter import SWITCH, Parameter, check, declared, named, row_of, rows
from latviz.engine.benches.laboratory import Experiment
from latviz.engine.benches.laboratory_export import python_of
from latviz.engine.benches.playground import PRESETS, World
from latviz.engine.keeping.plain import from_line, to_line
from latviz.resources import resource
from tests.app.conftest import drag
from tests.app.fingers import changed_by_fingers
from tests.app.keys import doubled, window_keys, written
from tests.app.views.test_accessible import description_of, name_of, nameless, takes_keyboard


def row(label: str, **how: Any) -> Parameter:
    return Parameter(label=label, tip=f"What {label} does", group="Toys", **how)


def test_a_row_is_called_as_its_label_if_nothing_else_is_said() -> None:
    plain = row("Co&lour", choices=SWITCH)
    assert (plain.name, plain.undo) == ("Colour", "Change the colour")
    other = row("&N", name="States", undo="Change N")
    assert (other.name, other.undo) == ("States", "Change N")


@dataclass(frozen=True)
class Toy:
    """A row of every kind."""

    size: int = declared(3, row("Size", bounds=(1, 900)))
    weight: float = declared(0.5, row("Weight", bounds=(0.0, 1.0), decimals=2))
    seed: int = declared(0, row("Seed", bounds=(0, 2**31 - 1), spacing="none"))
    colour: str = declared("red", row("Colour", choices=named({"red": "Red", "blue": "Blue"})))
    wound: bool = declared(False, row("Wound", choices=SWITCH))
    speed: int = declared(
        1, row("Speed", bounds=(1, 9), refusal=lambda t, _: "" if t.wound else "it stands")
    )

    def __post_init__(self) -> None:
        check(self)


class ToyThread(BenchThread):
    """Answers slowly: the first request runs until it is released."""

    computed = pyqtSignal(object)

    def __init__(self, prepared: Event) -> None:
        super().__init__(prepared)
        self.reached, self.go_on = Event(), Event()

    def answer(self, request: Toy, listener: BenchListener) -> None:
        self.reached.set()
        self.go_on.wait(60)
        if not listener.cancelled():
            listener.report(0.5)
            self.computed.emit(request)


class ToyDocument(BenchDocument[Toy]):
    noun = "the toy"
    worker: ToyThread

    def __init__(self, prepared: Event, toy: Toy, parent: Any = None) -> None:
        super().__init__(ToyThread(prepared), toy, parent)
        self.answers: list[Toy] = []
        self.worker.computed.connect(self.answers.append)

    def _follow(self) -> None:
        self._submit(self.value, self.activity)


class ToyWindow(BenchWindow):
    name = "toy"
    title = "Toys"
    size_ = (500, 400)
    document: ToyDocument

    def usual(self) -> Toy:
        return Toy()

    def make_document(self, prepared: Event, value: Toy, _running: bool) -> ToyDocument:
        return ToyDocument(prepared, value, self)

    def make_parts(self) -> tuple[QLayout, Iterable[QWidget]]:
        self.controls = BenchPanel(self.document)
        self.controls.lay_out()
        layout = QVBoxLayout()
        layout.addWidget(self.bar())
        return layout, ()


def toy_panel(document: BenchDocument[Any]) -> BenchPanel:
    panel = BenchPanel(document)
    panel.lay_out()
    return panel


DOCUMENTS: dict[str, Callable[[], BenchDocument[Any]]] = {
    "toy": lambda: ToyDocument(Event(), Toy()),
    "lab": lambda: LabDocument(Event(), Experiment()),
    "playground": lambda: PlayDocument(Event(), PRESETS["smooth"].world(), False),
}


def another(row: Parameter, value: Any) -> Any:
    """Return another value that a row can have."""
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
    elif isinstance(control, SwitchControl):
        control.click()
    else:
        assert isinstance(control, QComboBox)
        control.setCurrentIndex(control.findData(value))
        control.activated.emit(control.currentIndex())


def shown(control: Any) -> Any:
    """Return the value that a control shows."""
    if isinstance(control, NumberControl):
        return control.value
    if isinstance(control, BoxControl):
        return control.value()
    return control.isChecked() if isinstance(control, SwitchControl) else control.currentData()


@pytest.mark.parametrize("bench", DOCUMENTS)
def test_every_row_is_set_checked_undone_and_kept(bench: str, qtbot: QtBot) -> None:
    document = DOCUMENTS[bench]()
    panel = PlayControls(document) if isinstance(document, PlayDocument) else toy_panel(document)
    qtbot.addWidget(panel)
    first, stack = document.value, document.undo_stack
    for row in rows(first):
        control, old = panel[row.field], row.of(first)
        new = another(row, old)
        put(control, new)
        assert row.of(document.value) == new, row.field
        assert stack.undoText() == row.undo
        assert row.undo in panel.undo.toolTip()
        kept = from_line(type(first), to_line(document.value), first)
        assert kept == document.value
        stack.undo()
        assert document.value == first
        assert shown(control) == old
        assert stack.redoText() == row.undo
        stack.redo()
        assert (row.of(document.value), shown(control)) == (new, new)
        stack.undo()
        document._end_gesture()
        assert row.tip in getattr(control, "slider", control).toolTip()
        for label in panel.findChildren(QLabel):
            if label.text() == row.label:
                assert row.tip in label.toolTip()
        if row.bounds is not None:
            with pytest.raises(ParameterError, match=r"from .* to "):
                row.put(first, row.bounds[1] + 1)
        else:
            with pytest.raises(ParameterError, match="must be one of"):
                row.put(first, "nothing of this kind")


@pytest.mark.parametrize("bench", DOCUMENTS)
def test_only_what_has_an_effect_is_shown(bench: str, qtbot: QtBot) -> None:
    document = DOCUMENTS[bench]()
    panel = PlayControls(document) if isinstance(document, PlayDocument) else toy_panel(document)
    qtbot.addWidget(panel)
    first = document.value
    every = [(row, choice.value) for row in rows(first) for choice in row.choices_for()]
    values = [row.put(first, value) for row, value in every if value != "drawn"]
    for value in (first, *values):
        document.set_value(value)
        for row in rows(value):
            control = panel[row.field]
            assert control.isVisibleTo(panel) == (not row.refused(value, 2)), row.field


def test_changes_of_one_gesture_are_one_command(qtbot: QtBot) -> None:
    document = DOCUMENTS["toy"]()
    panel = toy_panel(document)
    qtbot.addWidget(panel)
    panel.resize(300, 400)
    panel.show()
    drag(panel.number("size").slider, 500)
    dragged, stack = document.value, document.undo_stack
    assert dragged.size > 400
    assert stack.count() == 1
    document.set(weight=0.25)  # another field
    document.set(weight=0.75)
    assert stack.count() == 2
    document._end_gesture()
    document.set(weight=1.0)
    assert stack.count() == 3
    document.set(weight=0.75)  # back, in the same gesture
    assert (stack.count(), document.value.weight) == (2, 0.75)
    document.set("Play", gesture := object(), size=5, seed=1)
    document._end_gesture()
    document.set("Play", gesture, seed=2)
    assert (stack.count(), stack.undoText()) == (3, "Play")
    stack.undo()
    assert document.value == replace(dragged, weight=0.75)
    stack.undo()
    assert document.value == dragged
    stack.undo()
    assert document.value == Toy()
    document.set(size=1, seed=9)
    assert stack.undoText() == "Change the toy"


def test_what_is_refused_changes_nothing() -> None:
    document = DOCUMENTS["toy"]()
    said: list[str] = []
    document.failed.connect(lambda failure: said.append(failure.message))
    document.set(size=1000)
    assert said == ["size must be an integer from 1 to 900, got 1000"]
    assert document.value == Toy()
    assert document.undo_stack.count() == 0


def opened(settings: Settings, prepared: Event) -> ToyWindow:
    window = ToyWindow(settings, prepared, themes.LIGHT)
    window.show()
    return window


def discard(window: BenchWindow) -> None:
    """Close a bench and delete it."""
    worker = window.document.worker
    if isinstance(worker, ToyThread):
        worker.go_on.set()
    window.close()
    assert worker.wait(60_000)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


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
    table = {key for keys in bench.keys.values() for key in written(sequences(keys))}
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


def test_the_newest_value_wins_once_kernels_are_there(
    qtbot: QtBot, no_leaked_threads: None
) -> None:
    prepared = Event()
    window = opened(Settings(lasting=False), prepared)
    document = window.document
    document.set(size=4)
    assert not document.worker.reached.wait(0.15)
    prepared.set()
    assert document.worker.reached.wait(60)
    for size in (5, 6, 7):
        document.set(size=size)
    document.worker.go_on.set()
    qtbot.waitUntil(lambda: len(document.answers) == 2, timeout=60_000)
    assert [toy.size for toy in document.answers] == [4, 7]
    discard(window)


def test_a_bench_is_kept_with_its_place(qtbot: QtBot, no_leaked_threads: None) -> None:
    settings = Settings(lasting=False)
    window = opened(settings, Event())
    window.resize(520, 430)
    put(window.controls["colour"], "blue")
    discard(window)
    again = opened(settings, Event())
    assert again.document.value == Toy(colour="blue")
    assert (again.width(), again.height()) == (520, 430)
    assert again.document.undo_stack.count() == 0
    discard(again)
    settings.keep_bench("toy", '{"size": 1000}')
    usual = opened(settings, Event())
    assert usual.document.value == Toy()
    discard(usual)


def test_a_toy_bench_is_opened_as_the_others_are(
    begun: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    toy = opener.Bench("toy", "To&ys…", "Play", lambda: ToyWindow)
    monkeypatch.setattr(opener, "BENCHES", (*opener.BENCHES, toy))
    main = begun()
    (action,) = (a for a in main.menus.actions if a.text() == "To&ys…")
    action.trigger()
    window = main.parts[Benches].shown("toy")
    assert isinstance(window, ToyWindow)
    action.trigger()
    assert main.parts[Benches].shown("toy") is window
    worker = window.document.worker
    main.close()
    assert worker.isFinished()
    assert main.parts[Benches].shown("toy") is None


def test_every_row_of_the_laboratory_is_in_its_script() -> None:
    """A row that the script left out would make it compute other numbers."""
    first = Experiment()
    for start in (first, replace(first, noise_kind="normal"), replace(first, field="mosaic")):
        for row in rows(start):
            if not row.refused(start, 2):
                changed = row.put(start, another(row, row.of(start)))
                assert python_of(changed) != python_of(start), row.field


@pytest.mark.parametrize(("page", "table"), [("laboratory", Experiment), ("playground", World)])
def test_the_manual_has_every_row(page: str, table: type) -> None:
    text = resource(f"help/{page}.md").read_text(encoding="utf-8")
    for row in rows(table):
        (line,) = (line for line in text.splitlines() if line.startswith(f"| {row.name} |"))
        if row.bounds is not None:
            low, high = row.bounds
            assert f"{low:g} to {high:,.10g}" in line
        words = line.casefold()
        for choice in row.choices_for():
            assert choice.text.split()[0].casefold() in words


@pytest.mark.parametrize("table", [Experiment, World])
def test_every_word_of_a_type_can_be_chosen(table: type) -> None:
    words = {name: get_args(kind) for name, kind in get_type_hints(table).items()}
    literal = [row for row in rows(table) if words.get(row.field)]
    assert len(literal) >= 1
    for row in literal:
        assert {choice.value for choice in row.choices_for()} == {*words[row.field]}


def test_what_older_programs_kept_of_benches_is_found() -> None:
    settings = Settings(lasting=False)
    for name in ("lab", "playground"):
        settings.store.setValue(name, f"of {name}")
        settings.store.setValue(f"{name}-geometry", QByteArray(b"place"))
        assert settings.bench(name) == (f"of {name}", QByteArray(b"place"))


def test_worlds_that_older_programs_kept_stay_readable() -> None:
    world = PRESETS["smooth"].world()
    text = (
        '{"A": [[1.0, 0.1], [0.1, 1.0]], "B": [[0.9, 0.1], [0.1, 0.9]], "strength": 0.5, '
        '"method": "clusters", "side": 64, "seed": 7, "window": 2, "codebook": "learned"}'
    )
    wanted = World(
        ((1.0, 0.1), (0.1, 1.0)),
        ((0.9, 0.1), (0.1, 0.9)),
        side=64,
        seed=7,
        method="clusters",
        strength=0.5,
        codebook="learned",
        window=2,
    )
    assert from_line(World, text, world) == wanted
    assert row_of(World, "window").of(wanted) == 2
