"""Pinned pixels, as a view."""

from latviz.app.actions import Action, Item
from latviz.app.docks import Place
from latviz.app.views.pins.view import PinsView
from latviz.app.views.pixel.spec import table_rows
from latviz.app.views.spec import Context, ViewSpec


def connect(view: PinsView, context: Context) -> None:
    """Let rows be deleted."""
    view.unpinned.connect(context.document.pin)


def actions(_view: PinsView, context: Context) -> tuple[Item, ...]:
    """Return what is offered in the menus."""
    return (
        Action(
            "Unpin &all pixels",
            "Empty the table of pinned pixels",
            context.document.unpin_all,
            "Ctrl+Shift+P",
            ("Edit", 2.2),
        ),
    )


SPEC = ViewSpec(
    name="pins",
    title=PinsView.TITLE,
    make=PinsView,
    place=Place("below", "adjacency"),
    help="Pinned pixels, side by side: their values, signatures and nearest states. Press Shift "
    "and click a pixel of the image to pin it.",
    shown_at_first=False,
    connect=connect,
    actions=actions,
    table=lambda view, frame: table_rows(frame, view.pins or view.inspected),
)
