"""How far learning from all signatures is, and the buttons to stop it and to ask for it."""

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from latviz.app.activity import Activity
from latviz.app.timers import once_after

SHOWN_AFTER_MS = 400


class LearningBar(QWidget):
    """Empty while learning is short; then a bar with "Cancel"; after that, "Learn from all".

    Signals
    -------
    declined, wanted
        A person pressed "Cancel"; a person pressed "Learn from all".
    """

    declined = pyqtSignal()
    wanted = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setFixedWidth(110)
        self.bar.setFormat("%p %")
        self.bar.setAccessibleName("Learning from all signatures")
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Keep the states that were learned from the sample")
        self.learn = QPushButton("Learn from all")
        self.learn.setToolTip("Learn the states from the signatures of all pixels")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for part in (self.bar, self.cancel, self.learn):
            part.hide()
            layout.addWidget(part)
        self.cancel.setProperty("small", True)
        self.learn.setProperty("small", True)
        self.cancel.clicked.connect(self.declined)
        self.learn.clicked.connect(self.wanted)
        self._timer = once_after(SHOWN_AFTER_MS, lambda: self._show_learning(True), self)

    def show_activity(self, activity: Activity) -> None:
        """Show how far learning is, if it is under way."""
        self.bar.setValue(round(100 * activity.fraction))
        self.learn.setVisible(activity.work == "declined")
        if activity.work != "learning":
            self._timer.stop()
            self._show_learning(False)
        elif self.bar.isHidden() and not self._timer.isActive():
            self._timer.start()

    def _show_learning(self, there: bool) -> None:
        self.bar.setVisible(there)
        self.cancel.setVisible(there)
