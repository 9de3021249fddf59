"""The pixel under the pointer, as a view."""

from collections.abc import Sequence

import numpy as np

from latviz.app.shell.actions import OTHERS, Action, Item
from latviz.app.views.pixel.formulas import NEEDS
from latviz.app.views.pixel.view import PixelView
from latviz.app.views.spec import Cell, Context, Rows, ViewSpec
from latviz.app.widgets.pin import pin_name
from latviz.app.widgets.shortcuts import keyed
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection

_BY_DISTANCE = "State", "Distance", "Next", "Distance to it"
_BY_BELIEF = "State", "Belief", "Next", "Belief in it"
_SHOWN = {True: "Show the formulas", False: "Hide the formulas"}
_PLACES = ("Position",), ("Row", "Column"), ("Slice", "Row", "Column")


def table_rows(frame: Frame, pixels: Sequence[Inspection]) -> Rows:
    """Return a row for each pixel; a missing next state is left empty."""
    if not pixels:
        return []
    n_values = pixels[0].value.size
    n_observed = 1 if frame.observations.discrete else frame.observations.n_symbols
    head: list[Cell] = [
        *_PLACES[len(pixels[0].node) - 1],
        *_numbered("Value", n_values),
        *_numbered("Observed", n_observed),
        *(_BY_DISTANCE if frame.believed is None else _BY_BELIEF),
        *(f"Share of {n}" if frame.observations.discrete else n for n in frame.observations.names),
    ]
    return [head, *(_pixel(frame, pixel) for pixel in pixels)]


def _numbered(name: str, n: int) -> list[str]:
    return [name] if n == 1 else [f"{name} {k + 1}" for k in range(n)]


def _pixel(frame: Frame, pixel: Inspection) -> list[Cell]:
    own = frame.observations.in_own_units
    observed: list[Cell] = np.atleast_1d(pixel.observation).tolist()
    if not frame.observations.discrete:
        observed = own(np.atleast_1d(pixel.observation)).tolist()
    elif frame.observations.discrete:
        observed = [frame.observations.names[int(pixel.observation)]]
    ranked: list[Cell] = []
    counted = (0,) if len(pixel.node) != 2 else ()  # positions and slices, from 1
    for state, number in pixel.ranked:
        ranked += [state + 1, number]
    return [
        *(at + (axis in counted) for axis, at in enumerate(pixel.node)),
        *pixel.value.reshape(-1).tolist(),
        *observed,
        *[*ranked, "", ""][:4],
        *own(pixel.signature).tolist(),
    ]


def rows(view: PixelView, frame: Frame) -> Rows:
    """Return a row for each pin, or else for the pixel that is inspected."""
    if not view.pins:
        return table_rows(frame, view.inspected)
    head, *found = table_rows(frame, view.pins)
    return [["Pin", *head], *([pin_name(k), *row] for k, row in enumerate(found))]


def connect(view: PixelView, context: Context) -> None:
    """Let the view unpin pixels, and show or hide its formulas."""
    document = context.document
    view.unpinned.connect(document.pin)
    view.formulas_wanted.connect(lambda on: document.set_display(_SHOWN[on], formulas=on))


def actions(_view: PixelView, context: Context) -> tuple[Item, ...]:
    """Return the menu items."""
    document = context.document

    def explain() -> None:
        context.shell.show("pixel")
        document.set_display(_SHOWN[True], formulas=True)

    return (
        Action(
            "Unpin &all pixels",
            "Empty the table of pinned pixels",
            document.unpin_all,
            at=(OTHERS, 0.3),
        ),
        Action(
            "E&xplain a pixel",
            "Show the formulas with the numbers of the pixel under the pointer, or pinned last, "
            "and what would change its state",
            explain,
            at=(OTHERS, 0.4),
        ),
    )


SPEC = ViewSpec(
    name="pixel",
    title=PixelView.TITLE,
    of_picture=True,
    make=PixelView,
    help=keyed(
        "The pixel under the pointer: its value, symbol and signature, its nearest states, the "
        "symbols in its window, and formulas with its numbers. With a belief decoder also the "
        "evidence of the pixel and of its neighbours along each axis. Press `Shift` and click a "
        "pixel of the image to pin it: a table compares pinned pixels."
    ),
    scrolled=True,
    needs=NEEDS,
    asks=lambda state: NEEDS if state.display.formulas else frozenset(),
    connect=connect,
    actions=actions,
    verbs=lambda _view, _context: ("Explain a pixel", "Unpin all pixels"),
    table=rows,
)
