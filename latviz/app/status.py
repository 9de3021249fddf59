"""The line at the bottom of the window: what is on screen, and whether it is the newest."""

from PyQt6.QtCore import QTime, QTimer
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QWidget

from latviz.app.elided import ElidedLabel
from latviz.app.theme import LIGHT, Theme
from latviz.live.frame import Frame

BUSY_AFTER_MS = 120
MESSAGE_MS = 6000


class StatusLine(QWidget):
    """A message or the picture's notes, how the codebook was learned, the last refresh."""

    def __init__(self) -> None:
        super().__init__()
        self.message = ElidedLabel()
        self.learned, self.refreshed = QLabel(), QLabel()
        self.mark = QLabel()
        self.mark.setFixedWidth(90)
        self.mark.setAccessibleName("Busy")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 8, 0)
        layout.setSpacing(18)
        layout.addWidget(self.message, 1)
        for label in (self.learned, self.refreshed, self.mark):
            layout.addWidget(label)
        self._theme = LIGHT
        self._notes = self._compiling = ""
        self._busy = False
        self._message_timer = self._timer(MESSAGE_MS, self._restore_notes)
        self._busy_timer = self._timer(BUSY_AFTER_MS, self._draw_busy)
        self.message.show_text("Loading…")

    def _timer(self, milliseconds: int, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)  # type: ignore[arg-type]
        return timer

    def show_message(self, text: str) -> None:
        """Show a message for a few seconds."""
        self.message.show_text(text)
        self._message_timer.start()

    def show_notes(self, notes: tuple[str, ...]) -> None:
        """Show what is to be known of the picture."""
        self._notes = " · ".join(notes)
        self._restore_notes()

    def show_compiling(self) -> None:
        """Say why the first start takes longer."""
        self._compiling = "Compiling the kernels: this first start takes some 20 seconds…"
        self._restore_notes()

    def show_ready(self) -> None:
        """Say that computing has begun."""
        self._compiling = ""
        self._restore_notes()

    def show_frame(self, frame: Frame) -> None:
        """Say what is on screen now."""
        if frame.n_learned < frame.n_nodes:
            source = f"a sample of {frame.n_learned:,} of {frame.n_nodes:,} pixels"
        else:
            source = f"all {frame.n_nodes:,} pixels"
        self.learned.setText(f"States learned from {source}")
        milliseconds = 1000 * sum(frame.timings.values())
        clock = QTime.currentTime().toString("HH:mm:ss")
        self.refreshed.setText(f"Refreshed {clock}, in {milliseconds:.0f} ms")

    def show_busy(self, busy: bool) -> None:
        """Mark that a newer picture is on its way, if it takes long enough to be noticed."""
        self._busy = busy
        if busy:
            self._busy_timer.start()
        else:
            self._busy_timer.stop()
            self._draw_busy()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._draw_busy()

    def _draw_busy(self) -> None:
        color = self._theme.accent if self._busy else self._theme.muted
        text = "● computing" if self._busy else "○ up to date"
        self.mark.setText(f'<span style="color:{color}">{text}</span>')

    def _restore_notes(self) -> None:
        self.message.show_text(self._compiling or self._notes)
