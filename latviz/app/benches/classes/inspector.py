"""One image: its posteriors, and a map of the evidence for one class against another."""

from functools import partial
from pathlib import Path

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import QComboBox, QLabel, QWidget

from latviz import collection
from latviz.app.benches.bench_window import MAP_KEYS
from latviz.app.benches.classes.drawn import DrawnMaps, Wish, draw
from latviz.app.benches.classes.images import class_colors
from latviz.app.benches.classes.matrix import MatrixHeat, against_table, class_table
from latviz.app.look.theme import LIGHT, Theme
from latviz.app.panels.controls import ChoiceControl
from latviz.app.widgets import layouts
from latviz.app.widgets import painting as p
from latviz.app.widgets.buttons import button
from latviz.app.widgets.elided import ElidedLabel, WrappedLabel
from latviz.app.widgets.lens import Lens
from latviz.app.widgets.map_panel import MapPanel
from latviz.app.widgets.number_boxes import WholeBox
from latviz.app.widgets.painting import Painted
from latviz.app.work.background import Background
from latviz.core import digits
from latviz.core.types import Floats

_ROW, _COLUMN = 30.0, 230.0
"""The room of a posterior, in pixels."""
MOST_ROWS = 4
AT_ONCE = 1 << 19
"""Pixels of maps that are drawn at once; larger ones are prepared on another thread."""
LEFT_S = 2.0
MOST_RADIUS = 64
"""Pixels to each side that maps are averaged over, at most."""
MOST_CHOICE = 200
"""Greatest width of the choice of a class, in pixels; its tool tip and list have the full text."""


class PosteriorBars(Painted):
    """The posterior of each class, a bar each; or the contributions of states to a logit."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.values: list[float] = []
        self.truth: int | None = None
        self.setAccessibleName("Posteriors")

    def sizeHint(self) -> QSize:
        """Return the size it has by default."""
        return QSize(int(_COLUMN), int(_ROW * min(MOST_ROWS, max(1, len(self.values)))) + 4)

    def show_values(self, names: list[str], values: list[float], truth: int | None) -> None:
        """Show posteriors, in the order of the classes."""
        self.names, self.values, self.truth = names, values, truth
        said = (f"{name}: {digits.share(v)}" for name, v in zip(names, values, strict=True))
        own = "" if truth is None else f". True class: {names[truth]}"
        self.setAccessibleDescription(f"{', '.join(said)}{own}.")
        self.setFixedHeight(self.sizeHint().height())
        self.setMaximumWidth(int(_COLUMN) * max(1, -(-len(values) // MOST_ROWS)))
        self.update()

    def row(self, k: int) -> QRectF:
        """Return the room of a class; they go down in columns."""
        column, row = divmod(k, MOST_ROWS)
        n_columns = max(1, -(-len(self.values) // MOST_ROWS))
        wide = min(_COLUMN, self.width() / n_columns)
        return QRectF(column * wide + 2, 2 + row * _ROW, wide - 14, _ROW)

    def tip_at(self, position: QPointF) -> str | None:
        """Return a posterior."""
        for k, (name, value) in enumerate(zip(self.names, self.values, strict=True)):
            if self.row(k).contains(position):
                return f"P({name} | image) = {digits.probability(value)}"
        return None

    def paint_all(self, painter: QPainter) -> None:
        """Paint a name, a number and a bar for each class."""
        colors = class_colors(self.names)
        most = max(self.values, default=0.0)
        for k, (name, value) in enumerate(zip(self.names, self.values, strict=True)):
            room = self.row(k)
            line = QRectF(room.left(), room.top(), room.width(), room.height() - 8)
            font = p.scaled(self.font(), bold=value == most)
            painter.setFont(font)
            number = digits.share(value)
            painter.setPen(self.theme.color("text"))
            painter.drawText(line, p.RIGHT, number)
            own = f"{name} (true)" if k == self.truth else name
            left = line.adjusted(0, 0, -p.text_width(font, number) - 6, 0)
            metrics = painter.fontMetrics()
            text = metrics.elidedText(own, Qt.TextElideMode.ElideMiddle, int(left.width()))
            painter.setPen(self.theme.color("good" if k == self.truth else "text"))
            painter.drawText(left, p.LEFT, text)
            bar = QRectF(room.left(), room.bottom() - 8, room.width(), 5)
            painter.fillRect(bar, self.theme.color("line"))
            bar.setWidth(value * bar.width())
            painter.fillRect(bar, colors[k])


class ImageInspector(QWidget):
    """An image with its posteriors and maps of its score under two classes."""

    opened = pyqtSignal(str)  # path of the image to open in the main window

    def __init__(self) -> None:
        super().__init__()
        self.title, self.said = ElidedLabel(), WrappedLabel()
        self.said.setProperty("muted", True)
        self.first, self.second = ChoiceControl((), "For"), ChoiceControl((), "Against")
        self.first.set_tool_tip("The class whose colour marks the pixels that favour it")
        self.second.set_tool_tip("The class that it is compared with, shown in its own colour")
        self.radius = WholeBox()
        self.radius.setRange(0, MOST_RADIUS)
        self.radius.setAccessibleName("Average")
        self.radius.setPrefix("± ")
        self.radius.setToolTip(
            "Average the maps over this many pixels to each side, to show regions. Sums do not "
            "change."
        )
        self.open = button("Open in the main window", "Show the image in the main window")
        self.photo = MapPanel("Image", "The image as it is in its file")
        self.one = MapPanel("Score", "What each pixel adds to the log score of the first class")
        self.other = MapPanel("Score", "What each pixel adds to the log score of the second class")
        self.difference = MapPanel(
            "Difference", "The first minus the second: which class each pixel favours"
        )
        self.bars, self.nothing, self.reason = PosteriorBars(), WrappedLabel(), WrappedLabel()
        self.evidence = MatrixHeat("What each state adds to the logit of each class", "class")
        self.lens = Lens()
        self._theme = LIGHT
        self._data: collection.classes.ClassSet | None = None
        self._outcome: collection.classes.ClassOutcome | None = None
        self._look: collection.classes.ClassLook | None = None
        self._drawn: DrawnMaps | None = None
        self._background = Background(self)
        self._lay_out()
        self.first.activated.connect(lambda _: self._draw())
        self.second.activated.connect(lambda _: self._draw())
        self.radius.valueChanged.connect(lambda _: self._draw())
        self.open.clicked.connect(self.open_image)
        self.show_look(None, None, None)

    @property
    def panels(self) -> tuple[MapPanel, ...]:
        """The image and the maps."""
        return self.photo, self.one, self.other, self.difference

    def _lay_out(self) -> None:
        self._head = QWidget()
        head = layouts.row((self.title, 1), of=self._head)
        self._labels = QLabel("A&verage"), QLabel("F&or"), QLabel("A&gainst")
        self._choices = self.radius, self.first, self.second
        for label, box in zip(self._labels, self._choices, strict=True):
            label.setBuddy(box)
            box.setMinimumWidth(60 if box is self.radius else 90)
            if isinstance(box, QComboBox):  # Qt would keep the width it has without classes
                box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
                box.setMaximumWidth(MOST_CHOICE)
            head.addWidget(label)
            head.addWidget(box)
        head.addWidget(self.open)
        self._body = QWidget()
        row = layouts.row(of=self._body, spacing=8)
        for panel in self.panels:
            row.addWidget(panel, 1)
            panel.canvas.share(self.lens)
            panel.canvas.hovered.connect(self.point_at)
        self._instead = QWidget()
        layouts.column(self.reason, self.evidence, 1, of=self._instead)
        row.addWidget(self._instead, 3)
        self._foot = QWidget()
        layouts.row((self.bars, 3), (self.said, 2), of=self._foot)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for label in (self.nothing, self.reason):
            label.setProperty("muted", True)
        parts = (self._head, (self._body, 1), (self.nothing, 1), self._foot)
        layouts.column(*parts, of=self, margins=(0, 4, 0, 0))

    def say_nothing(self, text: str) -> None:
        """Show a hint if there is no image."""
        self.nothing.show_text(text)

    def show_look(
        self,
        data: "collection.classes.ClassSet | None",
        outcome: "collection.classes.ClassOutcome | None",
        look: "collection.classes.ClassLook | None",
    ) -> None:
        """Show an image, or a hint; the classes are the predicted and the true one.

        If the prediction is right, the other class is the runner-up.
        """
        self._data, self._outcome, self._look, self._drawn = data, outcome, look, None
        for part in (self._head, self._body, self._foot):
            part.setVisible(look is not None)
        self.nothing.setVisible(look is None)
        if data is None or outcome is None or look is None:
            return
        self._offer(outcome.classes)
        self._show_posteriors(data, outcome, look)
        self.photo.canvas.set_shape(look.colours.shape[:2])
        self.photo.layer.show_plane(look.colours)
        self._draw()

    def _offer(self, classes: list[str]) -> None:
        for box in (self.first, self.second):
            with QSignalBlocker(box):
                box.clear()
                for k, name in enumerate(classes):
                    box.addItem(name, k)

    def _show_posteriors(
        self,
        data: "collection.classes.ClassSet",
        outcome: "collection.classes.ClassOutcome",
        look: "collection.classes.ClassLook",
    ) -> None:
        name, label = data.images[look.index].path.name, data.labels[look.index]
        truth = outcome.classes.index(label) if label in outcome.classes else None
        row = outcome.posteriors_of(look.index)
        if row is None:
            first, second = 0, 1
            self.title.show_text(f"{name}: {label}, used for learning")
            self.bars.hide()
        else:
            order = np.argsort(-row, kind="stable").tolist()
            first = order[0]
            second = truth if truth is not None and truth != first else order[1]
            told = outcome.classes[first]
            verdict = "correctly" if first == truth else "wrongly"
            self.title.show_text(f"{name}: {label}, {verdict} classified as {told}")
            self.bars.show_values(outcome.classes, row.tolist(), truth)
            self.bars.show()
        self.first.setCurrentIndex(first)
        self.second.setCurrentIndex(second)

    def _draw(self) -> None:
        """Draw the maps of both classes and their difference."""
        look, outcome = self._look, self._outcome
        if look is None or outcome is None:
            return
        has_maps = look.maps is not None
        for part in (*self.panels[1:], *self._labels, *self._choices):
            part.setVisible(has_maps)
        self._instead.setVisible(not has_maps)
        self.evidence.setVisible(look.evidence is not None)
        if look.maps is None:
            self.said.show_text("")
            self.reason.show_text(look.reason)
            if look.evidence is not None:
                self.evidence.show_values(look.evidence.T, heads=outcome.classes, signed=True)
            return
        maps, wish = look.maps, self._wish()
        if maps[0].size <= AT_ONCE:
            self._show(look, draw(maps, wish))
        else:
            self._background.start(lambda: draw(maps, wish), partial(self._show, look))

    def _wish(self) -> Wish:
        return Wish(self.first.currentIndex(), self.second.currentIndex(), self.radius.value())

    def _show(self, look: "collection.classes.ClassLook", drawn: DrawnMaps) -> None:
        """Show maps, unless the request has changed."""
        if look is not self._look or drawn.wish != self._wish() or self._outcome is None:
            return
        self._drawn = drawn
        one, other = (self._outcome.classes[k] for k in (drawn.wish.first, drawn.wish.second))
        low, high = (digits.bits(end) for end in drawn.ends)
        every = class_colors(self._outcome.classes)
        colors = every[drawn.wish.first], every[drawn.wish.second]
        table = against_table(self._theme, *colors)
        size = digits.bits(drawn.most)
        for panel, plane, name, total, color in (
            (self.one, drawn.first, one, drawn.totals[0], colors[0]),
            (self.other, drawn.second, other, drawn.totals[1], colors[1]),
        ):
            heat = class_table(self._theme, color)
            panel.show_plane(plane, heat)
            panel.key.show_names(heat, (low, f"{high} nats"), self._theme)
            _entitle(panel, f"Under {name} · {digits.nats(total)}", "")
        self.difference.show_plane(drawn.difference, table)
        self.difference.key.show_names(table, (f"−{size}", f"+{size} nats"), self._theme)
        title = f"{one} − {other} · {digits.gain(drawn.gap)}"
        _entitle(self.difference, title, f" Each class has its colour: {one} is first.")
        self.said.show_text(summary(drawn, self._outcome, look.index))

    def point_at(self, node: tuple[int, int] | None) -> None:
        """Show a pixel's evidence, and mark it in the image and in all maps."""
        look, outcome = self._look, self._outcome
        if look is None or outcome is None:
            return
        for panel in self.panels:
            if node is None:
                panel.canvas.clear_mark()
            else:
                row, column = node
                panel.canvas.mark(slice(row, row + 1), slice(column, column + 1), node)
        if node is not None and look.maps is not None:
            wish = self._wish()
            text = at_pixel(look.maps, outcome.classes, node, wish.first, wish.second)
            self.said.show_text(text)
        elif self._drawn is not None:
            self.said.show_text(summary(self._drawn, outcome, look.index))

    def open_image(self) -> None:
        """Ask for the image in the main window."""
        if self._data is not None and self._look is not None:
            self.opened.emit(str(Path(self._data.images[self._look.index].path)))

    def finish(self) -> None:
        """Prepare nothing more, because the window closes."""
        self._background.finish(seconds=LEFT_S)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for panel in self.panels:
            panel.canvas.draw_theme(theme)
        self.bars.apply_theme(theme)
        self.evidence.apply_theme(theme)
        self._draw()


def summary(drawn: DrawnMaps, outcome: "collection.classes.ClassOutcome", index: int) -> str:
    """Return the totals of two classes over a whole image, given by its index."""
    heat = outcome.classifier_of(index).temperature_
    one, other = (outcome.classes[k] for k in (drawn.wish.first, drawn.wish.second))
    return (
        f"{digits.share(drawn.share)} of the pixels favour “{one}”. Evidence against “{other}”: "
        f"{digits.gain(drawn.gap)} nats, {digits.gain(drawn.gap / heat)} after calibration "
        f"(temperature {digits.measure(heat)})"
    )


def _entitle(panel: MapPanel, title: str, more: str) -> None:
    """Set a map's title, also as its accessible name."""
    panel.title.setText(title)
    panel.canvas.setAccessibleName(title)
    panel.canvas.setAccessibleDescription(f"{title} nats in all.{more} {MAP_KEYS}")


def at_pixel(maps: Floats, classes: list[str], node: tuple[int, int], a: int, b: int) -> str:
    """Return the contributions of a pixel to the scores of two classes."""
    first, second = float(maps[a][node]), float(maps[b][node])
    return (
        f"Row {node[0]}, column {node[1]}: {digits.bits(first)} under {classes[a]}, "
        f"{digits.bits(second)} under {classes[b]}, difference {digits.gain(first - second)} nats"
    )
