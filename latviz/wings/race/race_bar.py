"""A strip across the window: the progress of each method and the scores of its labels."""

import time
from typing import NamedTuple

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtWidgets import QGridLayout, QLabel, QProgressBar, QSizePolicy, QStackedLayout, QWidget

from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.shortcuts import keyed
from latviz.app.widgets.title_controls import embolden
from latviz.app.work.activity import percent_done
from latviz.core import digits
from latviz.engine.frames.kept import CURRENT, REFERENCE
from latviz.wings.race.scores import Labelled, LabellingScore

TICK_MS = 100
COLUMNS = (
    ("Time", "Time of the method itself, without starting it"),
    (
        "Energy",
        "Cost of the observations in their states, and of unequal neighbours, in nats "
        "(lower is better)",
    ),
    ("Agrees", "Share of pixels that agree with the map that was on screen (states matched)"),
    ("Accuracy", "Share of pixels with their true state (states matched)"),
)
UNKNOWN = "–"
WAITING = "…"
_GAP, _BAR_WIDTH, _BAR_HEIGHT = 12, 84, 14


class _Row(NamedTuple):
    """The cells of one line; while it runs, a bar stands in place of its time."""

    name: QLabel
    cells: tuple[QLabel, ...]
    bar: QProgressBar
    place: QStackedLayout

    def run(self, fraction: float | None) -> None:
        """Show the progress; None: it does not run."""
        self.place.setCurrentIndex(0 if fraction is None else 1)
        self.bar.setValue(percent_done(fraction or 0.0))


class RaceBar(QWidget):
    """The lines of a method, of belief, and of the map on screen then."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("strip", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.title = ElidedLabel()
        tip = keyed("Cancel the method, and keep the map on screen (`Esc`)")
        self.cancel = small_button("Cancel", tip, "Cancel the race")
        self._grid = QGridLayout()
        self.heads = tuple(self._head(k) for k in range(len(COLUMNS)))
        self.method, self.belief, self.shown = (
            self._row(line, *names)
            for line, names in enumerate(
                ((REFERENCE, ""), ("", "Belief"), (CURRENT, "On screen then")), 1
            )
        )
        self._lay_out()
        self._begun: float | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self.hide()

    def begin(self, title: str) -> None:
        """Show that a method is to run: belief runs first."""
        self._name(title)
        for row in (self.method, self.belief, self.shown):
            self._fill(row, None, WAITING)
        self.belief.run(0.0)
        self.title.show_text(f"{title} and belief in the same problem")
        self._timer.stop()
        self._begun = None
        self.method.run(None)
        self.method.bar.setFormat("")
        self.cancel.show()
        self.show()

    def show_belief(self, belief: LabellingScore, shown: LabellingScore) -> None:
        """Show that belief is done, and that the method runs now."""
        self._fill(self.belief, belief)
        self._fill(self.shown, shown)
        self.belief.run(None)
        self.method.run(0.0)
        self.title.show_text(f"Belief is done; {self.method.name.text()} runs")

    def show_fraction(self, fraction: float) -> None:
        """Show the progress of the running one."""
        if self.belief.place.currentIndex() == 1:
            self.belief.run(fraction)
            return
        if self._begun is None:
            self._begun = time.monotonic()
            self._timer.start()
        self.method.run(fraction)

    def show_scores(self, found: Labelled | None) -> None:
        """Show the scores of a finished race; None hides them."""
        self._timer.stop()
        self._begun = None
        self.setVisible(found is not None)
        if found is None:
            return
        self._name(found.by)
        scores = found.own, found.belief, found.shown
        for row, score in zip((self.method, self.belief, self.shown), scores, strict=True):
            row.run(None)
            self._fill(row, score)
        self._set_off_the_best(scores)
        self.cancel.hide()
        self.title.show_text(summary(found))

    def _name(self, title: str) -> None:
        self.method.name.setText(title)
        self.method.bar.setAccessibleName(f"Progress of {title}")
        self.belief.bar.setAccessibleName("Progress of belief")

    def _fill(self, row: _Row, score: LabellingScore | None, unknown: str = UNKNOWN) -> None:
        for cell, text in zip(row.cells, _texts(score, unknown), strict=True):
            cell.setText(text)
            embolden(cell, False)

    def _set_off_the_best(self, scores: tuple[LabellingScore, ...]) -> None:
        """Set the least time and energy, and the highest accuracy, in bold."""
        rows = self.method, self.belief, self.shown
        for column, values in (
            (0, [score.seconds for score in scores]),
            (1, [score.energy for score in scores]),
            (3, [None if score.accuracy is None else -score.accuracy for score in scores]),
        ):
            least = min((value for value in values if value is not None), default=None)
            for row, value in zip(rows, values, strict=True):
                embolden(row.cells[column], value is not None and value == least)

    def _tick(self) -> None:
        if self._begun is not None:
            seconds = time.monotonic() - self._begun
            known = self.method.bar.value() > 0  # some methods never report progress
            self.method.bar.setFormat(f"{seconds:.1f} s, %p %" if known else f"{seconds:.1f} s")

    def _head(self, column: int) -> QLabel:
        text, tip = COLUMNS[column]
        label = QLabel(text)
        label.setProperty("muted", True)
        label.setToolTip(tip)
        self._grid.addWidget(label, 0, column + 2, Qt.AlignmentFlag.AlignRight)
        return label

    def _row(self, line: int, letter: str, title: str) -> _Row:
        name, cells = QLabel(title), tuple(QLabel(UNKNOWN) for _ in COLUMNS)
        bar, holder = QProgressBar(), QWidget()
        bar.setRange(0, 100)
        bar.setFormat("%p %")
        bar.setFixedSize(_BAR_WIDTH, _BAR_HEIGHT)
        place = QStackedLayout(holder)
        place.setContentsMargins(0, 0, 0, 0)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for cell, (_, tip) in zip(cells, COLUMNS, strict=True):
            cell.setAlignment(right)
            cell.setToolTip(tip)
        place.addWidget(cells[0])
        place.addWidget(bar)
        self._grid.addWidget(QLabel(letter), line, 0)
        self._grid.addWidget(name, line, 1)
        self._grid.addWidget(holder, line, 2)
        for column, cell in enumerate(cells[1:], start=3):
            self._grid.addWidget(cell, line, column)
        return _Row(name, cells, bar, place)

    def _lay_out(self) -> None:
        self._grid.setHorizontalSpacing(_GAP)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnMinimumWidth(0, self.fontMetrics().horizontalAdvance(REFERENCE))
        row = layouts.row(self.cancel, 1)
        left = layouts.column(self.title, row, 1)
        layouts.row(self._grid, (left, 1), of=self, margins=(8, 4, 8, 4), spacing=8)


def summary(found: Labelled) -> str:
    """Return the result of a race, in words."""
    own, belief = found.own.seconds, found.belief.seconds
    if own is None or not belief:
        return f"{found.by} and belief in the same problem"
    if own < belief:
        return f"{found.by} took {own / belief:.2f} of belief's time"
    return f"{found.by} took {own / belief:.0f} times as long as belief"


def _texts(score: LabellingScore | None, unknown: str) -> tuple[str, ...]:
    if score is None:
        return (unknown,) * len(COLUMNS)
    return (
        UNKNOWN if score.seconds is None else seconds_text(score.seconds),
        digits.measure(score.energy),
        digits.share(score.agreement),
        UNKNOWN if score.accuracy is None else digits.share(score.accuracy),
    )


def seconds_text(seconds: float) -> str:
    """Return a time in milliseconds, or in seconds from one second on."""
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
