"""Tabs in the title row, one for each task of the user, each with its layout."""

from dataclasses import dataclass

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import QTabBar, QToolButton

from latviz.app.docking.plans import Drawer, Split, column, row
from latviz.app.widgets.shortcuts import keyed, tab_keys, with_keys

LEARN = "learn"


@dataclass(frozen=True)
class Use:
    """A layout of the window for one purpose."""

    name: str
    title: str
    tip: str
    plan: Split  # the layout of docks; others open in its drawer
    hidden: tuple[str, ...] = ("map",)  # have a place, but are closed at first
    advanced: bool = False  # show all parameters, not only those for newcomers
    text: float = 1.0  # the size of all text, by its usual size
    contrast: bool = False  # thick lines on a black or white ground, if the user left it so
    several: bool = False  # for many images: they open here, and a single picture elsewhere
    teaches: bool = False  # a lesson that runs goes on here


_PAIR = row(("image", 33), ("states", 33), ("map", 33), turns=True)
"""The pictures, which show the same places at the same size."""
_VIEWS = row(("space", 36), ("adjacency", 32), ("indices", 32))
"""The views of the model, below the pictures."""

USES: tuple[Use, ...] = (
    Use(
        "explore",
        "Explore",
        "The picture, its states and the model, live",
        column(
            ("guide", 24),
            (
                row(
                    (column(("controls", 66), ("likelihood", 34)), 17.5),
                    (column((_PAIR, 60), (Drawer(_VIEWS, "Model"), 40)), 82.5),
                ),
                76,
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
        hidden=(),
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
        hidden=("map", "lesson", "controls"),
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
