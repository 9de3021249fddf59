"""Commands at a place, shared by the context menus of several views."""

from functools import partial

from PyQt6.QtCore import QPointF

from latviz.app.document.leaving import LEAVE_OUT, USE_ALL
from latviz.app.shell.actions import Action
from latviz.app.views.base import View
from latviz.app.views.painted import PointedView
from latviz.app.views.picture import PictureView
from latviz.app.views.spec import Context, Verb
from latviz.app.widgets.accessible_text import selected
from latviz.app.widgets.shortcuts import keyed
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection
from latviz.engine.geometry.selection import Selection, StateSelection

CLOSER = 2.0
"""Magnification of “Zoom in here”."""
COMPARING = "Keep as reference"
SCRIBBLING = "Scribble names"


def of_pixel(view: PictureView, context: Context) -> tuple[Verb, ...]:
    """Return the commands on the pixel under the pointer, and on the picture."""
    found = view.inspection
    there = of_state(view, context)  # the pointer is over the legend
    if not there and found is not None:
        there = _of_node(view, context, found)
    return *there, *clearing(context), SCRIBBLING, "Whole image", COMPARING


def _of_node(view: PictureView, context: Context, found: Inspection) -> tuple[Verb, ...]:
    frame, node = view.frame, found.node
    pinned = node in context.document.state.pins
    verbs: list[Verb] = [
        Action(
            "Unpin this pixel" if pinned else "Pin this pixel",
            keyed("Keep it in the view Pixel, to compare it (`Shift` and a click)"),
            partial(view.pinned.emit, node),
        ),
    ]
    if frame is not None and not frame.coarse:
        state = int(frame.states[node])
        verbs.append(picking(view, StateSelection(frame.slots[state]), frame))
    place = view.section.place(node)
    if place is not None:
        verbs.append(
            Action("Zoom in here", "Zoom in on this pixel", partial(_approach, view, place))
        )
    return tuple(verbs)


def of_spot(view: PointedView, context: Context) -> tuple[Verb, ...]:
    """Return the commands on the spot under the pointer in a painted view."""
    frame, spot = view.frame, view.spot
    selection = None if frame is None or spot is None else view.selection(frame, spot)
    if frame is None or selection is None:
        return clearing(context)
    return picking(view, selection, frame), *clearing(context)


def of_state(view: View, context: Context) -> tuple[Verb, ...]:
    """Return the commands on the state under the pointer."""
    frame, state = view.frame, context.document.pointer.state
    if frame is None or state is None or state >= len(frame.slots):
        return ()
    return (picking(view, StateSelection(frame.slots[state]), frame),)


def picking(view: View, selection: Selection, frame: Frame) -> Action:
    """Return the verb that lights the pixels behind something."""
    tip = "Highlight its pixels in every view"
    return Action(
        f"Highlight {selected(selection, frame)}", tip, partial(view.picked.emit, selection)
    )


def clearing(context: Context) -> tuple[Verb, ...]:
    """Return the commands on the highlight, if there is one, and on pixels that were left out."""
    document = context.document
    back = (USE_ALL,) if document.state.leaves_out else ()
    if document.state.selection is None:
        return back
    return Action("Clear the highlight", "", partial(document.select, None)), LEAVE_OUT, *back


def _approach(view: PictureView, place: tuple[int, int]) -> None:
    canvas = view.canvas
    canvas.lens.show(QPointF(place[1] + 0.5, place[0] + 0.5), CLOSER * canvas.scale_factor)
