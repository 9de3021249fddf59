"""Shared by all views."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Self

from PyQt6.QtCore import QCoreApplication, QEvent, QObject, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QPainter, QShowEvent
from PyQt6.QtWidgets import QWidget

from latviz.app.document.inspector import Pointer
from latviz.app.look.theme import LIGHT, Theme, to_colors
from latviz.app.views.mark import Mark, MarkKind
from latviz.app.views.rounds import Rounds
from latviz.app.widgets.painting import Painted, Timed, draw_waiting
from latviz.app.widgets.scene import Scene
from latviz.app.work.timers import once_after
from latviz.engine.frames.frame import Frame, differing
from latviz.engine.frames.inspection import Inspection
from latviz.engine.geometry.selection import StateSelection, SymbolSelection, index_of
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.state import Display, Node, State

COMPUTING = "Computing…"
"""The text where something is computed for the first time."""
LOOK_S = 1.0
"""Seconds between searches for the painted parts of a view, which take longer than some
drawings."""
SETTLED_MS = 150
"""Of drawings that follow each other faster, only the first and last are described: a screen reader
is not told each step of a slider."""


class Cover(Painted):
    """Hides all of a view, which shows another picture's numbers, under the waiting text."""

    def __init__(self, view: "View") -> None:
        super().__init__(view)
        self._view = view
        self.hide()
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Stay as large as the view."""
        if event is not None and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._view.rect())
        return super().eventFilter(watched, event)

    def put(self) -> None:
        """Lie over all parts of the view."""
        self.theme = self._view.theme
        self.setGeometry(self._view.rect())
        self.raise_()
        self.show()

    def paint_all(self, painter: QPainter) -> None:
        """Paint the waiting text."""
        draw_waiting(painter, QRectF(self.rect()), self._view.waiting, self.theme)


class View(QWidget):
    """A view that shows the last frame, the inspected pixel and the display options.

    It computes nothing. A hidden view stores its input, and draws it when it becomes visible.
    Subclasses set `TITLE` and override the ``draw_`` methods, which are called only while the view
    is visible and has a frame. Subclasses name in `NEEDS` the results of a frame that they draw, or
    override `needed`. While a result is pending, they keep the last frame of the same picture. They
    do not draw again if a frame changes nothing that they draw. `keyboard` is the part that takes
    the focus; `KEYS` describes its keys. A window title, if set, replaces `TITLE`. Views that share
    `rounds` are drawn in several rounds if all at once would take long.

    An export is another view of the same kind, filled by `show_as_figure`. Views with controls or
    with other input extend it.

    Signals
    -------
    hovered(object)
        The (row, column) under the pointer, or None.
    state_hovered(object)
        The state under the pointer, or None.
    symbol_hovered(object)
        The symbol under the pointer, or None.
    picked(Selection)
        The selection that the user made.
    pinned(object)
        The node to pin, or to unpin.
    restored(State)
        The state before a double click, which shows all and highlights and pins nothing.
    placed(object)
        The place of the user's mark, if its kind is in `MARKS` and it is free; see `Mark`.
    """

    TITLE = ""
    SIZE: tuple[int, int] | None = None  # in the window by default; None: that of its parts
    NEEDS: frozenset[str] = frozenset()
    KEYS = ""
    MARKS: frozenset[MarkKind] = frozenset()
    COVERED = True  # until the first frame of a picture; False if it empties itself

    hovered = pyqtSignal(object)
    state_hovered = pyqtSignal(object)
    symbol_hovered = pyqtSignal(object)
    picked = pyqtSignal(object)
    pinned = pyqtSignal(object)
    restored = pyqtSignal(object)
    placed = pyqtSignal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame: Frame | None = None
        self.since: Frame | None = None  # drawn last, while nothing but the frame has changed
        self.inspection: Inspection | None = None
        self.unknown_node: Node | None = None
        self.state, self.pointer = State(), Pointer()
        self.theme: Theme = LIGHT
        self.pins: tuple[Inspection, ...] = ()
        self.mark: Mark | None = None
        self.is_figure = False
        self.waiting = COMPUTING
        self.rounds: Rounds | None = None
        self._stale = self._untold = False
        self._drawing = math.inf  # a first drawing fills a round, because its duration is unknown
        self._timed: list[Timed] = []
        self._looked = -math.inf
        self.settled = once_after(SETTLED_MS, self._settle, self)
        self.setAccessibleName(self.TITLE)
        self.keyboard: QWidget = self
        self._cover = Cover(self)
        self._before = self.state

    def sizeHint(self) -> QSize:
        """Return the size it has in the window by default."""
        return super().sizeHint() if self.SIZE is None else QSize(*self.SIZE)

    def take_keyboard(self, part: QWidget) -> None:
        """Make a part of the view, or the view itself, focusable by Tab, and name it."""
        self.keyboard = part
        part.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        part.setAccessibleName(self.TITLE)
        self.describe()

    def follow_clicks(self, scene: Scene) -> None:
        """Let the first click of each double click on a scene have no effect."""

        def keep() -> None:
            self._before = self.state

        scene.touched.connect(keep)
        scene.doubled.connect(lambda: self.restored.emit(self._before))

    @property
    def parameter_controls(self) -> Mapping[str, QWidget]:
        """The controls of parameters that it has, by their fields; none by default."""
        return {}

    @property
    def is_complete(self) -> bool:
        """True if nothing that it shows is still being computed in idle time."""
        return True

    def in_words(self, frame: Frame) -> str:
        """Return a short description of the view's content."""
        raise NotImplementedError

    def describe(self) -> None:
        """Set the accessible description."""
        shown = "Nothing yet." if self.frame is None else self.in_words(self.frame)
        marked = "" if self.mark is None else self.mark.words
        parts = (marked, shown, self.KEYS)
        self.keyboard.setAccessibleDescription(" ".join(part for part in parts if part))

    def show_picture(self, _picture: Picture) -> None:
        """Take an image, before its first frame: nothing of the last one is shown."""
        self.frame = self.inspection = None
        if self.COVERED:
            self._cover.put()
        self.update()
        self.describe()

    def show_pins(self, pins: Sequence[Inspection]) -> None:
        """Take the pinned pixels."""
        self.pins = tuple(pins)

    def show_as_figure(self, shown: Self, _scale: float) -> None:
        """Show the contents of another view of this kind, to be drawn to a file.

        The pointer is left out, so that a pixel is marked only if it is pinned. Pixels of the
        screen are magnified by ``scale``. Views extend it to leave out controls.
        """
        self.is_figure = True
        self.setFont(shown.font())
        self.apply_theme(LIGHT)
        if shown.state.picture is not None:
            self.show_picture(shown.state.picture)
        self.show_state(shown.state)
        self.show_pointer(Pointer(flipped=shown.pointer.flipped, still=True))
        if shown.frame is not None:
            self.show_frame(shown.frame)
        self.show_pins(shown.pins)
        self.show_inspection(shown.pins[-1] if shown.pins else None)
        self.resize(shown.size().expandedTo(self.sizeHint()))
        self.resize(self.figure_size())
        self.show()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def figure_size(self) -> QSize:
        """Return the size to draw a figure in; empty edges are cut off.

        It is that of the view on screen, or the default size if that is larger.
        """
        return self.size()

    def clear_hover(self) -> None:
        """Clear the hover state, as no leave event arrives while a dialog is open."""
        for part in (self, *self.findChildren(QWidget)):
            if part.isVisible() and part.underMouse():
                QCoreApplication.sendEvent(part, QEvent(QEvent.Type.Leave))

    def event(self, event: QEvent | None) -> bool:
        """Clear the hover state when another window becomes active."""
        if event is not None and event.type() == QEvent.Type.WindowDeactivate:
            self.clear_hover()
        return super().event(event)

    def show_frame(self, frame: Frame) -> None:
        """Take the newest frame."""
        before = self.frame
        is_new = before is None or before.request.picture is not frame.request.picture
        if self.waits_for(frame):
            if is_new and before is not None:
                self.show_picture(frame.request.picture)
            return
        self.frame = frame
        if before is None or is_new or not self.isVisible() or self._differs(before, frame):
            alone = not is_new and self.inspection is None
            self.inspection = None
            self._refresh(before if alone else None)

    def show_waiting(self, text: str) -> None:
        """Show the progress of the first computation while there is no result."""
        if text != self.waiting:
            self.waiting = text
            (self.update if self.frame is None else self._cover.update)()

    def needed(self) -> frozenset[str]:
        """Return those of `NEEDS` that are drawn now."""
        return self.NEEDS

    def unseen(self, _frame: Frame) -> frozenset[str]:
        """Return the parts of a frame, besides results, that the view does not draw."""
        return frozenset()

    def waits_for(self, frame: Frame) -> bool:
        """Return True if the view waits for a later frame of the same request."""
        return bool(self.needed() & frame.pending)

    def _differs(self, before: Frame, frame: Frame) -> bool:
        """Return True if anything that the view draws has changed."""
        others = (before.results.keys() | frame.results.keys()) - self.needed() | self.unseen(frame)
        return any(name not in others for name in differing(before, frame))

    def show_inspection(self, inspection: Inspection | None) -> None:
        """Take the inspected pixel, or None."""
        before, self.inspection = self.inspection, inspection
        if before is inspection:
            return
        if self.isVisible() and self.frame is not None and not self._stale:
            self.draw_inspection()

    def show_unknown(self, node: Node | None) -> None:
        """Take the pixel under the pointer if it is unknown, and so has no inspection, or None."""
        self.unknown_node = node
        if self.isVisible() and self.frame is not None and not self._stale:
            self.draw_inspection()

    @property
    def display(self) -> Display:
        """The display options."""
        return self.state.display

    def show_state(self, state: State) -> None:
        """Take the state; draw again if the change affects the drawing of a frame."""
        before, self.state = self.state, state
        if _drawn_of(state) != _drawn_of(before):
            self._refresh()

    def show_pointer(self, pointer: Pointer) -> None:
        """Take the pointer."""
        if pointer != self.pointer:
            self.pointer = pointer
            self._refresh()

    def show_alone(self, names: tuple[str, ...]) -> None:
        """Show only some parts, and large, for a lesson; a view of one part shows that."""

    def show_asked(self, asked: bool) -> None:
        """Give no advice while a lesson asks; views without advice ignore it."""

    def show_mark(self, mark: Mark | None) -> None:
        """Take the mark that the user is to place, or None; ignore marks of other kinds."""
        own = mark if mark is not None and mark.kind in self.MARKS else None
        if own != self.mark:
            self.mark = own
            self.draw_mark()
            self.describe()

    def draw_mark(self) -> None:
        """Draw ``self.mark``, or none; called with or without a frame."""
        self._refresh()

    @property
    def free_mark(self) -> Mark | None:
        """The mark that the user is to place now, or None."""
        return self.mark if self.mark is not None and self.mark.is_free else None

    def apply_theme(self, theme: Theme) -> None:
        """Draw with other colours."""
        self.theme = theme
        self._cover.apply_theme(theme)
        self.draw_theme()
        self._refresh()

    def end_passing(self) -> None:
        """Remove drawings that are shown for a moment only, and do not belong into files."""

    def finish(self) -> None:
        """Stop computing away from the window's thread, because the window closes."""

    def draw_theme(self) -> None:
        """Restyle parts that stay between frames; called with or without a frame."""

    def draw_frame(self) -> None:
        """Draw ``self.frame`` with ``self.display`` and ``self.inspection``."""

    def draw_inspection(self) -> None:
        """Draw ``self.inspection`` over the rest."""

    def showEvent(self, event: QShowEvent | None) -> None:
        """Draw results that arrived while the view was hidden."""
        super().showEvent(event)
        self.draw_if_stale()

    def draw_if_stale(self) -> None:
        """Draw changes made while the view was hidden, or while others were drawn."""
        if self._stale:
            self._refresh()

    def _refresh(self, since: Frame | None = None) -> None:
        drawn = self.isVisible() and self.frame is not None
        self.since = None if self._stale else since
        self._stale = not self.isVisible() or (drawn and not self._may_draw())
        if drawn and not self._stale:
            start = time.perf_counter()
            self._draw()
            self._drawing = time.perf_counter() - start
        self.since = None

    def _draw(self) -> None:
        """Draw and describe the frame."""
        with self._kept_running():
            self._cover.hide()
            self.draw_frame()
            self._untold = self.settled.isActive()
            if not self._untold:
                self.describe()
            self.settled.start()

    def _settle(self) -> None:
        """Describe the last of a run of drawings; a hidden view draws it again once it is shown."""
        if self._untold and self.isVisible():
            with self._kept_running():
                self.describe()
        elif self._untold:
            self._stale = True

    @contextmanager
    def _kept_running(self) -> Iterator[None]:
        """Let no view of another package end the program."""
        try:
            yield
        except SystemExit as error:
            raise RuntimeError(f"{type(self).__name__} tried to end the program") from error

    def _may_draw(self) -> bool:
        return self.rounds is None or self.rounds.admit(self)

    @property
    def seconds(self) -> float:
        """Seconds of the last drawing and painting."""
        now = time.monotonic()
        if now - self._looked > LOOK_S:
            self._looked, parts = now, (self, *self.findChildren(QWidget))
            self._timed = [part for part in parts if isinstance(part, Timed)]
        return self._drawing + sum(part.painting for part in self._timed)

    @property
    def chosen(self) -> int | None:
        """The state to highlight: the one under the pointer, or else the selected one."""
        if self.pointer.state is not None or self.frame is None:
            return self.pointer.state
        picked = self.state.selection
        slot = picked.slot if isinstance(picked, StateSelection | SymbolSelection) else None
        return None if slot is None else index_of(self.frame.slots, slot)

    @property
    def inspected(self) -> tuple[Inspection, ...]:
        """The inspected pixel, if there is one."""
        return () if self.inspection is None else (self.inspection,)

    def colors(self) -> list[QColor]:
        """Return the colours of the frame's states."""
        return [] if self.frame is None else to_colors(self.frame.colors)


def _drawn_of(state: State) -> tuple[object, ...]:
    """Return the parts of a state that are drawn over a frame without belonging to it."""
    return state.display, state.slice, state.selection, state.compared, state.explains_contrasts
