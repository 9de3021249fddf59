"""The pixel under the pointer, as a view."""

from latviz.app.docks import Place
from latviz.app.views.pixel import table
from latviz.app.views.pixel.view import PixelView
from latviz.app.views.spec import ViewSpec

SPEC = ViewSpec(
    name="pixel",
    title=PixelView.TITLE,
    make=PixelView,
    place=Place("below", "controls", height=216, at_most_one_in=3),
    help="What is known of the pixel under the pointer: its value, its symbol, its signature, its "
    "nearest states, and the symbols in its window.",
    scrolled=True,
    table=lambda view, frame: table.rows(frame, view.inspected),
)
