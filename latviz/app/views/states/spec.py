"""The state map, as a view."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar, get_args

from PyQt6.QtCore import QSignalBlocker, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QSlider, QWidget

from latviz.app.document.document import Document
from latviz.app.shell.actions import Action, Item, choice
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.states.view import StatesView
from latviz.app.views.verbs import of_pixel
from latviz.app.views.viewer.control import LayersButton, LayersRow
from latviz.app.views.viewer.layers import LayerRow, asks_of, rows_of
from latviz.app.widgets import layouts
from latviz.app.widgets.title_controls import SliceBar, muted
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.state import Known, Layers, State

T = TypeVar("T")
_MARGIN = 6


class BlendBar(QWidget):
    """Sets the opacity of the states over the image."""

    changed = pyqtSignal(float)  # the new opacity, 0 to 1

    def __init__(self) -> None:
        super().__init__()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 100)
        self.slider.setMinimumWidth(30)
        self.slider.setMaximumWidth(90)
        self.slider.setToolTip("From only the image to only the states ([ and ])")
        self.slider.setAccessibleName("State-map opacity")
        self.slider.setValue(100)
        self.ends = muted("image"), muted("states")
        self._is_brief = False
        parts = self.ends[0], self.slider, self.ends[1]
        layouts.row(*parts, of=self, margins=(0, 0, _MARGIN, 0), spacing=_MARGIN)
        self.slider.valueChanged.connect(lambda value: self.changed.emit(value / 100))

    def set_brief(self, brief: bool) -> None:
        """Drop the room for the names of the ends, for another widget next to it."""
        if brief != self._is_brief:
            self._is_brief = brief
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return the size of the slider; labels of its ends are shown if there is room."""
        return QSize(self.slider.minimumWidth() + _MARGIN, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for room for all."""
        ends = () if self._is_brief else self.ends
        texts = sum(end.sizeHint().width() + _MARGIN for end in ends)
        return QSize(texts + self.slider.sizeHint().width() + _MARGIN, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Name the ends if there is room."""
        super().resizeEvent(event)
        # What is hidden while it is just being shown stays on screen: Qt takes it for hidden, too
        QTimer.singleShot(0, self._name_ends)

    def _name_ends(self) -> None:
        texts = sum(end.sizeHint().width() + _MARGIN for end in self.ends)
        for end in self.ends:
            end.setVisible(texts + self.slider.minimumWidth() + _MARGIN <= self.width())

    def show_value(self, opacity: float) -> None:
        """Show an opacity, without a signal."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(100 * opacity))


class StatesHeader(LayersRow):
    """The controls in the title of the state map."""

    def __init__(self, view: StatesView, document: Document) -> None:
        self.slices, self.blend = SliceBar("state map", brief=True), BlendBar()
        super().__init__((self.slices, self.blend), LayersButton(document, view))
        view.layers_wanted.connect(self.layers.open)
        self.slices.picked.connect(document.set_slice)
        self.blend.changed.connect(lambda opacity: document.set_display(opacity=opacity))
        document.changed.connect(self._show_state)

    def _show_state(self, old: State, new: State) -> None:
        if new.picture is not None and new.picture is not old.picture:
            self.slices.show_picture(new.picture, new.slice)
            self.blend.set_brief(new.picture.dimensions == 3)
        self.slices.show_slice(new.slice)
        self.blend.show_value(new.display.opacity)


def connect(view: StatesView, context: Context) -> None:
    """Connect the visible part, and the divider of a comparison."""
    document, comparing, canvas = context.document, context.comparing, view.canvas
    canvas.viewed.connect(lambda: document.set_visible(canvas.region))
    view.split_moved.connect(comparing.set_divider)
    context.adviser.took.connect(view.show_taken)


def actions(view: StatesView, context: Context) -> tuple[Item, ...]:
    """Return the menu items."""
    document = context.document
    layers = (item for k, row in enumerate(rows_of("states")) for item in _layer(row, document, k))
    return *_places(view, document), *layers, *_drawing(view, context)


def _places(view: StatesView, document: Document) -> tuple[Item, ...]:
    """Return the commands that change the part or picture on screen."""
    canvas = view.canvas
    return (
        Action(
            "Zoom &in",
            "Magnify image and state map",
            partial(canvas.zoom, 1.25),
            at=("Zoom and slices", 1.1),
        ),
        Action(
            "Zoom &out",
            "Show more of image and state map",
            partial(canvas.zoom, 0.8),
            at=("Zoom and slices", 1.2),
        ),
        Action(
            "&Whole image",
            "Show all of the image",
            canvas.show_all,
            at=("Zoom and slices", 1.3),
        ),
        *(
            Action(
                text,
                f"Show the slice of a volume, or the record of a file, {where}",
                partial(turn, document, step),
                at=("Zoom and slices", 2.5 + step / 20),
                enabled=partial(turns, document),
            )
            for text, where, step in (
                ("&Previous slice", "before", -1),
                ("&Next slice", "after", 1),
            )
        ),
    )


def _layer(row: LayerRow, document: Document, place: int) -> Iterator[Item]:
    """Yield the commands that switch a layer of the state map, and set its options."""

    def of(found: Callable[[State, Layers], T]) -> T:
        return found(document.state, document.display.layers("states"))

    name, at = f"Layer: {row.title}", ("Drawing", 1 + place / 100)
    switch = partial(row.switch, document, "states")
    is_on, is_there = partial(of, row.is_on), lambda: row.there(document.state)
    yield Action(name, row.tip, switch, at=at, ticked=is_on, enabled=is_there)
    if (options := row.options) is not None:
        choose = partial(options.choose, document, "states")
        chosen = partial(of, options.chosen)
        yield from choice(f"{row.title} as", row.tip, at, options.texts, chosen, choose)


def _open_layers(view: StatesView, context: Context) -> None:
    """Open the list of layers, in the title of the view."""
    context.shell.show("states")
    view.layers_wanted.emit()


def _drawing(view: StatesView, context: Context) -> tuple[Item, ...]:
    """Return the commands that open the layers, and change the drawing of the states."""
    document = context.document
    return (
        Action(
            "&Layers of the state map…",
            "Choose the layers that the state map shows",
            partial(_open_layers, view, context),
            at=("View", 2.1),
        ),
        Action(
            "&More state-map opacity",
            "Let the state map cover more of the image",
            partial(blend, document, 0.1),
            at=("Drawing", 1.5),
        ),
        Action(
            "L&ess state-map opacity",
            "Let the state map cover less of the image",
            partial(blend, document, -0.1),
            at=("Drawing", 1.6),
        ),
        Action(
            "Next tr&uth",
            "Switch between the decoded states, the known states and the errors",
            partial(show_next_truth, document),
            at=("Drawing", 1.8),
            enabled=lambda: document.state.knows_truth,
        ),
    )


def show_next_truth(document: Document) -> None:
    """Show the known states after the decoded ones, then the errors, then the decoded ones."""
    ways = get_args(Known)
    now = ways.index(document.display.truth)
    document.set_display(truth=ways[(now + 1) % len(ways)])


def turns(document: Document) -> bool:
    """Return True if there are other slices, or other records of the file on screen."""
    picture = document.state.picture
    return _has_records(document.state) or (picture is not None and picture.dimensions == 3)


def _has_records(state: State) -> bool:
    """Return True if members are records of a file; a shelf has keys of its own."""
    return len(state.members) > 1 and state.shelf is None


def turn(document: Document, step: int) -> None:
    """Move some slices on, or some records of the file on screen."""
    pictures = document.state.pictures
    if pictures is not None and _has_records(document.state):
        document.show_member(pictures.shown + step)
    else:
        document.set_slice(document.state.slice + step)


def blend(document: Document, step: float) -> None:
    """Make the states more opaque over the image, or less."""
    opacity = round(min(1.0, max(0.0, document.display.opacity + step)), 2)
    document.set_display(opacity=opacity)


def table_rows(frame: Frame) -> Rows:
    """Return the number of nodes of each state, their share, and names if any."""
    occupancy = frame.occupancy.tolist()
    n_nodes = max(1, sum(occupancy))
    found: Rows = [["State", "Pixels", "Share"]]
    found += [[k, n, n / n_nodes] for k, n in enumerate(occupancy, start=1)]
    if any(frame.names):
        found = [[*row, name] for row, name in zip(found, ("Name", *frame.names), strict=True)]
    return found


SPEC = ViewSpec(
    name="states",
    title=StatesView.TITLE,
    of_picture=True,
    make=StatesView,
    help=(
        "Each pixel in the colour of its state, over the image. Below it is a legend. You can "
        "keep a reference and compare the current map with it."
    ),
    asks=asks_of("states"),
    connect=connect,
    header=lambda view, context: StatesHeader(view, context.document),
    actions=actions,
    verbs=of_pixel,
    table=lambda _view, frame: table_rows(frame),
)
