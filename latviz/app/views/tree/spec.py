"""The merge tree, as a view."""

from latviz.app.docks import Place
from latviz.app.views.spec import Context, ViewSpec
from latviz.app.views.tree import script, table
from latviz.app.views.tree.view import TreeView


def connect(view: TreeView, context: Context) -> None:
    """Let the cut set N."""
    view.n_states_wanted.connect(lambda n: context.document.set("Change N", n_states=n))


SPEC = ViewSpec(
    name="tree",
    title=TreeView.TITLE,
    make=TreeView,
    place=Place("below", "space"),
    help="The last merges of the quantization, and the squared error that each adds. The cut is "
    "N: drag it, or move it with the arrow keys.",
    shown_at_first=False,
    needs=TreeView.NEEDS,
    connect=connect,
    table=lambda _view, frame: table.rows(frame),
    script=lambda _view, frame: script.lines(frame),
)
