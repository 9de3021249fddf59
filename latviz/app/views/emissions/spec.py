"""What states emit, as a view."""

from latviz.app.docks import Place
from latviz.app.views.emissions import table
from latviz.app.views.emissions.view import EmissionsView
from latviz.app.views.spec import ViewSpec

SPEC = ViewSpec(
    name="emissions",
    title=EmissionsView.TITLE,
    make=EmissionsView,
    place=Place("below", "likelihood"),
    help="The distribution B of the symbols in each state, or the mean and standard deviation of "
    "each channel.",
    table=lambda _view, frame: table.rows(frame),
)
