"""The state map, as a view."""

from functools import partial

from PyQt6.QtGui import QKeySequence

from latviz.app.actions import Action, Item, choice
from latviz.app.docks import Place
from latviz.app.document import Document
from latviz.app.views.spec import Context, ViewSpec
from latviz.app.views.states.header import StatesHeader
from latviz.app.views.states.view import StatesView
from latviz.engine.frame import Frame
from latviz.engine.state import Marks
from latviz.engine.tables import Rows

_MARKS: tuple[tuple[Marks, str], ...] = (
    ("none", "N&one"),
    ("numbers", "&Numbers"),
    ("hatching", "&Hatching"),
)


def connect(view: StatesView, context: Context) -> None:
    """Let the view tell what is on screen, and how decodings A and B are compared."""
    document, comparing, canvas = context.document, context.comparing, view.canvas
    canvas.viewed.connect(lambda: document.set_visible(canvas.region))
    view.split_moved.connect(comparing.set_divider)
    view.bar.chosen.connect(comparing.choose)
    view.bar.swapped.connect(comparing.swap)
    view.bar.let_go.connect(comparing.let_go)


def actions(view: StatesView, context: Context) -> tuple[Item, ...]:
    """Return what is offered in the menus."""
    document, canvas = context.document, view.canvas
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
                tip,
                partial(turn, document, step),
                keys,
                ("View", 1.45 + step / 20),
                enabled=lambda: document.picture is not None and document.picture.dimensions == 3,
            )
            for text, tip, step, keys in (
                ("&Previous slice", "Show the slice before, of a volume", -1, "PgUp"),
                ("&Next slice", "Show the slice after, of a volume", 1, "PgDown"),
            )
        ),
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
            "&More of the states over the image",
            "Let the state map cover more of the image",
            partial(blend, document, 0.1),
            "]",
            ("View", 2.6),
        ),
        Action(
            "&Less of the states over the image",
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


def turn(document: Document, step: int) -> None:
    """Go some slices on."""
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
