"""What people come for: tabs in the title row, each with a layout of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import QTabBar, QToolButton

from latviz.app.docking.docks import Place

CONTROLS = Place("left", width=272)
LESSON = Place("right", "controls", width=340)
INSPECT, COMPARE, LEARN, IMAGES = "inspect", "compare", "learn", "images"


@dataclass(frozen=True)
class Use:
    """A layout of the window for one purpose."""

    name: str
    title: str
    tip: str
    shown: tuple[str, ...] = ()  # the docks that are shown; empty: those that are shown at first
    # where docks are, shown or not, if not where their views say
    places: Mapping[str, Place] = field(default_factory=dict)
    advanced: bool = False  # all parameters are shown, or only those that a newcomer needs
    text: float = 1.0  # the size of all text, by its usual size
    # lines are thick on a black or white ground, unless the user wants it otherwise
    contrast: bool = False
    # the state map goes below the image of a picture that is much wider than high
    stacks: bool = False


_BELOW: Mapping[str, Place] = {
    "guide": Place("row", "image", height=190, at_most_one_in=3),
    "tradeoff": Place("row", "image", height=300, at_most_one_in=2),
    "tried": Place("row", "guide", height=96, at_most_one_in=6),
    "steps": Place("row", "image", height=330, at_most_one_in=2),
}
"""What is as wide as both pictures, and below them."""
_EXPLAINED: Mapping[str, Place] = {
    "pixel": Place("row", "image", height=214, at_most_one_in=3),
    "space": Place("row", "image", height=240, at_most_one_in=3),
    "tree": Place("row", "image", height=240, at_most_one_in=3),
    "adjacency": Place("row", "image", height=250, at_most_one_in=3),
}
"""Views that steps of lessons explain, below both pictures: they need room, the lesson, too."""

USES: tuple[Use, ...] = (
    Use(
        "explore",
        "Explore",
        "The picture and its states side by side, and what the window does to them",
        ("controls", "image", "states", "guide", "tried"),
        _BELOW,
        stacks=True,
    ),
    Use(
        "tradeoff",
        "Trade-off",
        "What every w and N is worth",
        ("controls", "tradeoff", "image", "states", "indices"),
        {
            "tradeoff": Place("column", "controls"),
            "image": Place("row", "tradeoff", height=250, at_most_one_in=2),
            "indices": Place("right", "states", width=280),
        },
    ),
    Use(INSPECT, "Inspect", "Every view of the model at once", advanced=True),
    Use(
        COMPARE,
        "Compare",
        "Two decodings of one picture and where they differ, and several side by side",
        ("controls", "states", "multiples", "indices", "likelihood"),
        {
            "states": Place("column", "controls"),
            "multiples": Place("row", "states", height=300, at_most_one_in=2),
            "indices": Place("right", "states", width=290),
            "likelihood": Place("below", "indices", height=190),
        },
    ),
    Use(
        IMAGES,
        "Images",
        "Many images: a shelf of them, their results as a table and a plot, one model for all",
        ("controls", "image", "states", "images", "shelf"),
        {
            "images": Place("row", "image", height=320, at_most_one_in=2),
            "shelf": Place("row", "images", height=152, at_most_one_in=4),
        },
    ),
    Use(
        LEARN,
        "Learn",
        "Lessons that ask before they tell, on the real program",
        ("lesson", "controls", "image", "states"),
        {
            "lesson": Place("left", width=340),
            "controls": Place("below", "lesson", share=38),
            "image": Place("column", "lesson"),
            **_BELOW,
            **_EXPLAINED,
        },
    ),
    Use(
        "present",
        "Present",
        "Large type and high contrast; F11 fills the screen, O shows a spot",
        ("image", "states", "guide"),
        {
            "image": Place("left"),
            **_BELOW,
            "guide": Place("row", "image", height=230, at_most_one_in=3),
        },
        text=1.6,
        contrast=True,
        stacks=True,
    ),
)
"""In the order of tabs and of keys."""


def use_of(name: str) -> Use:
    """Return the use of a name; the first one if there is none of it."""
    return next((use for use in USES if use.name == name), USES[0])


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
            self.setTabToolTip(index, f"{use.tip} ({keys_of(k)})")
        self.currentChanged.connect(lambda index: self.picked.emit(USES[index].name))

    def show_use(self, name: str) -> None:
        """Show which is on, without a signal."""
        with QSignalBlocker(self):
            self.setCurrentIndex([use.name for use in USES].index(name))


def keys_of(number: int) -> str:
    """Return the keys that lead to a use, counted from 1."""
    return f"Ctrl+{number}"
