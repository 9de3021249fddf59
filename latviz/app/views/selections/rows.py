"""The table of selections: the highlight, and those kept under a name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PyQt6.QtGui import QColor, QIcon

from latviz.app.selections.keeper import why_not
from latviz.app.widgets.chip import chip
from latviz.app.widgets.elided import as_tip
from latviz.app.widgets.tables import AT_RIGHT, Column, Role, styled
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.selection_table import Statistics, described
from latviz.engine.geometry.selection import Kept, Selection

LIT_NOW = "Highlight"
_MOST_STATES = 4
"""States whose shares fit into a cell."""


@dataclass(frozen=True, eq=False)
class SelectionRow:
    """A selection; ``kept`` if it has a name, ``found`` if it means something in the picture."""

    selection: Selection
    kept: Kept | None
    found: Statistics | None

    @property
    def name(self) -> str:
        """The name of the selection."""
        return LIT_NOW if self.kept is None else self.kept.name


def rows_of(frame: Frame) -> list[SelectionRow]:
    """Return the kept selections, with the highlight first unless it is one of them."""
    request, known = frame.request, {kept.name: found for kept, found in described(frame)}
    rows = [SelectionRow(kept.selection, kept, known.get(kept.name)) for kept in request.kept]
    lit, found = request.selection, frame.results.get("selection_statistics")
    if lit is not None and all(kept.selection != lit for kept in request.kept):
        return [SelectionRow(lit, None, found), *rows]
    return rows


def columns_of(frame: Frame, colors: Sequence[QColor]) -> tuple[Column[SelectionRow], ...]:
    """Return the columns of the table; unknown values are a dash."""
    node, picture = frame.request.picture.node_name, frame.request.picture.name

    def column(
        title: str,
        text: Callable[[SelectionRow], str],
        tip: str,
        role: int = Role.TextAlignmentRole,
        cell: Callable[[SelectionRow], Any] = lambda _: AT_RIGHT,
    ) -> Column[SelectionRow]:
        """Return a column of numbers, or with another role; its tips state problems."""

        def tip_of(row: SelectionRow) -> str:
            lost = row.kept if row.found is None else None
            return as_tip(text(row) if lost is None else f"It {why_not(lost, picture)}")

        return Column(title, text, tip, cells={Role.ToolTipRole: tip_of, role: cell})

    def known(found: Callable[[Statistics], Any]) -> Callable[[SelectionRow], Any]:
        return lambda row: found(row.found) if row.found and row.found.n_nodes else "–"

    def mark(found: Callable[[Statistics], QIcon]) -> Callable[[SelectionRow], Any]:
        return lambda row: found(row.found) if row.found and row.found.n_nodes else None

    return (
        column(
            "Name",
            lambda row: row.name,
            f"Its name; click to highlight its {node}s",
            Role.FontRole,
            lambda row: styled(italic=True) if row.kept is None else None,
        ),
        column(
            f"{node[0].upper()}{node[1:]}s",
            lambda row: "–" if row.found is None else digits.count(row.found.n_nodes),
            f"How many {node}s it has",
        ),
        column(
            "Share",
            known(lambda found: digits.share(found.share)),
            f"Their share of all {node}s of the picture",
        ),
        column(
            "Colour",
            known(lambda found: ", ".join(map(str, found.color or ()))),
            f"The mean colour of its {node}s on screen: red, green and blue, 0 to 255",
            Role.DecorationRole,
            mark(lambda found: chip(QColor(*found.color or ()), square=True)),
        ),
        column(
            "Bits",
            known(lambda found: digits.bits(found.bits)),
            f"The mean log-likelihood of its {node}s, in bits (higher: the model explains them "
            "better)",
        ),
        column(
            "States",
            known(lambda found: states_text(frame, found)),
            f"The share of its {node}s in each state, the largest first",
            Role.DecorationRole,
            mark(lambda found: chip(colors[int(found.states.argmax())])),
        ),
        column("From", known(lambda found: _corner(found, 0)), "Where the box around them begins"),
        column("To", known(lambda found: _corner(found, 1)), "Where the box around them ends"),
    )


def _corner(found: Statistics, end: int) -> str:
    """Return a corner of a box; of all but images slices and positions are counted from 1."""
    box = found.box or ()
    return ", ".join(f"{at[end] + (k == 0 and len(box) != 2):,}" for k, at in enumerate(box))


def states_text(frame: Frame, found: Statistics) -> str:
    """Return the shares of the states that most nodes of a selection are in."""
    order = [int(k) for k in (-found.states).argsort(kind="stable") if found.states[k]]
    parts = [f"{frame.label(k)}: {digits.share(found.states[k], found.n_nodes)}" for k in order]
    return ", ".join(parts if len(parts) <= _MOST_STATES else [*parts[: _MOST_STATES - 1], "…"])
