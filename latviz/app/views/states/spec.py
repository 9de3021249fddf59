"""The state map, as a view."""

from functools import partial

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QKeySequence
from PyQt6.QtWidgets import QHBoxLayout, QSlider, QWidget

from latviz.app.actions import Action, Item, choice
from latviz.app.docks import Place
from latviz.app.document import Document
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.states.view import StatesView
from latviz.app.widgets.title_controls import SliceBar, muted
from latviz.engine.frame import Frame
from latviz.engine.state import Marks, State


class BlendBar(QWidget):
    """How much of the states covers the image.

    Signals
    -------
    changed(float)
        The new opacity, from 0 to 1.
    """

    changed = pyqtSignal(float)

    def __init__(self) -> None:
        super().__init__()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 100)
        self.slider.setMinimumWidth(30)
        self.slider.setMaximumWidth(90)
        self.slider.setToolTip("From the image alone to the states alone ([ and ])")
        self.slider.setAccessibleName("State-map opacity")
        self.slider.setValue(100)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(6)
        for part in (muted("image"), self.slider, muted("states")):
            layout.addWidget(part)
        self.slider.valueChanged.connect(lambda value: self.changed.emit(value / 100))

    def show_value(self, opacity: float) -> None:
        """Show an opacity, without a signal."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(100 * opacity))


class StatesHeader(QWidget):
    """The controls in the title of the state map."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.slices, self.blend = SliceBar("state map"), BlendBar()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.slices)
        layout.addWidget(self.blend)
        self._document = document
        self.slices.picked.connect(document.set_slice)
        self.blend.changed.connect(lambda opacity: document.set_display(opacity=opacity))
        document.changed.connect(self._show_state)

    def _show_state(self, old: State, new: State) -> None:
        if new.picture is not None and new.picture is not old.picture:
            self.slices.show_picture(new.picture, new.slice)
        self.slices.show_slice(new.slice)
        self.blend.show_value(new.display.opacity)


_MARKS: tuple[tuple[Marks, str], ...] = (
    ("none", "N&one"),
    ("numbers", "&Numbers"),
    ("hatching", "&Hatching"),
)


def connect(view: StatesView, context: Context) -> None:
    """Let the view tell what is on screen, and where the divider of A and B is."""
    document, comparing, canvas = context.document, context.comparing, view.canvas
    canvas.viewed.connect(lambda: document.set_visible(canvas.region))
    view.split_moved.connect(comparing.set_divider)


def actions(view: StatesView, context: Context) -> tuple[Item, ...]:
    """Return what is offered in the menus."""
    return *_places(view, context.document), *_drawing(context.document)


def _places(view: StatesView, document: Document) -> tuple[Item, ...]:
    """Return what changes which part of which picture is on screen."""
    canvas = view.canvas
    return (
        Action(
            "Zoom &in",
            "Magnify image and state map",
            partial(canvas.zoom, 1.25),
            ("Ctrl++", "Ctrl+="),
            ("View", 1.1),
        ),
        Action(
            "Zoom &out",
            "Show more of image and state map",
            partial(canvas.zoom, 0.8),
            QKeySequence.StandardKey.ZoomOut,
            ("View", 1.2),
        ),
        Action("Whole &image", "Show all of the image", canvas.show_all, "Ctrl+0", ("View", 1.3)),
        *(
            Action(
                text,
                f"Show the slice of a volume, or the record of a file, {where}",
                partial(turn, document, step),
                keys,
                ("View", 1.45 + step / 20),
                enabled=partial(turns, document),
            )
            for text, where, step, keys in (
                ("&Previous slice", "before", -1, "PgUp"),
                ("&Next slice", "after", 1, "PgDown"),
            )
        ),
    )


def _drawing(document: Document) -> tuple[Item, ...]:
    """Return what changes how the states are drawn."""
    return (
        Action(
            "State &borders",
            "Outline where neighbouring pixels are in different states",
            lambda on: document.set_display(borders=on),
            "B",
            ("View", 2.1),
            ticked=lambda: document.display.borders,
        ),
        Action(
            "&Quadtree leaves",
            "Outline the largest squares of one state each",
            lambda on: document.set_display(leaves=on),
            "Q",
            ("View", 2.2),
            ticked=lambda: document.display.leaves,
        ),
        Action(
            "&More state-map opacity",
            "Let the state map cover more of the image",
            partial(blend, document, 0.1),
            "]",
            ("View", 2.6),
        ),
        Action(
            "&Less state-map opacity",
            "Let the state map cover less of the image",
            partial(blend, document, -0.1),
            "[",
            ("View", 2.7),
        ),
        *choice(
            "State mar&ks",
            "Tell states apart without colour",
            ("View", 2.92),
            _MARKS,
            lambda: document.display.marks,
            lambda marks: document.set_display(marks=marks),
        ),
    )


def turns(document: Document) -> bool:
    """Tell whether there are other slices, or other pictures of a data set."""
    state = document.state
    return len(state.members) > 1 or (state.picture is not None and state.picture.dimensions == 3)


def turn(document: Document, step: int) -> None:
    """Go some slices on, or some pictures of a data set."""
    pictures = document.state.pictures
    if pictures is not None and len(pictures.members) > 1:
        document.show_member(pictures.shown + step)
    else:
        document.set_slice(document.state.slice + step)


def blend(document: Document, step: float) -> None:
    """Let the states cover more of the image, or less."""
    opacity = round(min(1.0, max(0.0, document.display.opacity + step)), 2)
    document.set_display(opacity=opacity)


def table_rows(frame: Frame) -> Rows:
    """Return how many nodes each state has, and their share."""
    occupancy = frame.occupancy.tolist()
    n_nodes = max(1, sum(occupancy))
    found = [[k, n, n / n_nodes] for k, n in enumerate(occupancy, start=1)]
    return [["State", "Pixels", "Share"], *found]


SPEC = ViewSpec(
    name="states",
    title=StatesView.TITLE,
    make=StatesView,
    place=Place("right", "image"),
    help="Each pixel in the colour of its state, over the image. Below it is a legend; a kept "
    "decoding A can be compared with what is decoded now.",
    connect=connect,
    header=lambda _view, context: StatesHeader(context.document),
    actions=actions,
    table=lambda _view, frame: table_rows(frame),
)
