"""The menus, their actions and shortcuts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args

from PyQt6.QtGui import QAction, QActionGroup, QKeySequence
from PyQt6.QtWidgets import QMenu

from latviz.app.compare.comparison import STEP
from latviz.app.display import Display, Marks
from latviz.app.settings import SAMPLES, thread_choices
from latviz.app.tips import tip_of
from latviz.core.parameter import Parameter, rows
from latviz.core.threads import get_threads
from latviz.engine.demo_titles import DEMO_TITLES

if TYPE_CHECKING:
    from latviz.app.window import MainWindow

T = TypeVar("T")
Keys = QKeySequence.StandardKey


@dataclass(frozen=True)
class Shortcut:
    """A line of the help page."""

    menu: str
    text: str
    keys: str


class Menus:
    """Builds the menu bar of a window and wires its actions."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self._document = window.document
        self.actions: list[QAction] = []
        self._file_menu()
        self._edit_menu()
        self._view_menu()
        self._model_menu()
        self._help_menu()

    def shortcuts(self) -> list[Shortcut]:
        """Return every action that has a shortcut, in the order of the menus."""
        listed = []
        for action in self.actions:
            if not action.shortcut().isEmpty():
                keys = ", ".join(
                    key.toString(QKeySequence.SequenceFormat.NativeText)
                    for key in action.shortcuts()
                )
                text = action.text().replace("&", "").rstrip("…")
                listed.append(Shortcut(str(action.property("menu")), text, keys))
        return listed

    def _menu(self, title: str) -> QMenu:
        menu_bar = self._window.menuBar()
        assert menu_bar is not None
        menu = menu_bar.addMenu(title)
        assert menu is not None
        menu.setToolTipsVisible(True)
        return menu

    def _submenu(self, menu: QMenu, title: str) -> QMenu:
        submenu = QMenu(title, self._window)
        submenu.setToolTipsVisible(True)
        action = menu.addMenu(submenu)
        assert action is not None
        action.setToolTip(tip_of(title))
        return submenu

    def _add(
        self,
        menu: QMenu,
        text: str,
        run: Callable[[], object],
        keys: str | Keys | list[str] | None = None,
    ) -> QAction:
        action = QAction(text, self._window)
        if isinstance(keys, list):
            action.setShortcuts([QKeySequence(key) for key in keys])
        elif keys is not None:
            action.setShortcut(QKeySequence(keys))
        action.setToolTip(tip_of(text))
        action.setProperty("menu", menu.title().replace("&", ""))
        action.triggered.connect(lambda _checked=False: run())
        menu.addAction(action)
        self.actions.append(action)
        return action

    def _toggle(
        self, menu: QMenu, text: str, set_to: Callable[[bool], object], keys: str
    ) -> QAction:
        action = self._add(menu, text, lambda: None, keys)
        action.setCheckable(True)
        action.toggled.connect(set_to)
        return action

    def _file_menu(self) -> None:
        window = self._window
        menu = self._menu("&File")
        choose = window.opener.choose_image
        self._add(menu, "&Open…", choose, Keys.Open)
        self.recent = self._submenu(menu, "Open &recent")
        self.recent.aboutToShow.connect(self._fill_recent)
        reopen = window.autosave.reopen
        self._add(menu, "Reopen what was &closed last", reopen, "Ctrl+Shift+T")
        demos = self._submenu(menu, "Open a &demo")
        for index, (name, title) in enumerate(DEMO_TITLES.items(), start=1):
            self._add(demos, title, partial(window.opener.open_demo, name), f"Ctrl+Shift+{index}")
        self._add(menu, "&Paste image", window.opener.paste, Keys.Paste)
        menu.addSeparator()
        self._add(menu, "&Save session", window.sessions.save, "Ctrl+S")
        self._add(menu, "Save session &as…", window.sessions.save_as, "Ctrl+Shift+S")
        menu.addSeparator()
        export = window.exporter.export_results
        self._add(menu, "Export state &map…", lambda: export(".png"), "Ctrl+E")
        self._add(menu, "Export &arrays…", lambda: export(".npz"), "Ctrl+Shift+E")
        self._add(menu, "Export &summary…", lambda: export(".json"), "Ctrl+Alt+E")
        table = window.exporter.export_table
        self._add(menu, "Export &trade-off table…", table, "Ctrl+Alt+T")
        views = self._submenu(menu, "Export a &view")
        for name, view in window.views.items():
            self._add(views, f"{view.TITLE}…", partial(window.exporter.export_view, name))
        self._add(views, "&All that are shown…", window.batch.start, "Ctrl+Shift+A")
        self._add(views, "Whole &window…", window.exporter.export_window, "Ctrl+Alt+S")
        menu.addSeparator()
        self._add(menu, "&Quit", window.close, ["Ctrl+Q"])

    def _fill_recent(self) -> None:
        self.recent.clear()
        settings = self._window.settings
        for path in settings.recent:
            action = self.recent.addAction(Path(path).name)
            assert action is not None
            action.setToolTip(path)
            action.triggered.connect(lambda _=False, path=path: self._window.opener.open_file(path))
        if settings.recent:
            self.recent.addSeparator()
            self.recent.addAction("&Clear this list", settings.clear_recent)
        else:
            nothing = self.recent.addAction("No files yet")
            assert nothing is not None
            nothing.setEnabled(False)

    def _edit_menu(self) -> None:
        menu = self._menu("&Edit")
        stack = self._document.undo_stack
        for action, key in (
            (stack.createUndoAction(self._window, "&Undo"), Keys.Undo),
            (stack.createRedoAction(self._window, "&Redo"), Keys.Redo),
        ):
            assert action is not None
            action.setShortcuts(QKeySequence.keyBindings(key))
            action.setProperty("menu", "Edit")
            menu.addAction(action)
            self.actions.append(action)
        menu.addSeparator()
        self._add(menu, "&Reset parameters", self._document.reset, "Ctrl+R")
        self._add(menu, "Unpin &all pixels", self._document.inspector.unpin_all, "Ctrl+Shift+P")
        self._add(menu, "&Dismiss message or selection", self._window.dismiss, "Esc")
        menu.addSeparator()
        copier = self._window.copier
        self._add(menu, "&Copy view", copier.copy_view, Keys.Copy)
        self._add(menu, "Copy &values", copier.copy_values, "Ctrl+Alt+C")
        self._add(menu, "Copy as &Python", copier.copy_python, "Ctrl+Shift+C")

    def _view_menu(self) -> None:
        window, menu = self._window, self._menu("&View")
        self._zoom_items(menu)
        menu.addSeparator()
        self._display_items(menu)
        self._marks_menu(menu)
        self._compare_menu(menu)
        menu.addSeparator()
        self._dock_items(menu)
        self._add(menu, "&Restore the layout", window.restore_layout, "Ctrl+Shift+R")
        self._theme_menu(menu)
        self._add(menu, "&Full screen", window.toggle_full_screen, "F11")

    def _zoom_items(self, menu: QMenu) -> None:
        window = self._window
        self._add(menu, "Zoom &in", lambda: window.zoom(1.25), ["Ctrl++", "Ctrl+="])
        self._add(menu, "Zoom &out", lambda: window.zoom(0.8), Keys.ZoomOut)
        self._add(menu, "Whole &image", window.show_all, "Ctrl+0")
        self.slices = [
            self._add(menu, text, partial(self._turn, step), keys)
            for text, step, keys in (
                ("&Previous slice", -1, "PgUp"),
                ("&Next slice", 1, "PgDown"),
            )
        ]

    def _display_items(self, menu: QMenu) -> None:
        window, document, prefer = self._window, self._document, self._window.preferences
        self.borders = self._toggle(
            menu,
            "State &borders",
            lambda on: document.set_display(borders=on),
            "B",
        )
        self.leaves = self._toggle(
            menu,
            "&Quadtree leaves",
            lambda on: document.set_display(leaves=on),
            "Q",
        )
        self.paths = self._toggle(
            menu,
            "&Paths of the states as w grows",
            document.show_paths,
            "P",
        )
        self.paths.setIconText("Paths")
        self.log_scale = self._toggle(
            menu,
            "&Logarithmic A",
            lambda on: document.set_display(log_scale=on),
            "L",
        )
        self.graph = self._toggle(menu, "A as a &graph", prefer.show_graph, "G")
        for text, step, key in (("&More", 0.1, "]"), ("&Less", -0.1, "[")):
            self._add(
                menu,
                f"{text} of the states over the image",
                partial(self._blend, step),
                key,
            )
        self.latency = self._toggle(menu, "L&atency", window.latency.set_shown, "F12")
        self.still = self._add(menu, "Reduced &motion", prefer.toggle_still)
        self.still.setCheckable(True)

    def _dock_items(self, menu: QMenu) -> None:
        for index, dock in enumerate(self._window.docks.values(), start=1):
            action = dock.toggleViewAction()
            assert action is not None
            action.setShortcut(QKeySequence(dock_keys(index)))
            action.setToolTip(f"Show or hide “{dock.windowTitle()}”")
            action.setProperty("menu", "View")
            menu.addAction(action)
            self.actions.append(action)

    def _marks_menu(self, menu: QMenu) -> None:
        marks = (("none", "N&one"), ("numbers", "&Numbers"), ("hatching", "&Hatching"))
        document = self._document
        chosen, mark = document.display.marks, lambda to: document.set_display(marks=to)
        self.marks = self._choice(menu, "State mar&ks", marks, chosen, mark)

    def _compare_menu(self, menu: QMenu) -> None:
        comparing, document = self._window.comparing, self._document
        compare = self._submenu(menu, "&Compare")
        self.frozen = self._toggle(compare, "&Freeze this as A", document.freeze, "F")
        compare.addSeparator()
        self._comparing = [
            self._add(compare, *rest)
            for rest in (
                ("Ne&xt way to compare", comparing.choose_next, "Shift+F"),
                ("Show the &other of A and B", comparing.flip, "X"),
                ("Divider to the &left", partial(comparing.move_divider, -STEP), ","),
                ("Divider to the &right", partial(comparing.move_divider, STEP), "."),
                ("&Swap A and B", comparing.swap, "Shift+X"),
            )
        ]

    def show_display(self, display: Display) -> None:
        """Tick what is on, and enable what can be done."""
        self.borders.setChecked(display.borders)
        self.leaves.setChecked(display.leaves)
        self.paths.setChecked(display.paths)
        self.log_scale.setChecked(display.log_scale)
        self.graph.setChecked(display.graph)
        self.still.setChecked(display.still)
        self.frozen.setChecked(display.frozen is not None)
        for action in self._comparing:
            action.setEnabled(display.frozen is not None)
        for action, marks in zip(self.marks.actions(), get_args(Marks), strict=True):
            action.setChecked(marks == display.marks)

    def _theme_menu(self, menu: QMenu) -> None:
        themes = (("system", "As the &system"), ("light", "&Light"), ("dark", "&Dark"))
        prefer = self._window.preferences
        self._choice(menu, "&Theme", themes, prefer.theme_name, prefer.choose_theme)

    def _choice(
        self,
        menu: QMenu,
        title: str,
        choices: Iterable[tuple[T, str]],
        chosen: T,
        choose: Callable[[T], object],
    ) -> QMenu:
        """Add a menu of which one item is ticked to a menu."""
        choice, group = self._submenu(menu, title), QActionGroup(self._window)
        for value, text in choices:
            action = self._add(choice, text, partial(choose, value))
            action.setCheckable(True)
            action.setChecked(value == chosen)
            group.addAction(action)
        return choice

    def _model_menu(self) -> None:
        menu = self._menu("&Model")
        table = rows(self._document.parameters)
        for row in table:
            for step in row.steps:
                run = partial(self._step, row, step.by)
                self._add(menu, step.text, run, step.keys).setToolTip(step.tip)
        menu.addSeparator()
        for row in table:
            if row.focus is not None:
                run = partial(self._window.focus_control, row.field)
                self._add(menu, row.focus.text, run, row.focus.key).setToolTip(row.focus.tip)
        menu.addSeparator()
        choose = self._document.rest.choose
        self._add(menu, "C&hoose w", lambda: choose("w"), "Ctrl+Alt+W")
        self._add(menu, "Ch&oose N", lambda: choose("N"), "Ctrl+Alt+N")
        self._add(menu, "Choose &both", lambda: choose("both"), "Ctrl+Alt+B")
        menu.addSeparator()
        prefer = self._window.preferences
        samples = ((size, f"{size:,} signatures") for size in SAMPLES)
        self.samples = self._choice(
            menu, "Lear&n, while dragging, from", samples, self._document.sample, prefer.set_sample
        )
        threads = ((count, str(count)) for count in thread_choices())
        self._choice(menu, "&Threads", threads, get_threads(), prefer.set_threads)
        menu.addSeparator()
        self._add(menu, "&Bias and variance lab…", self._window.lab.open, "Ctrl+B")

    def show_sample(self, size: int) -> None:
        """Tick how many signatures are learned from."""
        for action, choice in zip(self.samples.actions(), SAMPLES, strict=True):
            action.setChecked(choice == size)

    def _help_menu(self) -> None:
        menu = self._menu("&Help")
        self._add(menu, "&Help", self._window.show_help, Keys.HelpContents)
        self._add(menu, "&About latviz", self._window.show_about)

    def _turn(self, step: int) -> None:
        self._document.set_slice(self._document.display.slice + step)

    def _blend(self, step: float) -> None:
        opacity = round(min(1.0, max(0.0, self._document.display.opacity + step)), 2)
        self._document.set_display(opacity=opacity)

    def _step(self, row: Parameter, by: int) -> None:
        parameters, (low, high) = self._document.parameters, row.bounds or (0, 0)
        value = row.in_force(parameters) + by
        if low <= value <= high:
            self._document.set(row.undo, **row.change(parameters, value))


def dock_keys(index: int) -> str:
    """Return the keys that show or hide a dock, counted from 1."""
    return f"Alt+{index % 10}" if index <= 10 else f"Alt+Shift+{index - 10}"
