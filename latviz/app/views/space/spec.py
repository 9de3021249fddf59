"""The signature space, as a view."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtWidgets import QToolButton

from latviz.app.shell.actions import Action, Item
from latviz.app.views.space.view import SpaceView
from latviz.app.views.spec import Context, Rows, Verb, ViewSpec
from latviz.app.views.verbs import COMPARING, clearing, of_state
from latviz.app.widgets.shortcuts import MAIN, with_keys
from latviz.engine.frames.frame import LATE, Frame
from latviz.engine.geometry.signature_space import ProjectionKind
from latviz.engine.settings.state import State

_PATHS_TIP = with_keys(
    "Draw where each codeword would be if it were learned with w_l = 0 to 20",
    MAIN["Paths of the codewords as w_l grows"],
)


def connect(view: SpaceView, context: Context) -> None:
    """Keep the projections of the view and the document equal."""
    view.projection_changed.connect(context.document.set_projection)

    def follow(old: State, new: State) -> None:
        if new.projection != old.projection:
            view.bar.show_projection(new.projection)

    context.document.changed.connect(follow)
    view.bar.show_projection(context.document.state.projection)


def header(_view: SpaceView, context: Context) -> QToolButton:
    """Return the button that shows the paths."""
    button = QToolButton()
    button.setText("Paths")
    button.setToolTip(_PATHS_TIP)
    button.setCheckable(True)
    document = context.document
    button.clicked.connect(lambda on: document.set_display(paths=on))
    document.changed.connect(lambda _, new: button.setChecked(new.display.paths))
    return button


def actions(_view: SpaceView, context: Context) -> tuple[Item, ...]:
    """Return the menu items."""
    document = context.document
    return (
        Action(
            "&Paths of the codewords as w_l grows",
            _PATHS_TIP,
            lambda on: document.set_display(paths=on),
            at=("Drawing", 2.1),
            ticked=lambda: document.display.paths,
        ),
    )


def table_rows(frame: Frame) -> Rows:
    """Return each state's place, and its codeword."""
    if frame.space is None:
        return []
    places = frame.space.codewords.tolist()
    codebook = frame.observations.in_own_units(frame.codebook).tolist()
    found = [[k, *places[k - 1], *codebook[k - 1]] for k in range(1, len(places) + 1)]
    return [["State", "x", "y", *frame.observations.names], *found]


_DRAWN: dict[ProjectionKind | None, str] = {
    None: "all of the space",
    "polygon": "symbols are the corners of a polygon",
    "tetrahedron": "symbols are the corners of a tetrahedron, seen from one side",
    "principal": "the first two principal components of a sample",
    "components": "three components, seen from one side",
    "symbols": "three symbols are the corners of a triangle, all others are in its middle",
}


def script_lines(frame: Frame) -> list[str]:
    """Return lines with the states' places in the drawn signature space, if it is shown."""
    space, projection = frame.space, frame.request.projection
    if space is None:
        return []
    observations = frame.observations
    drawn = projection.drawn(observations.n_symbols, observations.discrete)
    lines = ["", f"# Where the states are drawn: {_DRAWN[drawn]}."]
    if space.corners is not None:  # a mixture of symbols is drawn at that mixture of the corners
        lines += _literal("corners", space.corners)
        return [*lines, "codewords = B @ corners  # a corner for each symbol"]
    lines += _literal("matrix", space.matrix)
    return [
        *lines,
        f"codewords = {space.origin.tolist()} + means @ matrix.T",
        "ellipses = matrix @ model.covariances @ matrix.T",
    ]


def _literal(name: str, matrix: NDArray[np.float64]) -> list[str]:
    rows = [f"        {row}," for row in matrix.tolist()]
    return [f"{name} = np.array(", "    [", *rows, "    ]", ")"]


def verbs(view: SpaceView, context: Context) -> tuple[Verb, ...]:
    """Return the commands on the state under the pointer, and on the space."""
    whole = Action("Show all of it", "Zoom out to all of the space", partial(view.plot.zoom, None))
    there = of_state(view, context)
    return *there, *clearing(context), whole, "Paths of the codewords as w_l grows", COMPARING


SPEC = ViewSpec(
    name="space",
    title=SpaceView.TITLE,
    make=SpaceView,
    help=(
        "The density of all signatures, and the states as discs sized by their pixels. It is "
        "exact for two or three symbols and a projection of your choice for more. For real "
        "vectors it is a histogram, a plane or three dimensions."
    ),
    needs=SpaceView.NEEDS,
    asks=lambda state: SpaceView.NEEDS if state.display.paths else SpaceView.NEEDS - LATE,
    connect=connect,
    header=header,
    actions=actions,
    verbs=verbs,
    table=lambda _view, frame: table_rows(frame),
    called=lambda view: view.called,
    script=lambda _view, frame: script_lines(frame),
)
