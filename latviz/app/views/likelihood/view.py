"""The log-likelihood and the terms it is made of."""

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt
from PyQt6.QtGui import QFont, QFontMetricsF, QPainter, QResizeEvent
from PyQt6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from latviz.app.look.theme import Theme
from latviz.app.views.likelihood.parts import Summary, fill, segments, summary
from latviz.app.views.painted import PaintedView
from latviz.app.widgets import layouts
from latviz.app.widgets import painting as p
from latviz.app.widgets.elided import ElidedLabel, WrappedLabel, as_tip
from latviz.app.widgets.title_controls import muted
from latviz.engine.frames.frame import Frame

_LARGE, _BAR, _KEY, _SPACING = 1.6, 15, 8, 3
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


class TermKey(p.Painted):
    """The colour of a term in the bar."""

    def __init__(self, parent: QWidget, term: int) -> None:
        super().__init__(parent)
        self._term, self._is_shown = term, True
        self.setFixedSize(_KEY, _KEY)

    def show_for(self, has_bar: bool) -> None:
        """Show it if there is a bar."""
        self._is_shown = has_bar
        self.update()

    def paint_all(self, painter: QPainter) -> None:
        """Fill it as the bar is filled."""
        if self._is_shown:
            fill(painter, QRectF(self.rect()), self._term, self.theme)


class TermsTable(QWidget):
    """The terms with their numbers in bits, and in nats if there is room; the last is the total."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.keys = [TermKey(self, term) for term in range(3)]
        self.names = [ElidedLabel(self) for _ in range(4)]
        self.columns = [[muted(""), *(QLabel() for _ in range(4))] for _ in _TEMPLATES]
        bold = p.scaled(self.font(), bold=True)
        for label in (self.names[-1], *(column[-1] for column in self.columns)):
            label.setFont(bold)
        self._widths = [int(p.text_width(bold, template)) for template in _TEMPLATES]
        self._grid = QGridLayout(self)
        self._lay_out()

    def _lay_out(self) -> None:
        grid = self._grid
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        for row, key in enumerate(self.keys):
            grid.addWidget(key, 1 + row, 0)
        for row, name in enumerate(self.names):
            grid.addWidget(name, 1 + row, 1)
        grid.setColumnMinimumWidth(2, self._widths[0])
        for place, column in enumerate(self.columns):
            for row, label in enumerate(column):
                grid.addWidget(label, row, 2 + place, Qt.AlignmentFlag.AlignRight)

    def show_summary(self, shown: Summary) -> None:
        """Show the terms."""
        bits, nats = self.columns
        for column, texts in (
            (bits, (f"bits / {shown.node}", *shown.bits_texts)),
            (nats, ("nats", *shown.nats_texts)),
        ):
            for label, text in zip(column, texts, strict=True):
                label.setText(text)
        for name, term in zip(self.names, shown.terms, strict=True):
            name.show_text(*term.names)
        for key in self.keys:
            key.show_for(not shown.trouble)

    def minimumSizeHint(self) -> QSize:
        """Ask for no room for the nats."""
        return QSize(p.LEAST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Leave out the nats if names would have no room."""
        super().resizeEvent(event)
        has_nats = self.width() >= 1.7 * sum(self._widths)
        self._grid.setColumnMinimumWidth(3, self._widths[1] if has_nats else 0)
        for label in self.columns[1]:
            label.setVisible(has_nats)

    def apply_theme(self, theme: Theme) -> None:
        """Take other colours."""
        for key in self.keys:
            key.apply_theme(theme)


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
        for part in (self.headline, self.code, self.table):
            _show(part, shown is not None)
        for label in (self.trouble, self.hint):
            _show(label, shown is not None and bool(shown.trouble))
        _show(self.bar, shown is not None and bool(segments(shown)))
        self.update()
        if shown is None:
            self.note.hide()
            return
        for drawn in (self.headline, self.bar, self.table):
            drawn.show_summary(shown)
        self.code.show_text(*(shown.code or ("Prediction error …", "…")))
        self.note.show_text(*shown.notes)
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
        self.bar.has_ticks = needed + line <= self.height()
        self.bar.updateGeometry()
        needed += line + _SPACING + self.note.sizeHint().height()
        _show(self.note, needed <= self.height())
