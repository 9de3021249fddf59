"""Tabs in the title row, one for each task, each with its layout: rows and columns by shares."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Union

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import QTabBar, QToolButton

from latviz.app.widgets.shortcuts import keyed, tab_keys, with_keys


@dataclass(frozen=True)
class Split:
    """Parts that share a room, side by side or one below the other."""

    orientation: Qt.Orientation
    parts: tuple["Part", ...]  # names of docks, splits, and the drawer
    shares: tuple[float, ...]  # the part of the room that each has, of 1
    turns: bool = False  # one below the other if a picture is much larger that way


@dataclass(frozen=True)
class Drawer:
    """The place of all docks without one of their own: tabs over the layout's own content."""

    base: Split | None = None
    title: str = ""


Part = Union[str, Split, Drawer]  # noqa: UP007


def row(*parts: tuple[Part, float], turns: bool = False) -> Split:
    """Return parts side by side, each with its share in percent."""
    return _split(Qt.Orientation.Horizontal, parts, turns=turns)


def column(*parts: tuple[Part, float]) -> Split:
    """Return parts one below the other, each with its share in percent."""
    return _split(Qt.Orientation.Vertical, parts)


def _split(
    orientation: Qt.Orientation, parts: tuple[tuple[Part, float], ...], *, turns: bool = False
) -> Split:
    inner = tuple(part for part, _ in parts)
    return Split(orientation, inner, tuple(share / 100 for _, share in parts), turns)


def with_only(plan: Split, names: Collection[str]) -> Split:
    """Return a layout without docks that are not there; the others get their room."""
    there = [
        (_with_only(part, names), share)
        for part, share in zip(plan.parts, plan.shares, strict=True)
        if not isinstance(part, str) or part in names
    ]
    whole = sum(share for _, share in there)
    shares = tuple(share / whole for _, share in there)
    return replace(plan, parts=tuple(part for part, _ in there), shares=shares)


def _with_only(part: Part, names: Collection[str]) -> Part:
    if isinstance(part, Drawer):
        return part if part.base is None else replace(part, base=with_only(part.base, names))
    return with_only(part, names) if isinstance(part, Split) else part


def names_in(part: Part) -> Iterator[str]:
    """Yield the docks that have a place in a part, from the left and the top."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Drawer):
        if part.base is not None:
            yield from names_in(part.base)
    else:
        for inner in part.parts:
            yield from names_in(inner)


LEARN = "learn"


@dataclass(frozen=True)
class Use:
    """A layout of the window for one purpose."""

    name: str
    title: str
    tip: str
    plan: Split  # the layout of docks; others open in its drawer
    hidden: tuple[str, ...] = ()  # have a place, but are closed at first
    advanced: bool = False  # show all parameters, not only those for newcomers
    text: float = 1.0  # the size of all text, by its usual size
    contrast: bool = False  # thick lines on a black or white ground, if the user left it so
    several: bool = False  # for many images: they open here, and a single picture elsewhere
    teaches: bool = False  # a lesson that runs goes on here


_PAIR = row(("image", 50), ("states", 50), turns=True)
"""The pictures, which show the same places at the same size."""
_VIEWS = row(("space", 36), ("adjacency", 32), ("indices", 32))
"""The views of the model, below the pictures."""

USES: tuple[Use, ...] = (
    Use(
        "explore",
        "Explore",
        "The picture, its states and the model, live",
        column(
            ("guide", 23.5),
            (
                row(
                    (column(("controls", 66), ("likelihood", 34)), 17.5),
                    (column((_PAIR, 65), (Drawer(_VIEWS, "Model"), 35)), 82.5),
                ),
                76.5,
            ),
        ),
    ),
    Use(
        "tradeoff",
        "Trade-off",
        "Every w and N compared, on one sheet",
        row(
            (column(("controls", 58), ("states", 42)), 20),
            (Drawer(row(("tradeoff", 100)), "Trade-off"), 80),
        ),
    ),
    Use(
        "inspect",
        "Inspect",
        "Every view of the model at once",
        row(
            (column(("controls", 55), ("pixel", 45)), 20),
            (
                column((_PAIR, 52), (Drawer(row(("space", 50), ("adjacency", 50)), "Model"), 48)),
                55,
            ),
            (column(("indices", 44), ("likelihood", 26), ("emissions", 30)), 25),
        ),
        advanced=True,
    ),
    Use(
        "images",
        "Images",
        "Many images with one model: a shelf, and their results as a table and a plot",
        row(
            ("controls", 17.5),
            (
                column((_PAIR, 52), (Drawer(column(("images", 62), ("shelf", 38)), "Images"), 48)),
                82.5,
            ),
        ),
        several=True,
    ),
    Use(
        LEARN,
        "Learn",
        "Lessons in the real program, which ask before they explain",
        row(
            (column(("lesson", 62), ("controls", 38)), 27),
            (column((_PAIR, 52), (Drawer(), 48)), 73),
        ),
        teaches=True,
    ),
    Use(
        "present",
        "Present",
        keyed(
            "Large type and high contrast; `Full screen` for full screen, `Pointer spot` for a "
            "pointer spot"
        ),
        row(
            (column(("lesson", 66), ("controls", 34)), 34),
            (column((_PAIR, 52), ("guide", 18), (Drawer(), 30)), 66),
        ),
        hidden=("lesson", "controls"),
        text=1.6,
        contrast=True,
        teaches=True,
    ),
)
"""In the order of tabs and of keys."""


def use_of(name: str) -> Use:
    """Return the use with this name, or the first one."""
    return next((use for use in USES if use.name == name), USES[0])


def suiting(use: Use, several: bool) -> Use:
    """Return the tab for pictures that open: the present one, or the first that suits them."""
    return next(each for each in (use, *USES) if each.several == several)


class UseBar(QTabBar):
    """The tabs; one of them is on."""

    picked = pyqtSignal(str)  # str: the name of the use that the user chose

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("uses")
        self.setAccessibleName("What to do")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for button in self.findChildren(QToolButton):  # Qt's own, which scroll: there is room
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for k, use in enumerate(USES, start=1):
            index = self.addTab(use.title)
            self.setTabToolTip(index, with_keys(use.tip, tab_keys(k)))
        self.currentChanged.connect(lambda index: self.picked.emit(USES[index].name))

    def show_use(self, name: str) -> None:
        """Show which is on, without a signal."""
        with QSignalBlocker(self):
            self.setCurrentIndex([use.name for use in USES].index(name))
