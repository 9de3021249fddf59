"""Formulas, typeset: sharp at any size, in the palette's colours, and text for screen readers."""

from collections import OrderedDict
from functools import partial

from PyQt6.QtCore import QByteArray, QEvent, QObject, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QPainter, QPaintEvent, QPalette
from PyQt6.QtSvg import QSvgRenderer
from PyQt6.QtWidgets import QLabel, QSizePolicy

from latviz.app.widgets.lifetimes import painting_on
from latviz.app.widgets.painting import pixel_size
from latviz.app.work.background import Background
from latviz.engine.explain.formulas import Formula

LARGER = 1.15
"""Ratio of a formula's letters to the text around it, for equal visual size."""
_SIZE = 24.0
"""The size that all are typeset in."""
_INK = b'"black"'
_KEPT = 2048
"""Formulas that are remembered."""
_RECOLOURED = (QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.FontChange)


def typeset(latex: str) -> bytes | None:
    """Return a formula as SVG in black, with its letters as outlines; takes about 40 ms.

    Returns b"" if it cannot be typeset, so that its words stay; None if that may be temporary.
    """
    try:
        import ziamath  # it takes 0.4 s to load, and most windows never show a formula
    except Exception:  # also if another thread imports it partly at the same time
        return None
    try:
        ziamath.config.svg2 = False  # Qt draws SVG 1.2 tiny
        return str(ziamath.Latex(latex, size=_SIZE).svg()).encode()
    except Exception:  # if a LaTeX parser fails in any way, words are shown
        return b""


class Typesetter(QObject):
    """Typesets formulas on another thread, each once."""

    ready = pyqtSignal(str)  # str: the LaTeX of a finished formula
    _known: "OrderedDict[str, bytes]" = OrderedDict()  # noqa: RUF012  (shared by all windows)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self)
        self._asked: set[str] = set()

    @classmethod
    def known(cls, latex: str) -> bytes | None:
        """Return a formula as SVG; None if it is not typeset yet."""
        return cls._known.get(latex)

    def ask(self, latex: str) -> None:
        """Typeset a formula, unless that was done or is under way."""
        if latex not in self._known and latex not in self._asked:
            self._asked.add(latex)
            self._background.start(partial(typeset, latex), partial(self._take, latex))

    def close(self) -> None:
        """Stop typesetting."""
        self._background.finish()

    def _take(self, latex: str, svg: bytes | None) -> None:
        self._asked.discard(latex)
        if svg is None:
            return
        self._known[latex] = svg
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        self.ready.emit(latex)


class FormulaLabel(QLabel):
    """A formula: in words until it is typeset, and always for screen readers.

    It is as large as the text around it, or smaller if it does not fit.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._formula: Formula | None = None
        self._renderer: QSvgRenderer | None = None
        self._typesetter: Typesetter | None = None

    def use(self, typesetter: Typesetter) -> None:
        """Set the typesetter of formulas; without one, only cached ones are typeset."""
        self._typesetter = typesetter
        typesetter.ready.connect(self._take)
        if self._formula is not None:
            typesetter.ask(self._formula.latex)

    @property
    def is_typeset(self) -> bool:
        """True if the formula is drawn, False if only its words are."""
        return self._renderer is not None

    def show_formula(self, formula: Formula) -> None:
        """Show another formula."""
        if formula == self._formula:
            return
        self._formula = formula
        self.setText(formula.words)
        self.setToolTip(formula.words)
        if self._typesetter is not None:
            self._typesetter.ask(formula.latex)
        self._load()

    def sizeHint(self) -> QSize:
        """Return the size of the formula, or of its words."""
        if self._renderer is None:
            return super().sizeHint()
        natural = self._renderer.viewBoxF().size() * self._scale
        return QSize(round(natural.width()) + 1, round(natural.height()) + 2)

    def minimumSizeHint(self) -> QSize:
        """Return a height that does not depend on the width."""
        return QSize(60, self.sizeHint().height() if self.is_typeset else 0)

    def hasHeightForWidth(self) -> bool:
        """Return True for words, which are wrapped."""
        return self._renderer is None

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Draw the formula from the left, as a vector graphic."""
        if self._renderer is None:
            super().paintEvent(event)
            return
        natural = self._renderer.viewBoxF().size() * self._scale
        fits = min(1.0, self.width() / max(1.0, natural.width()))
        drawn = natural * fits
        with painting_on(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            top = (self.height() - drawn.height()) / 2
            self._renderer.render(painter, QRectF(0, top, drawn.width(), drawn.height()))

    def changeEvent(self, event: QEvent | None) -> None:
        """Follow the colour and the size of text."""
        super().changeEvent(event)
        if event is not None and event.type() in _RECOLOURED:
            self._load()

    @property
    def _scale(self) -> float:
        return LARGER * pixel_size(self.font()) / _SIZE

    def _take(self, latex: str) -> None:
        if self._formula is not None and latex == self._formula.latex:
            self._load()

    def _load(self) -> None:
        """Draw the typeset formula, if any, in the colour of text."""
        svg = None if self._formula is None else Typesetter.known(self._formula.latex)
        self._renderer = None
        if svg:
            ink = self.palette().color(QPalette.ColorRole.WindowText).name()
            colored = svg.replace(_INK, f'"{ink}"'.encode())
            self._renderer = QSvgRenderer(QByteArray(colored), self)
        self.updateGeometry()
        self.update()
