"""The pixel under the pointer, as a view."""

from collections.abc import Sequence

import numpy as np

from latviz.app.views.pixel.view import PixelView
from latviz.app.views.spec import Cell, Rows, ViewSpec
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection

_BY_DISTANCE = "State", "Distance", "Next", "Distance to it"
_BY_BELIEF = "State", "Belief", "Next", "Belief in it"
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


SPEC = ViewSpec(
    name="pixel",
    title=PixelView.TITLE,
    of_picture=True,
    make=PixelView,
    explains=("signature", "distance", "belief", "another", "likelihood"),
    help=(
        "The pixel under the pointer: its value, symbol and signature, its nearest states, and "
        "the symbols in its window. With a belief decoder also the evidence of the pixel and of "
        "its neighbours along each axis."
    ),
    scrolled=True,
    table=lambda view, frame: table_rows(frame, view.inspected),
)
