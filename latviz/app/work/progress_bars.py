"""Bars in the status line: progress of long work, with buttons to cancel or start it."""

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from latviz.app.work.activity import Activity, percent_done
from latviz.app.work.timers import once_after

SHOWN_AFTER_MS = 400
"""Shorter work is not shown."""
GAP = 6


class CancelBar(QWidget):
    """Empty unless something takes long; then a bar with "Cancel"."""

    cancelled = pyqtSignal()

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setFixedWidth(110)
        self.bar.setFormat("%p %")
        self.cancel = QPushButton("Cancel")
        self.cancel.setProperty("small", True)
        self.set_name(name, tip)
        self.cancel.clicked.connect(self.cancelled)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addWidget(self.bar)
        layout.addWidget(self.cancel)
        self.hide()
        self._timer = once_after(SHOWN_AFTER_MS, self.show, self)

    def set_name(self, name: str, tip: str) -> None:
        """Set the name of the long work, and the effect of cancelling it."""
        self.bar.setAccessibleName(name)
        self.bar.setToolTip(name)
        self.cancel.setAccessibleName(f"Cancel {name[0].lower()}{name[1:]}")
        self.cancel.setToolTip(tip)

    def show_fraction(self, fraction: float | None) -> None:
        """Show the progress, if it takes long; None: done."""
        self.bar.setRange(0, 100)
        self.bar.setValue(percent_done(fraction or 0.0))
        if fraction is None:
            self._timer.stop()
            self.hide()
        elif self.isHidden() and not self._timer.isActive():
            self._timer.start()

    def show_busy(self) -> None:
        """Show at once that work is running, without a percentage."""
        self.bar.setRange(0, 0)
        self.show()


_UNDER_WAY = {
    "learning": (
        "Learning from all signatures",
        "Cancel, and keep the states learned from the sample",
    ),
    "decoding": ("Decoding", "Cancel, and return to the parameters of what is on screen"),
}
"""By activity: the name of the bar, and the effect of "Cancel"."""


class LearningBar(QWidget):
    """Empty while work is short; then a bar with "Cancel"; after learning, "Learn from all"."""

    declined = pyqtSignal()  # "Cancel" was pressed
    wanted = pyqtSignal()  # "Learn from all" was pressed

    def __init__(self) -> None:
        super().__init__()
        self.under_way = CancelBar(*_UNDER_WAY["learning"])
        self.learn = QPushButton("Learn from all")
        self.learn.setToolTip("Learn the states from the signatures of all pixels")
        self.learn.setProperty("small", True)
        self.learn.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addWidget(self.under_way)
        layout.addWidget(self.learn)
        self.under_way.cancelled.connect(self.declined)
        self.learn.clicked.connect(self.wanted)

    def least_height(self) -> int:
        """Return its height with all parts visible."""
        return max(self.under_way.sizeHint().height(), self.learn.sizeHint().height())

    def show_activity(self, activity: Activity) -> None:
        """Show the progress of learning or decoding."""
        self.learn.setVisible(activity.work == "declined")
        if activity.work in _UNDER_WAY:
            self.under_way.set_name(*_UNDER_WAY[activity.work])
            self.under_way.show_fraction(activity.fraction)
        else:
            self.under_way.show_fraction(None)
