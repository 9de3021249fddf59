"""The results of images as a table, which is sorted by any column."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QColor, QFont

from latviz.app.gallery.thumbnails import Thumbnails
from latviz.app.look.theme import LIGHT, Theme
from latviz.app.widgets.buttons import chip
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.tables import AT_RIGHT, Column, Role, TableModel, styled
from latviz.core import digits
from latviz.engine.pictures.shelf import Shelf
from latviz.wings.many import results
from latviz.wings.many.window.classes import Classes
from latviz.wings.many.window.survey import Survey

_LEFT_OUT = ("n_states", "window", "seconds")
"""Columns omitted from the table: the same for all images, or the duration."""
_SHARE = "share_"

Cells = dict[int, Callable[[int], Any]]


class ImageRows(TableModel[int]):
    """A row for each file of the shelf, also for those without results yet."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.measures: tuple[results.record.RecordColumn, ...] = ()
        """Columns of measures, after the names."""
        self._shelf: Shelf | None = None
        self._survey: Survey
        self._classes: Classes
        self.thumbnails: Thumbnails
        self._names: Sequence[str] = ()
        self._records: dict[str, results.record.Record] = {}
        self._fresh: frozenset[str] = frozenset()

    def begin(self, survey: Survey, classes: Classes, thumbnails: Thumbnails) -> None:
        """Take results, classes, and why files cannot be read, from there."""
        self._survey, self._classes, self.thumbnails = survey, classes, thumbnails

    def refresh(self, shelf: Shelf | None) -> None:
        """Show the results so far."""
        self._shelf, survey = shelf, self._survey
        self._records, self._fresh = dict(survey.records), frozenset(survey.fresh)
        records = list(self._records.values())
        there = results.record.columns_of(records) if records else ()
        self.measures = tuple(column for column in there if column.name not in _LEFT_OUT)
        self._names = survey.names
        if shelf is None:
            self.show_items((), ())
        else:
            self.show_items(range(len(shelf.entries)), self._columns(shelf, survey.colors()))

    def _columns(self, shelf: Shelf, colors: Sequence[int]) -> list[Column[int]]:
        """Return columns for names and found classes, and one for each measure, at least one."""
        entries = shelf.entries
        looks: Cells = {
            Role.ToolTipRole: lambda place: as_tip(self.reason(place) or entries[place].path),
            Role.ForegroundRole: self._color,
            Role.FontRole: self._font,
        }
        columns = [
            Column("Image", self._name, key=lambda place: place, cells=looks),
            *self._class_columns(shelf, looks),
        ]
        for k, measure in enumerate(self.measures or (None,)):
            columns.append(self._column(measure, k == 0, colors, looks))
        return columns

    def _column(
        self,
        measure: "results.record.RecordColumn | None",
        is_first: bool,
        colors: Sequence[int],
        looks: Cells,
    ) -> Column[int]:
        """Return the column of a measure; the first one shows why a file has no numbers."""

        def text(place: int) -> str:
            if (reason := self.reason(place)) or self.record(place) is None:
                return (reason or "…") if is_first else ""
            value = None if measure is None else self.value(place, measure)
            return "–" if measure is None or value is None else text_of(measure, value)

        cells: Cells = {**looks, Role.TextAlignmentRole: self._side}
        cells |= {Role.SizeHintRole: self._least} if is_first else {}
        if measure is None:
            return Column("", text, cells=cells)
        state = _state_of(measure)
        icon = chip(QColor(colors[state])) if state is not None and state < len(colors) else None
        key = partial(self.value, column=measure)
        return Column(self.title(measure), text, measure.tip, key, icon=icon, cells=cells)

    def _side(self, place: int) -> Qt.AlignmentFlag | None:
        """Return the side of a number; a reason is at the other one."""
        return None if self.reason(place) else AT_RIGHT

    def _least(self, place: int) -> QSize | None:
        """Return a small size for a reason, which has the room of all numbers."""
        return QSize(1, 1) if self.reason(place) else None

    def _name(self, place: int) -> str:
        """Return the name of a file of the shelf, after its class if it has one."""
        assert self._shelf is not None
        entry = self._shelf.entries[place]
        own = self._classes.known.get(entry.path)
        return entry.name if own is None else f"{own}/{entry.name}"

    def _class_columns(self, shelf: Shelf, looks: Cells) -> Iterator[Column[int]]:
        """Yield the columns of found classes and their posteriors, if there are some."""
        found = self._classes.found
        if found is None:
            return
        lost = {one.path: one.reason for one in found.failures}
        paths = [entry.path for entry in shelf.entries]
        each = {k: found.each[path] for k, path in enumerate(paths) if path in found.each}

        def tip(place: int) -> str:
            path = paths[place]
            return as_tip(each[place].in_words if place in each else lost.get(path, path))

        def color(place: int) -> QColor | None:
            if place in each:
                return None if each[place].is_right else self.theme.color("bad")
            return self.theme.color("muted")

        def posterior(place: int) -> float | None:
            return each[place].posterior if place in each else None

        yield Column(
            "Class",
            lambda place: each[place].text if place in each else self.reason(place) or "–",
            "The class that models find which did not learn from the image. If it is wrong, the "
            "folder's follows after ≠",
            lambda k: found.together.classes.index(each[k].name) if k in each else None,
            cells={
                **looks,
                Role.ToolTipRole: tip,
                Role.ForegroundRole: color,
                Role.SizeHintRole: self._least,
            },
        )
        yield Column(
            "Posterior",
            lambda place: digits.probability(posterior(place)),
            "The probability of this class, given the image",
            posterior,
            cells={**looks, Role.TextAlignmentRole: self._side},
        )

    def _color(self, place: int) -> QColor | None:
        """Return grey for an unreadable file and for results of an older model."""
        assert self._shelf is not None
        fresh = self._shelf.entries[place].path in self._fresh
        return None if fresh and not self.reason(place) else self.theme.color("muted")

    def _font(self, place: int) -> QFont | None:
        assert self._shelf is not None
        return styled(bold=True) if place == self._shelf.shown else None

    def move(self, shelf: Shelf) -> None:
        """Show another file of the same shelf as the one on screen."""
        before, self._shelf = self._shelf, shelf
        self.repaint(shelf.shown, *(() if before is None else (before.shown,)))

    def record(self, place: int) -> "results.record.Record | None":
        """Return the record of a file of the shelf."""
        entry = None if self._shelf is None else self._shelf.entries[place]
        return None if entry is None else self._records.get(entry.path)

    def value(self, place: int, column: "results.record.RecordColumn") -> float | None:
        """Return a number of a file of the shelf; None if it has no such number."""
        record = self.record(place)
        value = None if record is None else column.of(record)
        return None if value is None or math.isnan(value) else float(value)

    def reason(self, place: int) -> str:
        """Return why a file of the shelf has no results, or nothing."""
        if self._shelf is None:
            return ""
        return self.thumbnails.failures.get(self._shelf.entries[place].path, "")

    def title(self, column: "results.record.RecordColumn") -> str:
        """Return the title of a column; that of a state has the state's name."""
        state = _state_of(column)
        named = state is not None and state < len(self._names) and self._names[state]
        return f"{column.title} ({named})" if named else column.title


def text_of(column: "results.record.RecordColumn", value: float) -> str:
    """Return a number of a column as text."""
    is_share = column.name.startswith(_SHARE) or column.name == "accuracy"
    return digits.share(value) if is_share else digits.signed(value, column.decimals)


def _state_of(column: "results.record.RecordColumn") -> int | None:
    """Return the state whose share is in a column, from 0."""
    name = column.name.removeprefix(_SHARE)
    return int(name) - 1 if name != column.name else None
