"""The state map, as a view."""

from functools import partial

from PyQt6.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent
from PyQt6.QtWidgets import QHBoxLayout, QMenu, QSlider, QToolButton, QWidget

from latviz.app.actions import Action, Item, choice
from latviz.app.docks import Place
from latviz.app.document import Document
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.states.regions_layer import needed
from latviz.app.views.states.view import StatesView
from latviz.app.widgets.title_controls import SliceBar, muted
from latviz.engine.frame import Frame
from latviz.engine.state import Known, Marks, RegionLayer, State

_MARGIN = 6


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
        layout.setContentsMargins(0, 0, _MARGIN, 0)
        layout.setSpacing(_MARGIN)
        self._ends = muted("image"), muted("states")
        self._is_brief = False
        for part in (self._ends[0], self.slider, self._ends[1]):
            layout.addWidget(part)
        self.slider.valueChanged.connect(lambda value: self.changed.emit(value / 100))

    def set_brief(self, brief: bool) -> None:
        """Ask for no room for the names of the ends: something else stands beside it."""
        if brief != self._is_brief:
            self._is_brief = brief
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Ask for the slider alone: what its ends are is said where there is room."""
        return QSize(self.slider.minimumWidth() + _MARGIN, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Ask for room for all."""
        ends = () if self._is_brief else self._ends
        texts = sum(end.sizeHint().width() + _MARGIN for end in ends)
        return QSize(texts + self.slider.sizeHint().width() + _MARGIN, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Name the ends if there is room."""
        super().resizeEvent(event)
        texts = sum(end.sizeHint().width() + _MARGIN for end in self._ends)
        for end in self._ends:
            end.setVisible(texts + self.slider.minimumWidth() + _MARGIN <= self.width())

    def show_value(self, opacity: float) -> None:
        """Show an opacity, without a signal."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(100 * opacity))


class TruthButton(QToolButton):
    """Whether the decoded states, the known ones or the errors are shown; where some are known.

    Signals
    -------
    picked(str)
        Which to show.
    """

    picked = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("menu", True)
        self.setAccessibleName("Known states")
        self.setToolTip("Show the decoded states, the known ones, or where they differ (T)")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu, group = QMenu(self), QActionGroup(self)
        self.choices: dict[Known, QAction] = {}
        for known, text, _ in _KNOWN:
            action = menu.addAction(text)
            assert action is not None
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _, known=known: self.picked.emit(known))
            self.choices[known] = action
        self.setMenu(menu)
        self.hide()

    def show_state(self, state: State) -> None:
        """Show what is shown, without a signal; hide where nothing is known."""
        self.setVisible(state.knows_truth)
        self.setText(f"{_SHORT[state.display.truth]} ▾")
        self.choices[state.display.truth].setChecked(True)


class StatesHeader(QWidget):
    """The controls in the title of the state map."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.slices, self.blend = SliceBar("state map"), BlendBar()
        self.truth = TruthButton()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.slices)
        layout.addWidget(self.truth)
        layout.addWidget(self.blend)
        self._document = document
        self.slices.picked.connect(document.set_slice)
        self.truth.picked.connect(lambda known: document.set_display(truth=known))
        self.blend.changed.connect(lambda opacity: document.set_display(opacity=opacity))
        document.changed.connect(self._show_state)

    def _show_state(self, old: State, new: State) -> None:
        if new.picture is not None and new.picture is not old.picture:
            self.slices.show_picture(new.picture, new.slice)
        self.slices.show_slice(new.slice)
        self.truth.show_state(new)
        self.blend.set_brief(new.knows_truth)
        self.blend.show_value(new.display.opacity)


_KNOWN: tuple[tuple[Known, str, str], ...] = (
    ("hidden", "&Decoded states", "Decoded"),
    ("states", "&Known states", "Truth"),
    ("errors", "&Errors alone", "Errors"),
)
_SHORT: dict[Known, str] = {known: short for known, _, short in _KNOWN}
_REGIONS: tuple[tuple[RegionLayer, str], ...] = (
    ("hidden", "&Hidden"),
    ("borders", "&Outlines, strong where there is much evidence"),
    ("colours", "In their &mean colours"),
)
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
        *choice(
            "State re&gions",
            "Show connected regions, as they are merged in the view of regions",
            ("View", 2.15),
            _REGIONS,
            lambda: document.display.regions,
            lambda regions: document.set_display(regions=regions),
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
        *_truth(document),
    )


def _truth(document: Document) -> tuple[Item, ...]:
    """Return what shows the known states of a demo."""
    return (
        *choice(
            "&Truth",
            "Show the states that a demo was made from, or where the decoded ones differ",
            ("View", 2.925),
            tuple((known, text) for known, text, _ in _KNOWN),
            lambda: document.display.truth,
            lambda known: document.set_display(truth=known),
        ),
        Action(
            "Next tr&uth",
            "Go from the decoded states to the known ones, and on to the errors",
            partial(show_next_truth, document),
            "T",
            ("View", 2.926),
            enabled=lambda: document.state.knows_truth,
        ),
    )


def show_next_truth(document: Document) -> None:
    """Show the known states after the decoded ones, then the errors, then the decoded ones."""
    ways = tuple(_SHORT)
    now = ways.index(document.display.truth)
    document.set_display(truth=ways[(now + 1) % len(ways)])


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
    """Return how many nodes each state has, their share, and their names if one has any."""
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
    make=StatesView,
    place=Place("right", "image"),
    help="Each pixel in the colour of its state, over the image. Below it is a legend; a kept "
    "decoding A can be compared with what is decoded now.",
    needs=StatesView.NEEDS,
    asks=lambda state: needed(state) | (StatesView.NEEDS if state.shows_truth else frozenset()),
    connect=connect,
    header=lambda _view, context: StatesHeader(context.document),
    actions=actions,
    table=lambda _view, frame: table_rows(frame),
)
