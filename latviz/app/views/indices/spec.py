"""The indices, as a view."""

from latviz.app.docks import Place
from latviz.app.views.indices.view import IndicesView
from latviz.app.views.spec import Rows, ViewSpec
from latviz.engine.frame import Frame


def table_rows(frame: Frame) -> Rows:
    """Return associativity, and inertia if it was computed."""
    found: Rows = [["Index", "Value"], ["Associativity", frame.associativity]]
    return found if frame.inertia is None else [*found, ["Inertia", frame.inertia]]


SPEC = ViewSpec(
    name="indices",
    title=IndicesView.TITLE,
    make=IndicesView,
    place=Place("column", "image", width=300, height=190, at_most_one_in=3, least=300),
    help="Associativity, the diagonal's share of A, and inertia, how far windows are of one state "
    "each; both say whether the model applies.",
    needs=IndicesView.NEEDS,
    table=lambda _view, frame: table_rows(frame),
)
