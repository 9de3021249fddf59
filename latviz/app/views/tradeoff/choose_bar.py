"""The buttons that choose N and w, their progress, and a sentence with the reason."""

from functools import partial

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QProgressBar, QPushButton, QWidget

from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.shortcuts import MAIN, with_keys
from latviz.app.work.activity import percent_done
from latviz.app.work.timers import once_after
from latviz.engine.choosing.tradeoff import Chosen

SHOWN_AFTER_MS = 500
_MARGIN, _GAP = 8, 6
BUTTONS = (
    ("w", "Choose w", "Set the w that predicts left-out pixels best, with this N"),
    ("N", "Choose N", "Set the N whose states all improve prediction, with this w"),
    ("both", "Choose both", "Set the N and w that predict left-out pixels best"),
)


class ChooseBar(QWidget):
    """Three buttons; "Cancel" and a bar once choosing takes long; a line of text."""

    wanted = pyqtSignal(str)  # choose "w", "N" or "both"
    declined = pyqtSignal()  # "Cancel" was pressed

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        self.text, self.rule = ElidedLabel(), ElidedLabel()
        self.rule.setProperty("muted", True)
        layout = layouts.row(spacing=_GAP)
        layouts.column(layout, self.text, of=self, margins=(_MARGIN, 4, _MARGIN, 2), spacing=2)
        for what, text, tip in BUTTONS:
            button = small_button(text, with_keys(tip, MAIN[text]))
            button.clicked.connect(partial(self.wanted.emit, what))
            layout.addWidget(button)
            self.buttons[what] = button
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setFixedWidth(110)
        self.progress.setFormat("%p %")
        self.progress.setAccessibleName("Choosing")
        self.cancel = small_button(
            "Cancel", "Cancel, and leave N and w as they are", "Cancel choosing"
        )
        self.cancel.clicked.connect(self.declined)
        for part in (self.progress, self.cancel):
            part.hide()
        layouts.filled(layout, self.progress, self.cancel, (self.rule, 1), margins=None)
        self._choosing, self._filling = False, ""
        self.is_silent = False
        self._show("", "")
        self._timer = once_after(SHOWN_AFTER_MS, lambda: self._show_choosing(True), self)

    def least_width(self) -> int:
        """Return the width of the three buttons, with the gaps around them."""
        names = sum(button.sizeHint().width() for button in self.buttons.values())
        return names + len(self.buttons) * _GAP + 2 * _MARGIN

    def show_choosing(self, fraction: float | None) -> None:
        """Show the progress of choosing, if it takes long; None: done."""
        self.progress.setValue(percent_done(fraction or 0.0))
        if self._choosing != (fraction is not None):
            self._choosing = fraction is not None
            self._show_filling()
        if fraction is None:
            self._timer.stop()
            self._show_choosing(False)
        elif self.progress.isHidden() and not self._timer.isActive():
            self._timer.start()

    def show_chosen(self, chosen: Chosen) -> None:
        """Show the choice, its reason and its rule."""
        self._show(chosen.sentence, chosen.rule)

    def show_filling(self, fraction: float | None) -> None:
        """Show the progress of the trade-off unless a choice is shown; None: not started."""
        if fraction is None:
            self._filling = ""
            self._show("", "")
        elif not self.text.whole_text():
            filling = f"{percent_done(fraction)} % of the settings are computed"
            self._filling = filling if fraction < 1 else ""
            self._show_filling()

    def show_asked(self, asked: bool) -> None:
        """Withhold the choice while a lesson asks."""
        self.is_silent = asked
        self.text.setVisible(bool(self.text.whole_text()) and not asked)
        self.rule.setVisible(not asked)

    def show_preparing(self) -> None:
        """Explain why the first time takes longer."""
        self._show("", "Compiling code for the trade-off: about ten seconds, once…")

    def _show_filling(self) -> None:
        """Show the progress of the trade-off, but not next to the bar of choosing."""
        if not self.text.whole_text():
            self.rule.show_text("" if self._choosing else self._filling)

    def _show(self, sentence: str, rule: str) -> None:
        self.text.show_text(sentence)
        self.rule.show_text(rule)
        self.show_asked(self.is_silent)

    def _show_choosing(self, there: bool) -> None:
        self.progress.setVisible(there)
        self.cancel.setVisible(there)
