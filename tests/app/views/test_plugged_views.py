"""A view from outside of the package: registered, or named by an entry point."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtGui import QGuiApplication, QPaintEvent
from PyQt6.QtWidgets import QProgressDialog, QToolButton
from pytestqt.qtbot import QtBot

from latviz import wings
from latviz.app.exporting import exporting
from latviz.app.exporting.copying import Copier
from latviz.app.exporting.export_list import ExportList
from latviz.app.exporting.exporting import FigureBatch
from latviz.app.help import manual
from latviz.app.help.help_dialog import HelpDialog
from latviz.app.help.reference import Reference
from latviz.app.program.main import discard
from latviz.app.program.window import SIZE, MainWindow
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.settings import Settings
from latviz.app.views import registry
from latviz.app.views.base import View
from latviz.app.views.regions.view import RegionsView
from latviz.app.views.spec import Context, Rows, ViewSpec, needs_of
from latviz.app.widgets.lifetimes import painting_on
from latviz.engine.frames.frame import ALL_NEEDS, LATE, Frame
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Display, State
from tests.app.conftest import settle
from tests.app.frames import is_color, pixels


class RowsView(View):
    """The share of the first state in each row of the image, as lines from the left."""

    TITLE = "Rows"
    NEEDS = frozenset({"evaluation"})

    def __init__(self) -> None:
        super().__init__()
        self.take_keyboard(self)

    def in_words(self, frame: Frame) -> str:
        return f"{len(frame.states)} rows."

    def draw_frame(self) -> None:
        self.update()

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        if self.frame is not None:
            with painting_on(self) as painter:
                for row, share in enumerate(shares(self.frame)):
                    painter.fillRect(0, row, round(share * self.width()), 1, self.colors()[0])


def shares(frame: Frame) -> list[float]:
    return [float(share) for share in (frame.states == 0).mean(axis=1)]


def table(_view: RowsView, frame: Frame) -> Rows:
    return [["Row", "Share"], *([k, share] for k, share in enumerate(shares(frame)))]


def actions(_view: RowsView, context: Context) -> tuple[Item, ...]:
    return (Action("Light the &first state", "", lambda: context.shell.say("lit"), "Ctrl+Alt+9"),)


def header(_view: RowsView, _context: Context) -> QToolButton:
    button = QToolButton()
    button.setText("A header")
    return button


SPEC = ViewSpec(
    name="rows",
    title=RowsView.TITLE,
    make=RowsView,
    help="How much of each row is in the first state.",
    needs=RowsView.NEEDS,
    header=header,
    actions=actions,
    table=table,
    script=lambda _view, _frame: ["", "row_shares = (states == 0).mean(axis=1)"],
)


@pytest.fixture
def open_window(qtbot, no_leaked_threads, photo) -> Iterator[Callable[[], MainWindow]]:
    opened: list[MainWindow] = []

    def open_one() -> MainWindow:
        window = MainWindow(Settings(lasting=False), "light")
        opened.append(window)
        window.resize(*SIZE)
        window.tabs.restore_default()
        if "rows" in window.docks:
            window.tabs.stage.open_dock("rows")
        window.show()
        window.document.open(photo, Parameters(n_states=3, window=3))
        settle(qtbot, window)
        return window

    yield open_one
    for window in opened:
        discard(window)


@pytest.fixture
def window(open_window: Callable[[], MainWindow]) -> Iterator[MainWindow]:
    """A window that has the view, because it was registered."""
    registry.register(SPEC)
    yield open_window()
    registry.unregister(SPEC)


def test_a_view_is_docked_drawn_offered_copied_exported_and_explained(
    window, qtbot, tmp_path, monkeypatch
) -> None:
    dock, drawer = window.docks["rows"], window.tabs.stage.drawer
    assert dock.isVisible()
    assert drawer.current == "rows"
    assert drawer.bar.tabText(drawer.bar.currentIndex()) == "Rows"
    assert dock.header.isVisible()
    assert dock.header.text() == "A header"
    frame, view = settle(qtbot, window), window.views["rows"]
    drawn = is_color(pixels(view), view.colors()[0].name())
    expected = [round(float((row == 0).mean()) * view.width()) for row in frame.states]
    n = min(len(expected), view.height())
    np.testing.assert_array_equal(drawn.sum(axis=1)[:n], expected[:n])
    assert "200 rows." in view.accessibleDescription()
    check_its_numbers_are_copied_and_its_lines_are_in_the_script(window, qtbot)
    check_is_exported(window, qtbot, tmp_path, monkeypatch)
    window.parts[Reference].show_help()
    (dialog,) = window.findChildren(HelpDialog)
    dialog.show_page(manual.VIEWS)
    text = dialog.browser.toPlainText()
    assert "Rows: How much of each row is in the first state." in text
    for spec in registry.BUILT_IN:
        assert spec.title in text
    dialog.close()
    check_what_it_needs_is_computed_for_it_alone(window, qtbot)
    check_is_in_the_menus(window)


def check_is_in_the_menus(window: MainWindow) -> None:
    toggle = window.docks["rows"].toggle
    assert toggle in window.menus.menus["Views of the model"].actions()
    place = len(registry.BUILT_IN) + 3  # after the program's own, Controls, and the lesson
    assert toggle.shortcut().toString() == f"Alt+Shift+{place % 10}"
    toggle.trigger()
    assert not window.docks["rows"].isVisible()
    assert window.menus["Light the first state"] in window.menus.menus["View"].actions()
    window.menus["Light the first state"].trigger()
    assert window.status.message.whole_text() == "lit"
    texts = [action.text() for action in window.docks["rows"].bar.actions()]
    assert texts[:2] == ["Copy the picture", "Export…"]


def check_what_it_needs_is_computed_for_it_alone(window: MainWindow, qtbot: QtBot) -> None:
    for name in registry.BUILT_IN:
        window.tabs.stage.close_dock(name.name)
    window.document.set("w", window=5)
    qtbot.waitUntil(lambda: "indices" not in window.document.state.views)
    window.document.set("w", window=4)
    frame = settle(qtbot, window)
    assert frame.evaluation is not None
    assert frame.inertia is None
    assert window.views["rows"].frame is frame


def check_its_numbers_are_copied_and_its_lines_are_in_the_script(window, qtbot) -> None:
    frame, clipboard = settle(qtbot, window), QGuiApplication.clipboard()
    window.parts[Copier].copy_values("rows")
    lines = [line.split("\t") for line in clipboard.text().splitlines()]
    assert lines[0] == ["Row", "Share"]
    copied = [float(line[1]) for line in lines[1:]]
    np.testing.assert_array_equal(copied, [np.mean(row == 0) for row in frame.states])
    window.parts[Copier].copy_python()
    assert clipboard.text().endswith("\nrow_shares = (states == 0).mean(axis=1)\n")


def check_is_exported(window, qtbot, tmp_path, monkeypatch) -> None:
    path = tmp_path / "rows.png"
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))
    window.docks["rows"].bar.actions()[1].trigger()
    shown = window.findChild(ExportList)
    assert [item.text(1) for item in shown.list.selectedItems()] == ["Figure"]
    shown.save.click()
    qtbot.waitUntil(path.exists)
    with Image.open(path) as image:
        assert 0 < image.width <= math.ceil(window.views["rows"].width() * 300 / 96) + 2 * 24
    (tmp_path / "all").mkdir()
    monkeypatch.setattr(exporting, "ask_folder", lambda *_: str(tmp_path / "all"))
    window.parts[FigureBatch].start()
    qtbot.waitUntil((tmp_path / "all" / "camera-rows.png").exists, timeout=20_000)
    qtbot.waitUntil(lambda: not window.findChildren(QProgressDialog))


def entry(name: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> EntryPoint:
    monkeypatch.setattr(f"{__name__}.{name}", value, raising=False)
    return EntryPoint(name, f"{__name__}:{name}", registry.GROUP)


def no_view() -> RowsView:
    raise RuntimeError("no luck")


def leave(*_: object) -> RowsView:
    raise SystemExit(7)


def test_entry_points_bring_views_and_faulty_ones_are_told(open_window, qtbot, monkeypatch) -> None:
    found = [
        entry("good", SPEC, monkeypatch),
        EntryPoint("missing", "no_such_module_at_all:SPEC", registry.GROUP),
        entry("odd", 3, monkeypatch),
        entry("double", registry.BUILT_IN[0], monkeypatch),
        entry("broken", ViewSpec("broken", "Broken", no_view, "Nothing."), monkeypatch),
        entry("leaving", ViewSpec("leaving", "Leaving", leave, "Nothing."), monkeypatch),
        entry("loose", replace(SPEC, name="loose", connect=leave), monkeypatch),
        entry("astray", ViewSpec("astray", "Astray", RowsView, "Astray."), monkeypatch),
    ]
    groups = {registry.GROUP: found}
    monkeypatch.setattr("latviz.core.plugins.metadata.entry_points", lambda group: groups[group])
    window = open_window()
    names, of_wings = (
        [spec.name for spec in specs]
        for specs in (registry.BUILT_IN, wings.rows("views", ViewSpec))
    )
    assert list(window.views) == [*names, *of_wings, "rows", "astray"]
    for name in ("rows", "astray"):
        window.tabs.stage.open_dock(name)
        assert window.docks[name].isVisible()
    told = window.status.message.whole_text()
    for name, reason in {
        "missing": "no_such_module_at_all",
        "odd": "ViewSpec",
        "double": "already",
        "broken": "no luck",
        "leaving": "SystemExit: 7",
        "loose": "SystemExit: 7",
    }.items():
        assert f"the view “{name}” could not be loaded: " in told
        assert reason in told
    assert "good" not in told
    assert "astray" not in told
    settle(qtbot, window)
    view = window.views["states"]  # one that would end the program while it draws
    view.rounds = None  # it waits for no other
    monkeypatch.setattr(type(view), "draw_frame", leave)
    with pytest.raises(RuntimeError, match="StatesView tried to end the program"):
        view.show_frame(replace(view.frame, states=view.frame.states.copy()))


def test_the_needs_of_the_views_are_all_that_is_optional() -> None:
    state, mapped = State(), State(display=Display(map=True))
    everything = ALL_NEEDS | (RegionsView.NEEDS - {"relief"})
    assert needs_of(registry.BUILT_IN, mapped) == everything
    everything -= {"node_map"}
    assert needs_of(registry.BUILT_IN, state) == everything
    by_contrast = replace(state, region_cut=RegionCut(measure="contrast"))
    assert needs_of(registry.BUILT_IN, by_contrast) == everything | {"relief", "cut_lives"}
    late = replace(state, display=Display(paths=True, law=True))
    assert needs_of(registry.BUILT_IN, late) == everything | LATE - {"cut_lives"}
    assert needs_of((), state) == frozenset()
    outlined = replace(state, display=Display(regions="borders"))
    states = tuple(spec for spec in registry.BUILT_IN if spec.name == "states")
    assert needs_of(states, state) == frozenset()
    assert needs_of(states, outlined) == {"regions", "border_ranks"}
    one = tuple(spec for spec in registry.BUILT_IN if spec.name == "image")
    shown = replace(state, display=state.display.with_layers("image", map=True))
    assert needs_of(one, shown) == {"node_map"}
    assert needs_of(one, mapped) == frozenset()
    assert needs_of((SPEC,), state) == {"evaluation"}


def test_names_and_titles_are_plain_and_different() -> None:
    names = [spec.name for spec in registry.BUILT_IN]
    titles = [spec.title for spec in registry.BUILT_IN]
    assert len(set(names)) == len(set(titles)) == len(names)
    for spec in registry.BUILT_IN:
        assert spec.name.isidentifier()
        assert spec.help.endswith(".")
