"""The log-likelihood and the terms it is made of."""

import math

from PyQt6.QtCore import QPointF, QRectF, QSize
from PyQt6.QtGui import QFont, QFontMetricsF, QPainter, QResizeEvent
from PyQt6.QtWidgets import QSizePolicy, QWidget

from latviz.app.views.likelihood.parts import Summary, fill, segments, summary
from latviz.app.views.painted import PaintedView
from latviz.app.widgets import layouts
from latviz.app.widgets import painting as p
from latviz.app.widgets.elided import ElidedLabel, WrappedLabel, as_tip
from latviz.engine.frames.frame import Frame

_LARGE, _BAR, _KEY, _SPACING = 1.6, 15, 8, 3
_GAP = 6
"""Pixels between the columns of the table."""
_LEFT = _KEY + _GAP
UNNORMALISED = "unnormalised"
HINT = "Smoothing above 0 gives every symbol and pair a little probability."
TIP = (
    "The log-likelihood is not a probability: over all images it does not sum to 1, and the "
    "missing part depends on the settings. So do not compare it between settings.\nThe prediction "
    "error can be compared. It is how many bits an observation costs if the rest of its window "
    "determines its state, plus the cost of the parameters. Lower is better. Next to it is the "
    "cost without states."
)
_TEMPLATES = "−00.00", "−0,000,000"
"""Numbers that columns keep room for, so that no digit moves them."""


class _Part(p.Painted):
    """A painted part of fixed height, with texts from the summary."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.shown: Summary | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_summary(self, shown: Summary) -> None:
        """Show the summary of another frame."""
        self.shown = shown
        self.update()


class Headline(_Part):
    """The total, large, with its unit; a warning if it is minus infinity."""

    def sizeHint(self) -> QSize:
        """Return the size of a line."""
        return QSize(150, int(p.text_height(self._large)))

    @property
    def _large(self) -> QFont:
        return p.scaled(self.font(), _LARGE, bold=True)

    def paint_all(self, painter: QPainter) -> None:
        """Paint the number, and as much of its unit as fits."""
        if self.shown is None:
            return
        large, unit, x = self._large, p.scaled(self.font()), 0.0
        color = self.theme.color("warning" if self.shown.trouble else "text")
        if self.shown.trouble:
            mark = round(0.5 * self.height())
            place = QRectF(0, (self.height() - mark) / 2, mark, mark)
            p.draw_mark(painter, place, False, color)
            x = mark + 6.0
        number, words = self.shown.headline.split(" ", 1)
        base = QFontMetricsF(large).ascent()
        painter.setFont(large)
        painter.setPen(color)
        painter.drawText(QPointF(x, base), number)
        x += p.text_width(large, number) + 6
        painter.setFont(unit)
        painter.setPen(self.theme.color("muted"))
        texts = f"{words}, {UNNORMALISED}", f"bits, {UNNORMALISED}", UNNORMALISED, "bits"
        painter.drawText(QPointF(x, base), p.fitting(unit, self.width() - x, *texts))


class TermsBar(_Part):
    """The stacked bar, from the lowest of its stretches to the highest, over its ticks."""

    has_ticks = True

    def show_ticks(self, shown: bool) -> None:
        """Show or hide the ticks."""
        if self.has_ticks != shown:
            self.has_ticks = shown
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size of the bar, and of a line if there are ticks."""
        return QSize(150, _BAR + (int(p.text_height(self.font())) if self.has_ticks else 0))

    def paint_all(self, painter: QPainter) -> None:
        """Paint the stretches, a thin line at 0 and a thick one at the total."""
        if self.shown is None or not (parts := segments(self.shown)):
            return
        low = min(0.0, *(part.start for part in parts))
        high = max(0.0, *(part.stop for part in parts))

        def at(bits: float) -> float:
            return (bits - low) / (high - low)

        def x(bits: float) -> int:
            return round(1 + at(bits) * (self.width() - 2))

        for part in parts:
            left, right = x(part.start), x(part.stop)
            fill(painter, QRectF(left, 3, right - left, _BAR - 6), part.term, self.theme)
        text, total = self.theme.color("text"), self.shown.total.bits
        painter.fillRect(QRectF(x(0.0), 0, 1, _BAR), text)
        painter.fillRect(QRectF(x(total) - 1, 0, 3, _BAR), text)
        painter.setPen(self.theme.color("muted"))
        ends = [(at(total), (self.shown.bits_texts[-1],)), (at(0.0), ("0",))]
        below = QRectF(0, _BAR, self.width(), self.height() - _BAR)
        if self.has_ticks:
            p.draw_ticks(painter, below, ends, p.scaled(self.font()))


class TermsTable(_Part):
    """The terms with their numbers in bits, and in nats if there is room; the last is the total."""

    # It is painted: labels in a grid would lay out the view again for each new number

    def sizeHint(self) -> QSize:
        """Return the size of its rows."""
        return QSize(p.LEAST, math.ceil(5 * self._row))

    def show_summary(self, shown: Summary) -> None:
        """Show the terms of another frame."""
        super().show_summary(shown)
        self.setAccessibleName(". ".join(" ".join(row) for row in self.rows()[1:]))

    def rows(self) -> list[tuple[str, ...]]:
        """Return the texts of rows: a name, as much as fits, bits, nats; the first is the head."""
        if self.shown is None:
            return []
        columns = self._columns(self.shown)
        room = self.width() - _LEFT - sum(self._wide(column) + _GAP for column in columns)
        fonts = [p.scaled(self.font(), bold=term is self.shown.total) for term in self.shown.terms]
        fitted = zip(fonts, self.shown.terms, strict=True)
        names = "", *(p.fitting(font, room, *term.names) for font, term in fitted)
        return list(zip(names, *columns, strict=True))

    def tip_at(self, position: QPointF) -> str | None:
        """Return the whole name of a term that is cut."""
        rows, place = self.rows(), int(position.y() // self._row)
        if self.shown is None or not 0 < place < len(rows):
            return None
        whole = self.shown.terms[place - 1].names[0]
        return whole if rows[place][0] != whole else None

    def paint_all(self, painter: QPainter) -> None:
        """Paint the colours of the bar, names and numbers; columns end at their right."""
        if self.shown is None:
            return
        rows, wide = self.rows(), [self._wide(column) for column in self._columns(self.shown)]
        for k, (name, *numbers) in enumerate(rows):
            painter.setFont(p.scaled(self.font(), bold=k == len(rows) - 1))
            painter.setPen(self.theme.color("text" if k else "muted"))
            line = QRectF(0, k * self._row, self.width(), self._row)
            painter.drawText(line.adjusted(_LEFT, 0, 0, 0), p.LEFT, name)
            for number, width in zip(reversed(numbers), reversed(wide), strict=True):
                painter.drawText(line, p.RIGHT, number)
                line.setRight(line.right() - width - _GAP)
            if 0 < k <= len(self.shown.terms) - 1 and not self.shown.trouble:
                key = QRectF(0, line.center().y() - _KEY / 2, _KEY, _KEY)
                fill(painter, key, k - 1, self.theme)

    @property
    def _row(self) -> float:
        return p.text_height(p.scaled(self.font(), bold=True)) + 1

    def _columns(self, shown: Summary) -> list[tuple[str, ...]]:
        """Return the columns of numbers that there is room for, each with the text above it."""
        bits, nats = (f"bits / {shown.node}", *shown.bits_texts), ("nats", *shown.nats_texts)
        bold = p.scaled(self.font(), bold=True)
        least = 1.7 * sum(p.text_width(bold, template) for template in _TEMPLATES)
        return [bits, nats] if self.width() >= least else [bits]

    def _wide(self, column: tuple[str, ...]) -> float:
        """Return the width of a column: that of its longest text, or of a usual number."""
        *others, total = column
        plain, bold = (p.scaled(self.font(), bold=is_bold) for is_bold in (False, True))
        widths = [p.text_width(bold, text) for text in (total, _TEMPLATES[column[0] == "nats"])]
        return max(*widths, *(p.text_width(plain, text) for text in others))


def _show(part: QWidget, is_shown: bool) -> None:
    """Show or hide a part; avoid a new layout if nothing changes."""
    if part.isHidden() == is_shown:
        part.setVisible(is_shown)


class LikelihoodView(PaintedView):
    """The log-likelihood in bits per pixel and nats, split into its terms."""

    TITLE = "Log-likelihood"
    NEEDS = frozenset({"evaluation", "code_lengths"})

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(0, 0)  # that of the layout
        self.headline, self.bar = Headline(self), TermsBar(self)
        self.code, self.note = ElidedLabel(self), ElidedLabel(self)
        self.trouble, self.hint = WrappedLabel(self), WrappedLabel(self)
        self.table = TermsTable(self)
        for label in (self.note, self.hint):
            label.setProperty("muted", True)
        pad = int(p.PAD)
        layout = layouts.column(of=self, margins=(pad, pad, pad, pad), spacing=_SPACING)
        above = self.headline, self.code, self.trouble, self.hint
        self._parts = *above, self.bar, self.table, self.note
        for part in self._parts:
            layout.addWidget(part)
        layout.addStretch(1)

    def in_words(self, frame: Frame) -> str:
        """Return the total, why it is minus infinity if it is, and the code length."""
        shown = summary(frame)
        if shown is None:
            return "Computing."
        code = f"{shown.code[0]}." if shown.code else ""
        parts = f"{shown.headline}, {UNNORMALISED}.", shown.trouble, code
        return " ".join(part for part in parts if part)

    def tip_at(self, _position: QPointF) -> str | None:
        """Return the tip on comparable values."""
        return as_tip(TIP)

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """Show that it is being computed, if it is; the parts paint themselves."""
        if frame.evaluation is None:
            p.draw_waiting(painter, QRectF(self.rect()), self.waiting, self.theme)

    def draw_frame(self) -> None:
        """Show the total and its terms."""
        assert self.frame is not None
        shown = summary(self.frame)
        if shown is None or self.headline.isHidden():  # else only its parts change
            self.update()
        for part in (self.headline, self.code, self.table):
            _show(part, shown is not None)
        for label in (self.trouble, self.hint):
            _show(label, shown is not None and bool(shown.trouble))
        _show(self.bar, shown is not None and bool(segments(shown)))
        if shown is None:
            self.note.hide()
            return
        for drawn in (self.headline, self.bar, self.table):
            drawn.show_summary(shown)
        self.code.show_text(*(shown.code or ("Prediction error …", "…")))
        self.note.show_text(*shown.notes)
        if shown.trouble:
            self.trouble.show_text(shown.trouble)
            self.hint.show_text(HINT)
        self._fit()

    def draw_theme(self) -> None:
        """Take other colours."""
        for part in (self.headline, self.bar, self.table):
            part.apply_theme(self.theme)
        self.update()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Omit parts that do not fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Omit the note, and then the ticks, if the rest would not fit."""
        line = int(p.text_height(self.font()))
        shown = [part for part in self._parts if not part.isHidden() and part is not self.note]
        needed = sum(part.sizeHint().height() + _SPACING for part in shown) + 2 * int(p.PAD)
        needed -= line if self.bar.has_ticks and not self.bar.isHidden() else 0
        self.bar.show_ticks(needed + line <= self.height())
        needed += line + _SPACING + self.note.sizeHint().height()
        _show(self.note, needed <= self.height())
