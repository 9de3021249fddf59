"""The confusion of labels and states, or of classes, over all images, as a table."""

from typing import Any

from PyQt6.QtGui import QColor

from latviz.app.look.theme import LIGHT, Theme, legible_on
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.tables import Column, Role, TableModel
from latviz.core import digits
from latviz.wings.many import results


class ConfusionRows(TableModel[int]):
    """A row for each label, with the shares of its pixels by state, or of its images by class."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.found: results.tables.Together | None = None

    def show_found(self, found: "results.tables.Together | None") -> None:
        """Show another confusion, or none."""
        self.found = found
        if found is None:
            self.show_items((), ())
            return
        totals = found.table.sum(axis=1).tolist()
        columns = (
            Column[int](
                "Label" if found.unit == "pixels" else "Class",
                lambda row: found.classes[row],
                key=lambda row: row,
            ),
            Column(
                found.unit.capitalize(),
                lambda row: digits.count(totals[row]),
                key=totals.__getitem__,
                is_number=True,
            ),
            *(self._share(found, column) for column in range(len(found.columns))),
        )
        self.show_items(range(len(found.classes)), columns)

    def _share(self, found: "results.tables.Together", column: int) -> Column[int]:
        """Return the share of each label in a state or class: the more of a label, the darker."""
        name, counts = found.columns[column], found.table[:, column].tolist()
        are_pixels = found.unit == "pixels"
        what = f"in {name}" if are_pixels else f"classified as {name}"
        shares = (found.table[:, column] / found.table.sum(axis=1).clip(min=1)).tolist()

        def ground(row: int) -> QColor:
            return QColor(*self.theme.heat_table()[round(255 * shares[row])].tolist())

        def tip(row: int) -> str:
            own = found.classes[row]
            return as_tip(f"{found.unit.capitalize()} of {own} {what}: {counts[row]:,}")

        cells: dict[int, Any] = {
            Role.ToolTipRole: tip,
            Role.BackgroundRole: ground,
            Role.ForegroundRole: lambda row: legible_on(ground(row)),
        }
        title = name[0].upper() + name[1:] if are_pixels else name
        return Column(
            title,
            lambda row: digits.share(shares[row]),
            key=shares.__getitem__,
            is_number=True,
            cells=cells,
        )
