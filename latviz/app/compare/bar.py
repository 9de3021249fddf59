"""A strip across the main window that compares the reference with the current map."""

from typing import NamedTuple, get_args

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QButtonGroup, QSizePolicy, QWidget

from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.widgets.shortcuts import keyed
from latviz.core import digits
from latviz.core.parameter import rows
from latviz.engine.frames.frame import Agreement, Frame
from latviz.engine.frames.requests import CURRENT, REFERENCE
from latviz.engine.settings.state import Comparison, Display

TITLES: dict[Comparison, tuple[str, str]] = {
    "split": (
        "Split",
        "Reference left and current map right of a divider. Drag it, or press , and .",
    ),
    "flicker": ("Flicker", "Switch between reference and current with X"),
    "difference": (
        "Difference",
        "Only the pixels whose states differ. Click one to highlight all that changed in the same "
        "way",
    ),
}
NO_EFFECT = "–"
SAME = "Reference and current have the same parameters"
FOLLOWS = "= "
"""Before the name of the parameter that a value follows."""


class ComparedRow(NamedTuple):
    """A parameter, and its values in the reference and in the current map."""

    name: str
    a: str
    b: str

    @property
    def differs(self) -> bool:
        """True if the two maps have different values."""
        return self.a != self.b


class CompareBar(QWidget):
    """The way of comparing two maps, their agreement, and the parameters that differ."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("strip", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.ways = {kind: small_button(*TITLES[kind]) for kind in get_args(Comparison)}
        self._group = QButtonGroup(self)
        self.swap = small_button(
            "Swap",
            keyed(
                "Use the parameters of the reference, and make the current map the reference "
                "(`Undo` undoes it)"
            ),
        )
        self.leave = small_button(
            "Stop comparing", keyed("End the comparison (`Keep as reference`)")
        )
        self.agreement, self.reference, self.current = (ElidedLabel() for _ in range(3))
        self._lay_out()
        for button in self.ways.values():
            button.setCheckable(True)
            self._group.addButton(button)
        self.hide()

    def _lay_out(self) -> None:
        row = layouts.row(*self.ways.values(), self.swap, self.leave, 1, spacing=4)
        rows = layouts.column(row, self.agreement, 1, spacing=4)
        both = layouts.column(self.reference, self.current, spacing=4)
        layouts.row((rows, 1), (both, 1), of=self, margins=(8, 4, 8, 4), spacing=16)

    def show_comparison(self, kept: Frame | None, frame: Frame, display: Display) -> None:
        """Compare both maps, or hide without a reference."""
        self.setVisible(kept is not None)
        if kept is None:
            return
        self.ways[display.comparison].setChecked(True)
        texts = *compared_text(kept, frame).split("\n"), "", ""
        for label, text in zip((self.agreement, self.reference, self.current), texts, strict=False):
            label.show_text(text)
        self.swap.setEnabled(not kept.by)


def agreement_text(agreement: Agreement | None, node: str = "pixel") -> str:
    """Return the agreement of the two maps, in words."""
    if agreement is None:
        return f"The agreement appears once every {node} is decoded"
    matched = f"{digits.share(agreement.matched)} of {node}s agree"
    differ = f"{digits.count(agreement.n_different)} differ"
    return f"{matched}, {differ} · adj. Rand {digits.probability(agreement.rand)}"


def compared_text(a: Frame, b: Frame) -> str:
    """Return the agreement of the two maps, and the parameters that differ, as lines."""
    columns = columns_of(a, b)
    lines = [agreement_text(b.agreement, b.request.picture.node_name)]
    if a.by:
        return "\n".join((*lines, f"{REFERENCE}: {a.by}"))
    for name, values in ((REFERENCE, [c.a for c in columns]), (CURRENT, [c.b for c in columns])):
        pairs = zip(columns, values, strict=True)
        lines.append(f"{name}: {', '.join(f'{column.name} {value}' for column, value in pairs)}")
    return "\n".join(lines if columns else (lines[0], SAME))


def columns_of(a: Frame, b: Frame) -> tuple[ComparedRow, ...]:
    """Return the parameters that differ, and then those that follow them."""
    pairs = zip(described(a), described(b), strict=True)
    columns = [ComparedRow(name, one, other) for (name, one), (_, other) in pairs]
    differing = [column for column in columns if column.differs]
    followed = {f"{FOLLOWS}{column.name}" for column in columns} & {
        text for column in differing for text in (column.a, column.b)
    }
    needed = [c for c in columns if f"{FOLLOWS}{c.name}" in followed and not c.differs]
    return (*differing, *needed)


def described(frame: Frame) -> tuple[tuple[str, str], ...]:
    """Return the names and effective values of a frame's parameters."""
    parameters, picture = frame.request.parameters, frame.request.picture
    nodes = f"{picture.node_name}s"
    learned = "Learned from", f"{frame.n_learned:,} {nodes}" if frame.sampled else f"all {nodes}"
    table = sorted(rows(parameters), key=lambda row: not row.steps)  # N and w, as they move most
    values = (
        NO_EFFECT if row.refused(parameters, picture.dimensions) else row.text(parameters)
        for row in table
    )
    return (*zip((row.short for row in table), values, strict=True), learned)
