"""Cards of the learned classes, side by side: B, A and indices."""

from typing import NamedTuple

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from latviz import collection
from latviz.app.benches.classes.matrix import MatrixHeat
from latviz.app.look.theme import LIGHT, Theme, on_panel
from latviz.app.widgets import layouts
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.title_controls import embolden, muted
from latviz.core import digits
from latviz.core.data.label_names import in_order
from latviz.core.model.models import DiscreteModel, Model
from latviz.core.types import Matrix
from latviz.engine.indices import INDICES, value_text

WIDTH = 250
"""Of a card, in pixels."""
_NOTHING = "Nothing is learned yet. Open a data set and press Train."
NONE = "–"


class CardLine(NamedTuple):
    """A number of a card: its title, its text, its tip, and why it is not known if it is not."""

    title: str
    text: str
    tip: str
    unknown: str

    @property
    def tool_tip(self) -> str:
        """The tip, and why the number is not known."""
        return f"{self.tip}.\n{self.unknown}" if self.text == NONE else self.tip


def lines_of(one: "collection.classes.LearnedClass", prior: float | None) -> list[CardLine]:
    """Return the numbers of a class: its indices, its prior and its number of images."""
    unread = "Unknown: no readable image of the class is open"
    measured = ((INDICES[name], value) for name, value in one.indices.items())
    return [
        *(
            CardLine(row.title, value_text(value, row.needed), row.tip, unread)
            for row, value in measured
        ),
        CardLine(
            "Prior",
            digits.probability(prior),
            "How probable the class is before an image is seen",
            "All classes share these states",
        ),
        CardLine(
            "Images",
            digits.count(one.n_images) if one.n_images else NONE,
            "How many images were learned from",
            "Unknown for a loaded classifier; a head learns from all classes together",
        ),
    ]


class ClassCard(QFrame):
    """The model of one class."""

    def __init__(
        self,
        one: "collection.classes.LearnedClass",
        prior: float | None,
        scales: tuple[float, float],
    ) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setMinimumWidth(WIDTH)
        self.setMaximumWidth(2 * WIDTH)
        model = one.of.model
        self.title, name = ElidedLabel(), one.name or f"All classes: {one.encoding}"
        self.title.show_text(name)
        embolden(self.title, True)
        is_discrete = isinstance(model, DiscreteModel)
        what, column = ("B", "symbol") if is_discrete else ("means", "channel")
        self.emissions = MatrixHeat(f"{name}: {what}", column)
        self.adjacency = MatrixHeat(f"{name}: A", "state")
        self.emissions.show_values(_emissions(model), scales[0], signed=not is_discrete)
        self.adjacency.show_values(model.A, scales[1])
        lines = lines_of(one, prior)
        self.indices = {line.title: line.text for line in lines}
        self.numbers: dict[str, QLabel] = {}
        means = "Means of each state, as the model sees them"
        self._lay_out("B: symbols of each state" if is_discrete else means, lines)

    def _lay_out(self, emissions: str, lines: list[CardLine]) -> None:
        heads = muted(emissions), muted("A: neighbours of each state")
        maps = (heads[0], self.emissions, heads[1], self.adjacency)
        rows = layouts.column(self.title, *maps, of=self, margins=(10, 8, 10, 8))
        grid = QGridLayout()
        for row, line in enumerate(lines):
            head, number = muted(line.title), QLabel(line.text)
            for label in (head, number):
                label.setToolTip(line.tool_tip)
            self.numbers[line.title] = number
            grid.addWidget(head, row, 0)
            grid.addWidget(number, row, 1, Qt.AlignmentFlag.AlignRight)
        rows.addLayout(grid)
        rows.addStretch(1)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.emissions.apply_theme(theme)
        self.adjacency.apply_theme(theme)


class Cards(QScrollArea):
    """The cards of all classes in a row; colours mean the same in all."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Models of the classes")
        self.cards: list[ClassCard] = []
        self._theme = LIGHT
        self.show_outcome(None)

    def show_outcome(self, outcome: "collection.classes.ClassOutcome | None") -> None:
        """Show the learned classes, or a hint before learning."""
        inner = QWidget()
        row = layouts.row(of=inner, margins=(4, 8, 4, 8))
        self.cards = []
        if outcome is None:
            nothing = muted(_NOTHING)
            nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
            row.addWidget(nothing)
        else:
            self.cards = _cards(outcome)
            for card in self.cards:
                card.apply_theme(self._theme)
                row.addWidget(card, 1)
            row.addStretch(0)
        self.setWidget(on_panel(inner))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for card in self.cards:
            card.apply_theme(theme)


def _emissions(model: Model) -> Matrix:
    """Return B, or the mean of each state."""
    return np.asarray(model.B if isinstance(model, DiscreteModel) else model.means)


def _cards(outcome: "collection.classes.ClassOutcome") -> list[ClassCard]:
    models = [one.of.model for one in outcome.learned]
    most = max(float(np.abs(_emissions(model)).max()) for model in models)
    scales = most, max(float(model.A.max()) for model in models)
    if outcome.classifier.fitted.head is not None:  # its states are those of all classes
        return [ClassCard(one, None, scales) for one in outcome.learned]
    priors = outcome.classifier.priors_.tolist()
    each = {one.name: (one, prior) for one, prior in zip(outcome.learned, priors, strict=True)}
    return [ClassCard(*each[name], scales) for name in in_order(each)]
