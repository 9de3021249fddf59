"""Scribbling: the tool in use, and the effect of its strokes on the states."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtGui import QColor

from latviz import engine
from latviz.app.by_hand.hand import MENU, ask_color
from latviz.app.document.document import Document
from latviz.app.scribbling.strokes import StrokesItem
from latviz.app.shell.actions import OTHERS, plain
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.menus import Menus
from latviz.app.shell.shell import Shell
from latviz.app.views.picture import PictureView
from latviz.app.views.registry import Views
from latviz.app.work.activity import Failure
from latviz.app.work.background import Background
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.appearance import LONGEST, Looks
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.engine.settings.scribbles import BRUSHES, Cutting, Place, Scribbles, Stroke, simplified
from latviz.engine.settings.state import State

BRUSH = 7
OVER = 90
"""The z of strokes: above all layers, below the outlines of the inspected pixel."""
_SLOTS = 14, 19, 26, 18, 20, 29, 10, 8, 23, 9
"""Of the palette: the colours of new names, which the first states have not."""
LEFT_S = 10.0
"""Seconds to wait for a computation in progress when the window closes."""


@dataclass(frozen=True, eq=False)
class _Change:
    """A change of the strokes that waits for its cut of the tree; then applied or dropped."""

    text: str
    make: Callable[[Scribbles], Scribbles]
    stroke: Stroke | None = None
    gone: Stroke | None = None


class Scribbler(QObject, Feature):
    """Paints strokes over the views, and cuts the merge tree to agree with them."""

    # A stroke becomes one command, together with its cut, once another thread has found the cut.
    # Faster strokes queue
    changed = pyqtSignal()  # one of the fields below, or strokes or scores

    def __init__(self, parts: Parts) -> None:
        document, shell = parts[Document], parts[Shell]
        super().__init__(shell)
        self._document, self._shell = document, shell
        # The mouse paints over pictures; with ``erasing`` it removes strokes
        self.is_on = self.erasing = False
        # The name of the next stroke (empty: one is made up), and the width of the brush in pixels
        self.name, self.size = "", BRUSH
        self._colors: dict[str, str] = {}
        self._views: list[tuple[PictureView, StrokesItem]] = []
        self._points: list[Place] = []
        self._painting: PictureView | None = None
        self._waiting: deque[_Change] = deque()
        self._is_cutting = False
        self.background = Background(self)
        self.background.failed.connect(self._fail)
        document.changed.connect(self._follow)
        document.frame_changed.connect(self._take_frame)
        self.changed.connect(self._draw)

    def connect(self, parts: Parts) -> None:
        """Enable painting over views of the picture; keep ticks in the menus up to date."""
        self.add_views(parts[Views].pictures)
        self.changed.connect(parts[Menus].refresh)

    def add_views(self, views: Iterable[PictureView]) -> None:
        """Make views of the picture accept strokes."""
        for view in views:
            item, canvas = StrokesItem(view.canvas), view.canvas
            canvas.toggle_key = Qt.Key.Key_E
            canvas.add_layer(item, OVER)
            self._views.append((view, item))
            canvas.pressed.connect(partial(self._press, view))
            canvas.moved.connect(self._move)
            canvas.released.connect(self._release)
            canvas.dabbed.connect(partial(self._dab, view))
            canvas.picked.connect(self.pick)
            canvas.widened.connect(lambda step: self.set_size(self.size + step))
            canvas.toggled.connect(lambda: self.erase(not self.erasing))
        self._draw()

    @property
    def scribbles(self) -> Scribbles:
        """The strokes that are set."""
        return self._document.state.scribbles

    @property
    def has_strokes(self) -> bool:
        """True if there are strokes."""
        return bool(self.scribbles.strokes)

    @property
    def is_cutting(self) -> bool:
        """True while a cut is computed, or waits to be."""
        return bool(self._waiting)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of strokes, including queued ones."""
        coming = (stroke.name for stroke in self._coming)
        return tuple(dict.fromkeys((*self.scribbles.names, *coming)))

    @property
    def _coming(self) -> list[Stroke]:
        """The strokes that wait for their cut."""
        return [change.stroke for change in self._waiting if change.stroke is not None]

    @property
    def frame(self) -> Frame | None:
        """The frame on screen."""
        return self._document.frame

    @property
    def _staying(self) -> tuple[Stroke, ...]:
        """The strokes that are not on their way out."""
        going = [change.gone for change in self._waiting]
        return tuple(stroke for stroke in self.scribbles.strokes if stroke not in going)

    @property
    def reason(self) -> str:
        """Why no strokes can be painted now, or nothing."""
        state = self._document.state
        if state.pictures is None:
            return "No picture is open"
        if state.given is not None:
            return state.given.reason
        if state.pictures.other is not None:
            return "The model does not learn from this image: tick it on the shelf first"
        return ""

    # Tools

    @in_menu(
        "&Scribble names",
        "Paint strokes over the picture and name them; the merge tree is cut to match",
        (plain(MENU), 2.0),
        ticked=lambda self: self.is_on,
        enabled=lambda self: not self.reason,
    )
    def set_on(self, on: bool) -> None:
        """Start or stop painting over pictures."""
        if on and self.reason:
            self._shell.say(f"Strokes cannot be painted now. {self.reason}.")
            on = False
        self.is_on, self.erasing = on, False
        self._painting, self._points = None, []
        for view, _ in self._views:
            view.canvas.set_drawing(on)
        if on and not any(view.isVisible() for view, _ in self._views):
            self._shell.show("states")
        self.changed.emit()

    def dismiss(self) -> bool:
        """Cancel the pending cut, with its stroke, or else stop painting."""
        was_on = self.is_on
        if self.is_cutting and was_on:
            self._waiting.clear()
            self._shell.say("The last stroke was cancelled")
            self.changed.emit()
        elif was_on:
            self.set_on(False)
        return was_on

    def erase(self, erasing: bool) -> None:
        """Take strokes away that are touched, or paint again."""
        self.erasing = erasing
        self.changed.emit()

    def set_name(self, name: str) -> None:
        """Paint strokes of another name."""
        self.name = "".join(filter(str.isprintable, name)).strip()[:LONGEST]
        self.erasing = False
        self.changed.emit()

    def pick(self, index: int) -> None:
        """Select the name with this index, if there is one."""
        if 0 <= index < len(self.names):
            self.set_name(self.names[index])

    def set_size(self, size: int) -> None:
        """Take a brush of another size; it is kept within `BRUSHES`."""
        self.size = min(max(size, BRUSHES[0]), BRUSHES[1])
        self.changed.emit()

    def color_of(self, name: str) -> str:
        """Return the colour of a name, or the one that it will have."""
        coming = {stroke.name: stroke.color for stroke in self._coming}
        known = {**self._colors, **self.scribbles.colors, **coming}
        if name in known:
            return known[name]
        codes = ["#" + bytes(SLOT_COLORS[slot]).hex() for slot in _SLOTS]
        free = [code for code in codes if code not in known.values()]
        return free[0] if free else codes[len(known) % len(codes)]

    def ask_color(self) -> None:
        """Ask for the colour of the selected name."""
        name = self.name or self._new_name()
        found = self._shell.ask(ask_color, f"“{name}”", QColor(self.color_of(name)))
        if found is not None:
            self._colors[name] = found
            colored = self.scribbles.colored(name, found)
            self._document.change("Colour a name", object(), scribbles=colored)
            self.set_name(name)

    def keep_n(self, keep: bool) -> None:
        """Keep N when the tree is cut to agree, or not; the current strokes are cut again."""
        if keep != self.scribbles.keeps_n:
            text = "Keep N" if keep else "Let scribbles change N"
            self._queue(_Change(text, lambda some: replace(some, keeps_n=keep)))

    @in_menu(
        "Cut to the scribbles a&gain",
        "Cut the merge tree to match the strokes, after w, N or the encoding changed",
        (OTHERS, 2.2),
        enabled=lambda self: self.has_strokes and not self.reason,
    )
    def cut_again(self) -> None:
        """Cut the tree on screen to agree with the strokes."""
        self._queue(_Change("Cut to the scribbles", lambda some: some))

    @in_menu(
        "&Erase all scribbles",
        "Erase all strokes, and cut the merge tree as it was before them",
        (OTHERS, 2.3),
        enabled=lambda self: self.has_strokes,
    )
    def clear(self) -> None:
        """Take all strokes away."""
        self._queue(_Change("Erase scribbles", lambda some: replace(some, strokes=())))

    def close(self) -> None:
        """Wait until all computing has ended."""
        self._waiting.clear()
        self.background.finish(seconds=LEFT_S)

    # Strokes

    def _press(self, view: PictureView, place: Place) -> None:
        if not self.is_on:  # the canvas draws for another
            return
        self._painting = view
        if self.erasing:
            self._erase_at(place)
        else:
            if not self.name:
                self.set_name(self._new_name())
            self._points = [place]
            self._draw()

    def _move(self, place: Place) -> None:
        if self._painting is not None and self.erasing:
            self._erase_at(place)
        elif self._painting is not None and place != self._points[-1]:
            self._points.append(place)
            self._draw()

    def _release(self) -> None:
        stroke = self._stroke()
        self._painting, self._points = None, []
        if stroke is not None:
            text = f"Scribble “{stroke.name.replace('&', '&&')}”"
            self._queue(_Change(text, lambda some: some.adding(stroke), stroke))

    def _dab(self, view: PictureView, place: Place) -> None:
        self._press(view, place)
        self._release()

    def _erase_at(self, place: Place) -> None:
        """Erase the topmost permanent stroke at a place."""
        hit = Scribbles(self._staying).hit(place, *self.plane())
        if hit is not None:
            self._queue(_Change("Erase a stroke", lambda some: some.without(hit), gone=hit))

    def plane(self) -> tuple[int, int]:
        """Return the indices of the picture and slice on screen."""
        state = self._document.state
        assert state.pictures is not None
        is_volume = state.pictures.picture.dimensions == 3
        return state.pictures.place, state.slice if is_volume else 0

    def _stroke(self) -> Stroke | None:
        """Return the stroke that is being painted."""
        if not self._points:
            return None
        color = self.color_of(self.name)
        return Stroke(self.name, color, self.size, simplified(self._points), *self.plane())

    def _new_name(self) -> str:
        n = 1
        while f"name {n}" in self.names:
            n += 1
        return f"name {n}"

    # Effects

    def _queue(self, change: _Change) -> None:
        self._waiting.append(change)
        self.changed.emit()
        self._go_on()

    def _go_on(self) -> None:
        """Find the cut of the next change, once a frame of the current settings is there."""
        frame, state = self.frame, self._document.state
        if self._is_cutting or not self._waiting or frame is None or not _is_of(frame, state):
            return
        change, now = self._waiting[0], _cutting(state)
        wanted = change.make(state.scribbles)
        self._is_cutting = True
        self.background.start(
            lambda: engine.choosing.agreed.agreed(frame, wanted, now),
            partial(self._take_cut, change, frame, state),
        )

    def _take_cut(self, change: _Change, frame: Frame, asked: State, found: Scribbles) -> None:
        self._is_cutting = False
        state = self._document.state
        is_next = bool(self._waiting) and self._waiting[0] is change
        if is_next and (state.scribbles, _cutting(state)) == (asked.scribbles, _cutting(asked)):
            self._waiting.popleft()
            looks = state.looks
            if change.stroke is not None:
                looks = engine.choosing.agreed.without_hidden(looks, frame, change.stroke)
            self._set(change.text, found, looks)
            self.changed.emit()
        self._go_on()

    def _set(self, text: str, found: Scribbles, looks: Looks) -> None:
        made = found.made
        kept = found if found.strokes else replace(found, before=Cutting(), made=Cutting())
        self._document.cut(text, made.hand_cut, made.n_states, scribbles=kept, looks=looks)

    def _fail(self, failure: Failure) -> None:
        self._is_cutting = False
        if self._waiting:
            self._waiting.popleft()
        self._shell.fail(failure)
        self.changed.emit()
        self._go_on()

    def _follow(self, old: State, new: State) -> None:
        is_another = new.picture is not old.picture or new.slice != old.slice
        if is_another:
            self._painting, self._points = None, []
        if new.members != old.members:
            self._waiting.clear()
            self._colors.clear()
            self.set_name("")
        if self.is_on and self.reason:
            self.set_on(False)
        if is_another or new.scribbles != old.scribbles:
            self.changed.emit()

    def _take_frame(self, _frame: Frame) -> None:
        self._go_on()
        if self.is_on:
            self.changed.emit()

    def _draw(self) -> None:
        """Draw the strokes on screen, the current one, and queued ones."""
        strokes: list[Stroke] = []
        if self.is_on and self._document.picture is not None:
            painted = self._stroke()
            in_hand = () if painted is None else (painted,)
            every = (*self._staying, *self._coming, *in_hand)
            plane = self.plane()
            strokes = [stroke for stroke in every if (stroke.picture, stroke.slice) == plane]
        for _, item in self._views:
            if item.strokes != tuple(strokes):
                item.show_strokes(strokes)


def _cutting(state: State) -> Cutting:
    return Cutting(state.parameters.n_states, state.hand_cut)


def _is_of(frame: Frame, state: State) -> bool:
    """Return True if a frame's merge tree and windows are those of the state."""
    asked = frame.request.parameters
    others = replace(state.parameters, n_states=asked.n_states)
    is_shown = frame.request.picture is state.picture and frame.cut is not None
    return is_shown and asked == others
