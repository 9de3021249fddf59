"""State maps of several N and w side by side, as a view."""

from collections.abc import Callable, Iterator
from functools import partial

from PyQt6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from latviz.app.shell.actions import OTHERS, Action, Item
from latviz.app.views.multiples.view import MultiplesView
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.widgets import layouts
from latviz.app.widgets.title_controls import muted
from latviz.engine.choosing.cells import MOST, STATES, WINDOWS, Cell, cells_of
from latviz.engine.choosing.tradeoff import Place as Setting
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.kept import keep
from latviz.engine.settings.state import State

RECENT = 6
"""Settings of N and w that were set last, which can be added."""


class CellVerbs:
    """Commands on the cells: add, remove, apply, keep as reference."""

    def __init__(self, context: Context) -> None:
        self._document, self._idle = context.document, context.idle_jobs
        self._shell = context.shell
        self.recent: list[Setting] = []
        self._document.changed.connect(self._note)

    def _note(self, old: State, new: State) -> None:
        """Remember the last settings."""
        if new.picture is not old.picture:
            self.recent.clear()
        elif _set_in(new) != _set_in(old):
            before = _set_in(old)
            self.recent = [before, *(s for s in self.recent if s != before)][:RECENT]

    def has_picture(self) -> bool:
        """Return True if there is a picture to decode."""
        return self._document.picture is not None

    def take(self, setting: Setting) -> None:
        """Set N and w."""
        self._document.set("Change N and w", n_states=setting[0], window=setting[1])

    def add(self, setting: Setting) -> None:
        """Show one more."""
        now = cells_of(self._document.state)
        if setting in now:
            self._shell.say(f"N = {setting[0]}, w = {setting[1]} is shown already")
        elif len(now) >= MOST:
            self._shell.say(f"There is room for {MOST} state maps: remove one first")
        else:
            self.show((*now, setting))

    def add_set(self) -> None:
        """Show the current settings, too."""
        self._shell.show("multiples")
        self.add(_set_in(self._document.state))

    def remove(self, setting: Setting) -> None:
        """Show one less."""
        now = cells_of(self._document.state)
        if len(now) > 1:
            self.show(tuple(s for s in now if s != setting))

    def show(self, settings: tuple[Setting, ...]) -> None:
        """Show these."""
        self._document.change("Change the state maps side by side", cells=settings)

    def show_windows(self) -> None:
        """Show several w with the current N, even if it changes."""
        self._shell.show("multiples")
        self.show(())

    def show_states(self) -> None:
        """Show several N with the w that is set."""
        self._shell.show("multiples")
        window = self._document.parameters.window
        self.show(tuple((n, window) for n in STATES))

    def keep(self, cell: Cell) -> None:
        """Keep a decoding as reference for the current settings."""
        self._document.change("Keep as reference", compared=keep(cell.frame))

    def offers(self) -> Iterator[tuple[str, Setting]]:
        """Yield the settings to add, each with a text."""
        yield "Current: {}", _set_in(self._document.state)
        trade_off = self._idle.trade_off
        for n in () if trade_off is None else trade_off.states[1:]:
            assert trade_off is not None
            best = trade_off.best_window(n)
            if best is not None:
                yield "Lowest error: {}", (n, best)
        for setting in self.recent:
            yield "Previous: {}", setting


def _set_in(state: State) -> Setting:
    return state.parameters.n_states, state.parameters.window


def _text(setting: Setting) -> str:
    return f"N = {setting[0]}, w = {setting[1]}"


class MultiplesHeader(QWidget):
    """The controls in the title: settings to add, progress, and a button that stops it."""

    def __init__(self, view: MultiplesView, context: Context) -> None:
        super().__init__()
        self._cells = cells = CellVerbs(context)
        self._document, self._idle = context.document, context.idle_jobs
        self._view, self._works = view, False
        view.wanted.connect(cells.take)
        view.kept.connect(cells.keep)
        view.removed.connect(cells.remove)
        self._lay_out()
        self._idle.cells_changed.connect(
            lambda: view.show_known(self._idle.cells, self._idle.is_decoding)
        )
        self._idle.cells_changed.connect(self.refresh)
        self._document.frame_changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        self.progress, self.stop = muted(""), QPushButton("Stop")
        self.add = QToolButton()
        self.add.setText("Add ▾")
        self.add.setProperty("menu", True)
        self.add.setAccessibleName("Add a state map")
        self.add.setToolTip("Show the state map of another N and w next to these")
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.add)
        self.menu.aboutToShow.connect(self._fill)
        self.add.setMenu(self.menu)
        self.stop.setProperty("small", True)
        self.stop.clicked.connect(self._toggle)
        layouts.row(self.progress, self.stop, self.add, of=self, spacing=6)

    def refresh(self, *_: object) -> None:
        """Show the progress of decoding."""
        wanted = dict.fromkeys(cells_of(self._document.state))
        there, stopped = sum(s in self._idle.cells for s in wanted), self._idle.is_stopped
        works = self._idle.is_decoding
        if works != self._works:  # otherwise cells would seem idle too early
            self._works = works
            self._view.show_known(self._idle.cells, works)
        self.progress.setText(f"{there} of {len(wanted)}")
        self.progress.setVisible(works or stopped)
        self.stop.setVisible(works or stopped)
        self.stop.setText("Go on" if stopped else "Stop")
        self.stop.setToolTip("Decode the rest" if stopped else "Stop decoding them")

    def _toggle(self) -> None:
        self._idle.stop_cells(not self._idle.is_stopped)

    def _fill(self) -> None:
        """Offer the settings that are not shown."""
        self.menu.clear()
        seen = set(cells_of(self._document.state))
        for text, setting in self._cells.offers():
            if setting not in seen:
                seen.add(setting)
                self._offer(text.format(_text(setting)), partial(self._cells.add, setting))
        self.menu.addSeparator()
        windows, states = (", ".join(map(str, values)) for values in (WINDOWS, STATES))
        self._offer(f"Instead: w = {windows} with the current N", self._cells.show_windows)
        self._offer(f"Instead: N = {states} with the current w", self._cells.show_states)

    def _offer(self, text: str, run: Callable[[], object]) -> None:
        action = self.menu.addAction(text)
        assert action is not None
        action.triggered.connect(lambda _on: run())


def actions(_view: MultiplesView, context: Context) -> tuple[Item, ...]:
    """Return the menu items."""
    cells, several = CellVerbs(context), "Show the state maps of several {} with the current {}"
    add = "Show the current state map next to others"
    items: tuple[tuple[str, str, Callable[[], None]], ...] = (
        ("&Add N and w side by side", add, cells.add_set),
        ("Several &w side by side", several.format("w", "N"), cells.show_windows),
        ("Several &N side by side", several.format("N", "w"), cells.show_states),
    )
    return tuple(
        Action(text, tip, run, at=(OTHERS, 1.5 + k / 100), enabled=cells.has_picture)
        for k, (text, tip, run) in enumerate(items)
    )


def rows(view: MultiplesView, _frame: Frame) -> Rows:
    """Return the scores of each N and w on screen."""
    scale = view.scale
    found: Rows = [
        [
            *place,
            "" if cell.bits is None else scale.value(cell.bits, cell.bits_of_one),
            "" if cell.accuracy is None else cell.accuracy,
        ]
        for place, cell in view.cells.items()
    ]
    return [["N", "w", scale.named("bits per pixel"), "Accuracy"], *found] if found else []


SPEC = ViewSpec(
    name="multiples",
    title=MultiplesView.TITLE,
    make=MultiplesView,
    help=(
        "State maps of several N and w side by side, with one zoom and one cursor. They are "
        "decoded when nothing else is computed, as if their N and w were set. Click one to set its "
        "N and w, or right-click to keep it as reference."
    ),
    header=MultiplesHeader,
    actions=actions,
    table=rows,
)
