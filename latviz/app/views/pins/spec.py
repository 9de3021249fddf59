"""Pinned pixels, as a view."""

from latviz.app.shell.actions import OTHERS, Action, Item
from latviz.app.views.pins.view import PinsView
from latviz.app.views.pixel.spec import table_rows
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.widgets.pin import pin_name
from latviz.app.widgets.shortcuts import keyed
from latviz.engine.frames.frame import Frame


def rows(view: PinsView, frame: Frame) -> Rows:
    """Return a row for each pin, or else for the pixel that is inspected."""
    if not view.pins:
        return table_rows(frame, view.inspected)
    head, *found = table_rows(frame, view.pins)
    return [["Pin", *head], *([pin_name(k), *row] for k, row in enumerate(found))]


def actions(_view: PinsView, context: Context) -> tuple[Item, ...]:
    """Return the menu items."""
    return (
        Action(
            "Unpin &all pixels",
            "Empty the table of pinned pixels",
            context.document.unpin_all,
            at=(OTHERS, 0.3),
        ),
    )


SPEC = ViewSpec(
    name="pins",
    title=PinsView.TITLE,
    of_picture=True,
    make=PinsView,
    explains=("signature", "distance"),
    help=keyed(
        "Pinned pixels, side by side: their values, signatures and nearest states. Press `Shift` "
        "and click a pixel of the image to pin it."
    ),
    holds=lambda state: bool(state.pins),
    connect=lambda view, context: view.unpinned.connect(context.document.pin),
    actions=actions,
    verbs=lambda _view, _context: ("Unpin all pixels",),
    table=rows,
)
