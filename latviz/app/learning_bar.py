"""How far learning from all signatures is, and the buttons to stop it and to ask for it."""

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from latviz.app.activity import Activity
from latviz.app.cancel_bar import GAP, CancelBar


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
        tip = "Keep the states that were learned from the sample"
        self.under_way = CancelBar("Learning from all signatures", tip)
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

    def show_activity(self, activity: Activity) -> None:
        """Show how far learning is, if it is under way."""
        self.learn.setVisible(activity.work == "declined")
        self.under_way.show_fraction(activity.fraction if activity.work == "learning" else None)
