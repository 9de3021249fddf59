"""The line at the bottom of the window: the picture, messages, and a mark for the newest result."""

import math

from PyQt6.QtCore import QEvent, QTime
from PyQt6.QtWidgets import QLabel, QWidget

from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets import layouts
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.painting import RIGHT, text_height, text_width
from latviz.app.widgets.shortcuts import CANCELS
from latviz.app.work.activity import Activity, percent_done
from latviz.app.work.progress_bars import CancelBar, LearningBar
from latviz.app.work.timers import once_after
from latviz.core import digits
from latviz.engine.frames.frame import Frame

BUSY_AFTER_MS = 120
MESSAGE_MS = 6000
MARKS = {
    "idle": ("muted", "○ up to date"),
    "declined": ("muted", "○ up to date"),
    "computing": ("accent", "● computing"),
    "decoding": ("accent", "● decoding"),
    "learning": ("accent", "● learning"),
    "failed": ("bad", "▲ failed"),
}
"""The colour and the text for each kind of activity."""
_LONGEST = "Refreshed 00:00:00, in 000 ms"


class StatusLine(QWidget):
    """A message or the picture's notes, the codebook's learning, the last refresh."""

    def __init__(self) -> None:
        super().__init__()
        self.setAutoFillBackground(True)  # nothing behind it is painted with it
        self.message = ElidedLabel()
        self.learned, self.refreshed = QLabel(), QLabel()
        self.opening = CancelBar("Opening", "Cancel, and keep what is on screen")
        self.writing = CancelBar("Writing", "Cancel")
        self.learning = LearningBar()
        self.mark = QLabel()
        self.mark.setAccessibleName("Activity")
        self._more = layouts.row(spacing=18)
        bars = self.opening, self.writing, self._more, self.learning
        parts = (*bars, self.learned, self.refreshed, self.mark)
        layouts.row((self.message, 1), *parts, of=self, margins=(8, 0, 8, 0), spacing=18)
        self.refreshed.setAlignment(RIGHT)
        self._fit_texts()
        self._theme = LIGHT
        self._notes = self._compiling = self._pointed = ""
        self._activity = Activity("idle")
        self._message_timer = once_after(MESSAGE_MS, self._restore_notes, self)
        self._busy_timer = once_after(BUSY_AFTER_MS, self._draw_mark, self)
        self.message.show_text("Loading…")

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_texts()

    def _fit_texts(self) -> None:
        """Make room for all texts of the mark and the time: no text then moves or asks for room."""
        font = self.font()
        texts = {self.mark: [text for _, text in MARKS.values()], self.refreshed: [_LONGEST]}
        for label, shown in texts.items():
            widest = max(text_width(font, text) for text in shown)
            label.setFixedSize(math.ceil(widest) + 4, int(text_height(font)))
        # Texts that appear and disappear must not move the widgets above.
        self.setMinimumHeight(max(self.opening.sizeHint().height(), self.learning.least_height()))

    def add(self, *widgets: QWidget) -> None:
        """Add widgets of a feature, before the progress of learning."""
        for widget in widgets:
            self._more.addWidget(widget)

    def show_message(self, text: str) -> None:
        """Show a message for a few seconds."""
        self.message.show_text(text)
        self._message_timer.start()

    def show_choosing(self, fraction: float | None) -> None:
        """Show the progress of choosing N and w; None: done."""
        if fraction is None:
            self.end_message()
        else:
            self.show_message(f"Choosing: {percent_done(fraction)} % ({CANCELS})")

    def show_notes(self, notes: tuple[str, ...]) -> None:
        """Show the notes on the picture, after the message if there is one."""
        self._notes = " · ".join(notes)
        if not self._message_timer.isActive():
            self._restore_notes()

    def show_pointed(self, text: str) -> None:
        """Show facts on the pixel under the pointer, before the notes; "" if it is elsewhere."""
        if text != self._pointed:
            self._pointed = text
            if not self._message_timer.isActive():
                self._restore_notes()

    def end_message(self) -> None:
        """Show the notes again at once."""
        self._message_timer.stop()
        self._restore_notes()

    def show_compiling(self) -> None:
        """Explain why the first start takes longer."""
        self._compiling = "Compiling code: this takes about ten seconds, once…"
        self._restore_notes()

    def show_ready(self) -> None:
        """Clear the note on compiling."""
        self._compiling = ""
        self._restore_notes()

    def show_frame(self, frame: Frame) -> None:
        """Show the frame's source and time."""
        self.learned.setText(source_text(frame))
        took = digits.duration(sum(frame.timings.values()))
        clock = QTime.currentTime().toString("HH:mm:ss")
        self.refreshed.setText(f"Refreshed {clock}, in {took}")

    def show_no_frame(self) -> None:
        """Clear the source and the time, until another picture has a frame."""
        self.learned.clear()
        self.refreshed.clear()

    def show_activity(self, activity: Activity) -> None:
        """Mark work in progress, if it takes long enough to be noticed."""
        self._activity = activity
        self.learning.show_activity(activity)
        if activity.work not in ("computing", "decoding", "learning"):
            self._busy_timer.stop()
            self._draw_mark()
        elif not self._busy_timer.isActive():
            self._busy_timer.start()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._draw_mark()

    def _draw_mark(self) -> None:
        color, text = MARKS[self._activity.work]
        self.mark.setText(f'<span style="color:{getattr(self._theme, color)}">{text}</span>')

    def _restore_notes(self) -> None:
        facts = " · ".join(filter(None, (self._pointed, self._notes)))
        self.message.show_text(self._compiling or facts)


def source_text(frame: Frame) -> str:
    """Return the source of a frame: its pixels, and the pixels it was learned from."""
    if frame.coarse:
        return f"Preview: 1 pixel in {frame.side} × {frame.side}"
    if frame.request.given is not None:
        return f"States of the model {frame.request.given.name}"
    node = frame.request.picture.node_name
    source = f"{frame.n_signatures:,} {node}s"
    if frame.sampled:
        source = f"a sample of {frame.n_learned:,} of {source}"
    else:
        source = f"all {source}" if frame.n_signatures > 1 else f"the one {node}"
    return f"States learned from {source}"
