"""Maps of one number a pixel, as a view."""

from latviz.app.docks import Place
from latviz.app.views.map import script, table
from latviz.app.views.map.header import MapPicker
from latviz.app.views.map.view import MapView
from latviz.app.views.spec import Context, ViewSpec


def header(_view: MapView, context: Context) -> MapPicker:
    """Return the choice of the map."""
    picker = MapPicker()
    document = context.document
    picker.picked.connect(lambda kind: document.change("Change the map", map=kind))
    document.changed.connect(lambda _, new: picker.show_map(new.map))
    return picker


SPEC = ViewSpec(
    name="map",
    title=MapView.TITLE,
    make=MapView,
    place=Place("right", "states"),
    help="The log-likelihood of each pixel, the inertia of each window, or the entropy of the "
    "window's belief in its state, and a histogram of it in which ranges can be lit.",
    shown_at_first=False,
    needs=MapView.NEEDS,
    header=header,
    table=lambda _view, frame: table.rows(frame),
    script=lambda _view, frame: script.lines(frame),
)
