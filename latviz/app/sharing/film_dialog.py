"""The dialog for a film: the moving parameter, its range, speed and size."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from PyQt6.QtCore import QLocale, QSignalBlocker, Qt
from PyQt6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QWidget,
)

from latviz import sharing
from latviz.app.panels.controls import ChoiceControl, LinkedControl, control_of
from latviz.app.shell.dialogs import answered, buttons_of
from latviz.app.widgets import layouts
from latviz.app.widgets.number_boxes import WholeBox, number_locale
from latviz.app.work.background import Background
from latviz.app.work.timers import once_after
from latviz.core.parameter import ParameterChoice, row_of, rows
from latviz.engine.films.film import MOVING, Film
from latviz.engine.settings.parameters import Parameters
from latviz.files.suffixes import FILMS

SOON_MS = 150
"""Pause after the last change before the size is estimated again."""
Estimate = Callable[[Film, str], "sharing.film_writing.Size"]
"""Returns the approximate size of a film in the format of a suffix."""
_FORMATS = (
    ParameterChoice(".gif", "gif", "GIF", "Every program plays it"),
    ParameterChoice(".webp", "webp", "WebP", "Smaller; browsers play it"),
)


def bytes_text(n_bytes: int) -> str:
    """Return the size of a file in words: "133.6 kB"."""
    return number_locale().formattedDataSize(n_bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


@dataclass(frozen=True)
class Wanted:
    """A film, and the suffix of its format."""

    film: Film = field(default_factory=Film)
    suffix: str = FILMS[0]


class FilmDialog(QDialog):
    """Asks for a film; `wanted` holds the settings."""

    # ``parameters`` and ``dimensions`` of the picture decide which parameters can move. Without an
    # ``estimate`` the size is not shown

    def __init__(
        self,
        parent: QWidget | None,
        wanted: Wanted,
        parameters: Parameters,
        dimensions: int,
        estimate: Estimate | None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export a film")
        self._estimate = estimate
        self._refused = {moving: Film(moving).refusal(parameters, dimensions) for moving in MOVING}
        film = wanted.film if not self._refused[wanted.film.moving] else Film()
        self.wanted = replace(wanted, film=film)
        self._background = Background(self)
        self._background.failed.connect(lambda failure: self._tell(failure.message))
        self._soon = once_after(SOON_MS, self._estimate_size, self)
        self._make_controls()
        self._lay_out()
        self._show_range()
        self._follow()

    def _make_controls(self) -> None:
        self.moving = ChoiceControl(tuple(map(self._choice, MOVING)), "What moves")
        self.moving.set_tool_tip("The parameter that changes; all others stay as they are")
        self.moving.set_value(self.wanted.film.moving)
        self.first, self.last = WholeBox(), WholeBox()
        for box, name in ((self.first, "First value"), (self.last, "Last value")):
            box.setAccessibleName(name)
            box.setToolTip(
                f"{name} of the film; the film runs backwards if the last value is lower"
            )
        self.format = ChoiceControl(_FORMATS, "Format")
        self.format.set_tool_tip("Both formats keep every colour")
        self.format.set_value(self.wanted.suffix)
        self.facts = QLabel()
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        self.facts.setAccessibleName("Length and size")
        self.moving.changed.connect(self._move_another)
        self.format.changed.connect(lambda suffix: self._set(suffix=suffix))
        self.first.valueChanged.connect(lambda value: self._set_film(first=value))
        self.last.valueChanged.connect(lambda value: self._set_film(last=value))

    def _choice(self, field: str) -> ParameterChoice:
        row = row_of(Parameters, field)
        return ParameterChoice(field, field, row.name, row.tip, self._refused[field])

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow("&Moves", self.moving)
        to = QLabel("&to")
        to.setBuddy(self.last)
        ends = layouts.row(self.first, to, self.last)
        ends.addStrut(0)
        ends.addStretch(1)
        label = QLabel("F&rom")
        label.setBuddy(self.first)
        form.addRow(label, ends)
        for row in rows(Film):
            label = QLabel(row.label)
            control = control_of(row, Film, label)
            control.changed.connect(lambda value, row=row: self._set_film(**{row.field: value}))
            assert not isinstance(control, LinkedControl)
            control.set_value(row.of(self.wanted.film))
            form.addRow(*([control] if row.bounds else [label, control]))
        form.addRow("F&ormat", self.format)
        standard = QDialogButtonBox.StandardButton
        buttons = buttons_of(self, standard.Save | standard.Cancel)
        layouts.column(form, self.facts, buttons, of=self, margins=None)
        self.setMinimumWidth(400)

    def _move_another(self, field: str) -> None:
        self._set_film(moving=field, first=None, last=None)
        self._show_range()

    def _show_range(self) -> None:
        """Limit both ends to the moving parameter's range, and show their values."""
        film = self.wanted.film
        low, high = row_of(Parameters, film.moving).bounds or (0, 0)
        for box, value in zip((self.first, self.last), film.ends, strict=True):
            with QSignalBlocker(box):
                box.setRange(int(low), int(high))
                box.setValue(value)

    def _set_film(self, **changes: Any) -> None:
        self._set(film=replace(self.wanted.film, **changes))

    def _set(self, **changes: Any) -> None:
        self.wanted = replace(self.wanted, **changes)
        self._follow()

    def _follow(self) -> None:
        """Show the length at once, and the size soon."""
        self._tell("")
        if self._estimate is not None:
            self._soon.start()

    def _tell(self, size: str) -> None:
        film = self.wanted.film
        count = len(film.values)
        frames = f"{count} frame{'s' if count > 1 else ''}"
        seconds = f"{count * film.milliseconds / 1000:.1f} s"
        self.facts.setText(", ".join(filter(None, (frames, seconds, size))))

    def _estimate_size(self) -> None:
        wanted, estimate = self.wanted, self._estimate
        assert estimate is not None

        def show(size: "sharing.film_writing.Size") -> None:
            if wanted == self.wanted:
                area = f"{size.width} × {size.height} pixels"
                self._tell(f"{area}, about {bytes_text(size.n_bytes)}")

        self._background.start(lambda: estimate(wanted.film, wanted.suffix), show)

    def done(self, result: int) -> None:
        """Close, and stop estimating."""
        self._soon.stop()
        self._background.finish()
        super().done(result)


def ask_film(
    parent: QWidget | None,
    wanted: Wanted,
    parameters: Parameters,
    dimensions: int,
    estimate: Estimate | None,
) -> Wanted | None:
    """Ask for a film, starting from the last settings; return None on Cancel."""
    dialog = FilmDialog(parent, wanted, parameters, dimensions, estimate)
    return dialog.wanted if answered(dialog) else None
