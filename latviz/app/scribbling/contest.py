"""The prediction contest: paint where states will change as w moves, and see how much did."""

from collections.abc import Callable
from functools import partial

import numpy as np
from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QHideEvent
from PyQt6.QtWidgets import QGridLayout, QLabel, QWidget

from latviz.app.docking.uses import LEARN
from latviz.app.document.document import Document
from latviz.app.lessons.pages import HEADING, TEXT, clear, fit, give_keyboard, label, page
from latviz.app.lessons.teacher import Teacher
from latviz.app.panels.parameter_controls import NumberControl
from latviz.app.scribbling.scribbler import BRUSH, OVER, Scribbler
from latviz.app.scribbling.strokes import StrokesItem
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.shell import Shell
from latviz.app.views.picture import PictureView
from latviz.app.views.registry import Views
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import button, chip
from latviz.app.widgets.layer import Layer
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Section
from latviz.engine.lessons.contest import FALSE, HIT, MISSED, UNKNOWN, RoundScore, outcomes, score
from latviz.engine.settings.given import Lock
from latviz.engine.settings.parameters import WINDOW_RANGE, window_range
from latviz.engine.settings.scribbles import BRUSHES, Place, Stroke, covered, simplified
from latviz.engine.settings.state import State

TITLE = "Predict the change"
ASK = "Now w = {}. Paint the {}s whose state will change as w moves to:"
RESULT = "w moved from {} to {}: {} of the {}s changed their state."
LOCKED = "Paint first. You can move everything once you see the change."
HEADS = ("w", "hit", "missed", "false", "skill")
TIPS = (
    "Before and after",
    "Share of what changed that you painted",
    "Share of what changed that you did not paint",
    "Share of what did not change that you painted",
    "Hit minus false: 1 at best, 0 for a guess at random",
)
COLORS = np.zeros((5, 4), dtype=np.uint8)
"""The colours of outcomes; what stayed as it was is darkened."""
COLORS[:UNKNOWN] = (16, 19, 23, 170)
COLORS[MISSED] = (230, 0, 126, 255)
COLORS[FALSE] = (205, 205, 205, 255)
COLORS[HIT] = (86, 180, 233, 255)
_BRUSH = "#ffffff"


class ContestPage(QWidget):
    """What to paint, or what came true, and a table of the rounds."""

    gone = pyqtSignal()  # another page or tab is shown

    def __init__(self) -> None:
        super().__init__()
        self.title, self.text = label(), label()
        self.window_control = NumberControl(WINDOW_RANGE, 0, "Next w", "log")
        self.window_control.set_tool_tip("The half-width that the window has next")
        self.brush = NumberControl(BRUSHES, 0, "Contest brush size")
        self.brush.set_value(BRUSH)
        self.brush.set_tool_tip("Width of the brush in pixels ([ and ] on the picture)")
        self.clear_button = button("Remove the last stroke", "Paint this stroke again")
        self.tools, self.rounds = QWidget(), QWidget()
        self._rows = QGridLayout(self.rounds)
        self.leave_button = button(
            "All lessons", "End the contest, and choose a lesson", "End the contest"
        )
        self.next_button = button("Show the change", "Move w, and see what came true")
        brush = layouts.row(QLabel("Brush"), (self.brush, 1))
        layouts.column(self.window_control, brush, self.clear_button, of=self.tools, spacing=8)
        parts = (self.title, self.text, self.tools, self.rounds)
        inner, _ = page(parts, (self.leave_button, 1, self.next_button))
        layouts.column(inner, of=self)
        self.title.show_text(TITLE)

    def fit_fonts(self, size: float) -> None:
        """Give texts their sizes, by that of all text."""
        fit(self.title, size, HEADING, bold=True)
        fit(self.text, size, TEXT)

    def show_rounds(self, scores: list[RoundScore]) -> None:
        """Show a line for each round."""
        clear(self._rows)
        self.rounds.setVisible(bool(scores))
        for column, (text, tip) in enumerate(zip(HEADS, TIPS, strict=True)):
            head = QLabel(text)
            head.setToolTip(tip)
            self._rows.addWidget(head, 1, column, Qt.AlignmentFlag.AlignRight)
        for column, outcome in enumerate((HIT, MISSED, FALSE), start=1):
            swatch = QLabel()
            swatch.setPixmap(chip(QColor(*COLORS[outcome].tolist()), square=True).pixmap(16, 16))
            self._rows.addWidget(swatch, 0, column, Qt.AlignmentFlag.AlignRight)
        for row, one in enumerate(scores, start=2):
            for column, text in enumerate(_cells(one)):
                self._rows.addWidget(QLabel(text), row, column, Qt.AlignmentFlag.AlignRight)

    def hideEvent(self, event: QHideEvent | None) -> None:
        """End the contest, unless the whole window is only out of sight."""
        super().hideEvent(event)
        if event is not None and not event.spontaneous():
            self.gone.emit()


def _cells(one: RoundScore) -> tuple[str, ...]:
    """Return the texts of a round."""
    hit, false, skill = one.hit_share, one.false_share, one.skill
    missed = None if hit is None else 1 - hit
    shares = ("–" if part is None else digits.share(part) for part in (hit, missed, false))
    before, after = one.windows
    return f"{before} → {after}", *shares, "–" if skill is None else digits.signed(skill, 2)


class PredictionContest(QObject, Feature):
    """Asks where states will change on the picture that is open, before each move of w."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell = parts[Document], parts[Shell]
        super().__init__(self._shell)
        self._teacher, self._scribbler = parts[Teacher], parts[Scribbler]
        self.page = ContestPage()
        self._teacher.panel.addWidget(self.page)
        self._views: list[tuple[PictureView, StrokesItem, Layer]] = []
        self.is_on = self.is_painting = False
        self._strokes: list[Stroke] = []
        self._points: list[Place] = []
        self.scores: list[RoundScore] = []
        self._later: Callable[[Frame], None] | None = None

    def connect(self, parts: Parts) -> None:
        """Take strokes over the views of the picture."""
        panel = self._teacher.panel
        panel.contest.clicked.connect(lambda: self.open())
        self.page.leave_button.clicked.connect(self._teacher.end)
        self.page.next_button.clicked.connect(self._go_on)
        self.page.clear_button.clicked.connect(self._remove)
        self.page.window_control.changed.connect(lambda _: self._show_ready())
        self.page.gone.connect(self.close_contest)
        self._document.changed.connect(self._follow)
        self._document.frame_changed.connect(self._take_frame)
        self._scribbler.changed.connect(self._give_way)
        for view in parts[Views].pictures:
            self._add_view(view)

    def _add_view(self, view: PictureView) -> None:
        canvas = view.canvas
        strokes, layer = StrokesItem(canvas), Layer(canvas)
        for item in (layer, strokes):
            canvas.add_layer(item, OVER)
        layer.setVisible(False)
        self._views.append((view, strokes, layer))
        canvas.pressed.connect(self._press)
        canvas.moved.connect(self._move)
        canvas.released.connect(self._release)
        canvas.dabbed.connect(self._press)
        canvas.dabbed.connect(lambda _: self._release())
        canvas.widened.connect(self._widen)

    @in_menu(TITLE, "Paint where states will change as w moves, and see", ("Lesson", 1.0))
    def open(self) -> None:
        """Begin with the picture on screen, unless w cannot move its states."""
        given, parameters = self._document.state.given, self._document.parameters
        if self._document.picture is None:
            self._shell.say_nothing_to("predict")
        elif given is not None and "window" not in given.free:
            self._shell.say(f"w cannot move now. {given.reason}.")
        elif not parameters.is_moved_by_window:
            self._shell.say(f"With {parameters.decoding.title}, states do not depend on w")
        else:
            self._begin()

    def _begin(self) -> None:
        self._shell.use_wanted.emit(LEARN)
        self._teacher.end()
        self._scribbler.set_on(False)
        self.page.fit_fonts(self._teacher.panel.font().pointSizeF())
        self._teacher.panel.setCurrentWidget(self.page)
        self._shell.alone_wanted.emit(("image", "states"))
        self.is_on, self.scores = True, []
        self._ask()

    def close_contest(self) -> None:
        """End the contest; the picture and w stay."""
        if self.is_on:
            self.is_on, self._later = False, None
            self._paint(False)

    # A round

    def _ask(self) -> None:
        w, pictures = self._document.parameters.window, self._document.state.pictures
        assert pictures is not None
        self._strokes, self._points, self._later = [], [], None
        self.page.text.show_text(ASK.format(w, pictures.picture.node_name))
        further, bounds = 2 * w + 1, window_range(pictures.longest)
        self.page.window_control.set_range(bounds)
        self.page.window_control.set_value(further if further <= bounds[1] else w // 2)
        self.page.next_button.setText("Show the change")
        self.page.show_rounds(self.scores)
        self._paint(True)
        self._show_ready()
        give_keyboard(self.page, self.page.next_button)

    def _paint(self, on: bool) -> None:
        """Let the mouse paint, and lock the parameters; or neither."""
        self.is_painting = on
        self._document.set_lock(Lock(frozenset(), LOCKED) if on else None)
        self.page.tools.setVisible(on)
        for view, _, layer in self._views:
            view.canvas.set_drawing(on)
            layer.setVisible(False)
        self._draw()

    def _show_ready(self) -> None:
        moves = self.page.window_control.value != self._document.parameters.window
        self.page.next_button.setEnabled(not self.is_painting or moves)
        self.page.clear_button.setEnabled(bool(self._strokes))

    def _go_on(self) -> None:
        if self.is_painting:
            self.page.next_button.setEnabled(False)
            self._when_at_rest(self._move_window)
        else:
            self._ask()

    def _move_window(self, before: Frame) -> None:
        if self.is_painting:
            self._paint(False)
            self._document.set("Move w", window=int(self.page.window_control.value))
            self._when_at_rest(partial(self._judge, before))

    def _when_at_rest(self, then: Callable[[Frame], None]) -> None:
        """Call with the states that are learned from all pixels, unless the user declined that."""

        def take(frame: Frame) -> None:
            if frame.at_rest or self._document.activity.work == "declined":
                then(frame)
            else:
                self._later = then

        self._later = None
        self._document.when_whole(take)

    def _take_frame(self, frame: Frame) -> None:
        if self._later is not None and frame.at_rest:
            self._when_at_rest(self._later)

    def _judge(self, before: Frame, after: Frame) -> None:
        picture = self._document.picture
        if not self.is_on or picture is not before.request.picture or before is after:
            return
        section = Section(picture.shape, self._document.state.slice)
        painted = np.zeros(section.shape, dtype=bool)
        for stroke in self._shown():
            painted.flat[covered(stroke, section.shape)] = True
        maps = map(section.plane, (before.slot_map, after.like(before).slot_map))
        found = outcomes(painted, *maps)
        windows = before.request.parameters.window, after.request.parameters.window
        last = score(windows, found)
        self.scores.append(last)
        changed = digits.share(last.changed_share or 0)
        self.page.text.show_text(RESULT.format(*windows, changed, picture.node_name))
        self.page.show_rounds(self.scores)
        self.page.next_button.setText("Next round")
        self._strokes = []
        self._show_ready()
        give_keyboard(self.page, self.page.next_button)
        self._draw()
        for _, _, layer in self._views:
            layer.show_plane(found, COLORS)
            layer.setVisible(True)

    def _follow(self, old: State, new: State) -> None:
        """Ask again on another picture; on another slice, show what is painted there."""
        if not self.is_on:
            return
        if new.picture is not old.picture:
            self.scores = []
        if new.picture is not old.picture or (
            self.is_painting and new.parameters != old.parameters
        ):
            self._ask()
        elif (new.slice, new.parameters) != (old.slice, old.parameters):
            self._draw()
            for _, _, layer in self._views:
                layer.setVisible(False)

    def _give_way(self) -> None:
        if self._scribbler.is_on and self.is_on:
            self._teacher.end()

    # Strokes

    def _plane(self) -> tuple[int, int]:
        """Return the indices of the picture and slice on screen."""
        return self._scribbler.plane()

    def _shown(self) -> list[Stroke]:
        """Return the strokes over the plane on screen, the current one last."""
        in_hand = [self._stroke()] if self._points else []
        return [s for s in (*self._strokes, *in_hand) if (s.picture, s.slice) == self._plane()]

    def _stroke(self) -> Stroke:
        size = int(self.page.brush.value)
        return Stroke(TITLE, _BRUSH, size, simplified(self._points), *self._plane())

    def _press(self, place: Place) -> None:
        if self.is_painting:
            self._points = [place]
            self._draw()

    def _move(self, place: Place) -> None:
        if self._points and place != self._points[-1]:
            self._points.append(place)
            self._draw()

    def _release(self) -> None:
        if self._points:
            self._strokes.append(self._stroke())
            self._points = []
            self._show_ready()

    def _widen(self, step: int) -> None:
        if self.is_painting:
            self.page.brush.slider.setValue(self.page.brush.slider.value() + step)

    def _remove(self) -> None:
        del self._strokes[-1:]
        self._show_ready()
        self._draw()

    def _draw(self) -> None:
        shown = self._shown() if self.is_on and self._document.picture is not None else []
        for _, item, _ in self._views:
            item.show_strokes(shown)
