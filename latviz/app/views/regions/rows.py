"""The columns of the table of regions."""

from collections.abc import Callable, Sequence
from typing import Any

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor

from latviz.app.views.pixel.words import shares_text
from latviz.app.widgets.accessible_text import node_text
from latviz.app.widgets.chip import chip
from latviz.app.widgets.tables import Column, Role, TableModel
from latviz.core import digits
from latviz.core.types import Counts, Floats
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.region_table import SIZE_COLUMN, Listed, size_words

_EVIDENCE_TIP = (
    "How many more bits both regions need with one distribution than with two; if it is below 0, "
    "one is better"
)
_CONTRAST_TIP = (
    "How much signatures differ across the border, from 0 to 1, minus how much they do inside the "
    "regions"
)


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
    node, numbers, states = frame.request.picture.node_name, some.numbers, some.states.tolist()
    shades, nearest, strengths = some.colors, some.nearest.tolist(), some.strengths.tolist()
    has_evidence, words = some.measure == "evidence", size_words(frame)

    def number(
        name: str, tip: str, values: Counts | Floats, start: int = 0, **more: Any
    ) -> Column[int]:
        known = values.tolist()
        text, key = (lambda at: f"{known[at] + start:,}"), known.__getitem__
        return Column(name, **{"text": text, "tip": tip, "key": key, "is_number": True} | more)

    def state(at: int) -> str:
        return f"{states[at] + 1} {frame.names[states[at]]}".rstrip()

    def place(at: int) -> str:
        first = tuple(some.nodes[at].tolist())
        return ", ".join(map(str, first)) if len(first) == 2 else node_text(first)

    def if_any(text: Callable[[int], str]) -> Callable[[int], str]:
        return lambda at: "–" if nearest[at] < 0 else text(at)

    return (
        number(
            "Region",
            f"The number of the region, in the order of first {node}s; its chip shows their mean "
            "colour",
            numbers,
            start=1,
            cells={Role.DecorationRole: lambda at: chip(QColor(*shades[at].tolist()), square=True)},
        ),
        number(words.size, f"How many {node}s it has", some.areas),
        number(words.outline, words.counted.format(node=node), some.perimeters),
        number(
            "State",
            f"The state of most of its {node}s",
            some.states,
            text=state,
            cells={Role.DecorationRole: lambda at: chip(colors[states[at]])},
        ),
        number("Neighbours", "How many regions it has a border with", some.neighbours),
        number(
            "Nearest",
            f"The neighbour with the least {some.measure} of a border",
            some.nearest,
            text=if_any(lambda at: f"{nearest[at] + 1:,}"),
            key=lambda at: None if nearest[at] < 0 else nearest[at],
        ),
        number(
            some.measure.capitalize(),
            _EVIDENCE_TIP if has_evidence else _CONTRAST_TIP,
            some.strengths,
            text=if_any(lambda at: digits.bits(strengths[at])),
        ),
        # Regions are numbered in the order of their first pixels.
        Column(f"First {node}", place, "Where it begins", numbers.__getitem__),
        Column(
            "Shares"
            if frame.observations.discrete
            else f"Mean {', '.join(frame.observations.names)}",
            lambda at: shares_text(frame, some.means[at]),
            "The shares of symbols in it"
            if frame.observations.discrete
            else "The mean of each channel in it, in the picture's units or those of CIELAB",
            lambda at: int(shades[at].sum()),
        ),
    )
