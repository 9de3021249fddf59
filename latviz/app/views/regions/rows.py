"""The columns of the table of regions."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor, QIcon

from latviz.app.views.pixel.words import shares_text
from latviz.app.widgets.accessible_text import node_text
from latviz.app.widgets.buttons import chip
from latviz.app.widgets.tables import Column, Role, TableModel
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.region_table import SIZE_COLUMN, Listed, RegionNumber, numbers_of


class RegionRows(TableModel[int]):
    """The regions that are listed, each as its place in the list, the largest first."""

    def __init__(self) -> None:
        super().__init__((SIZE_COLUMN, Qt.SortOrder.DescendingOrder))
        self._listed: Listed | None = None

    def show_regions(self, frame: Frame, some: Listed, colors: Sequence[QColor]) -> None:
        """Take the regions of a frame, and the states' colours."""
        self._listed = some
        self.show_items(range(len(some.numbers)), columns_of(frame, some, colors))

    def node(self, row: int) -> tuple[int, ...]:
        """Return the first pixel of the region in a row."""
        assert self._listed is not None
        return tuple(self._listed.nodes[self.items[row]].tolist())

    def row_of_region(self, region: int) -> int:
        """Return the row of a region; -1 if it is not listed."""
        places = [] if self._listed is None else (self._listed.numbers == region).nonzero()[0]
        return self.row_of(int(places[0])) if len(places) else -1


def columns_of(frame: Frame, some: Listed, colors: Sequence[QColor]) -> tuple[Column[int], ...]:
    """Return the columns of the table of listed regions."""
    states, shades, seen = some.states.tolist(), some.colors, frame.observations
    chips: dict[str, Mapping[int, Callable[[int], QIcon]]] = {
        "Region": {Role.DecorationRole: lambda at: chip(QColor(*shades[at].tolist()), square=True)},
        "State": {Role.DecorationRole: lambda at: chip(colors[states[at]])},
    }

    def text(one: RegionNumber, at: int) -> str:
        value = one.values[at]
        if one.title == "State":
            return f"{value} {frame.names[value - 1]}".rstrip()
        if value is None:
            return digits.UNKNOWN
        return digits.bits(value) if isinstance(value, float) else digits.count(value)

    def place(at: int) -> str:
        first = tuple(some.nodes[at].tolist())
        return ", ".join(map(str, first)) if len(first) == 2 else node_text(first)

    def column(one: RegionNumber) -> Column[int]:
        key, cells = one.values.__getitem__, chips.get(one.title, {})
        return Column(one.title, partial(text, one), one.tip, key, is_number=True, cells=cells)

    # Regions are numbered in the order of their first pixels.
    first = f"First {frame.request.picture.node_name}"
    return (
        *map(column, numbers_of(some, frame)),
        Column(first, place, "Where it begins", some.numbers.tolist().__getitem__),
        Column(
            "Shares" if seen.discrete else f"Mean {', '.join(seen.names)}",
            lambda at: shares_text(frame, some.means[at]),
            "The shares of symbols in it"
            if seen.discrete
            else "The mean of each channel in it, in the picture's units or those of CIELAB",
            lambda at: int(shades[at].sum()),
        ),
    )
