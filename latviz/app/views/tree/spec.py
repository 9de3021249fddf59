"""The merge tree, as a view."""

from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.tree.view import TreeView
from latviz.app.views.verbs import of_spot
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import learned_from


def connect(view: TreeView, context: Context) -> None:
    """Connect the cut to N."""
    view.n_states_wanted.connect(lambda n: context.document.set("Change N", n_states=n))


def table_rows(frame: Frame) -> Rows:
    """Return the cost of each merge."""
    if frame.dendrogram is None:
        return []
    costs = enumerate(frame.dendrogram.costs[: frame.dendrogram.n_straight + 1].tolist())
    return [["N", "Cost of merging N + 1 to N"], *([n, cost] for n, cost in costs if n)]


def script_lines(frame: Frame) -> list[str]:
    """Return lines that compute the costs of the last merges, if the merge tree is shown."""
    if frame.dendrogram is None:
        return []
    n_merges = frame.dendrogram.n_leaves - 1
    window = frame.request.parameters.effective_learning_window
    return [
        "",
        "from latviz.core.model.learning import learn_tree",
        "",
        f"lattices = model.data_set({learned_from(frame)}).lattices",
        f"tree = learn_tree(lattices, model.n_symbols, window={window})",
        f"merge_costs = tree.costs[::-1][:{n_merges}]  # of 2 to 1, 3 to 2, ...",
    ]


SPEC = ViewSpec(
    name="tree",
    title=TreeView.TITLE,
    make=TreeView,
    help="The last merges of the quantization, and the squared error that each adds. The cut is "
    "N: drag it, or move it with the arrow keys.",
    needs=TreeView.NEEDS,
    connect=connect,
    verbs=lambda view, context: (*of_spot(view, context), "Choose N"),
    table=lambda _view, frame: table_rows(frame),
    script=lambda _view, frame: script_lines(frame),
)
