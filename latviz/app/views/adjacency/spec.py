"""A, as a view."""

from latviz.app.shell.actions import Action, Item
from latviz.app.views.adjacency.view import AdjacencyView
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.verbs import of_spot
from latviz.app.widgets.shortcuts import MAIN, with_keys
from latviz.app.widgets.title_controls import Switch
from latviz.core.types import Matrix
from latviz.engine.frames.frame import Frame


def connect(view: AdjacencyView, context: Context) -> None:
    """Connect the view's choice of scale."""
    view.log_scale_toggled.connect(lambda on: context.document.set_display(log_scale=on))


def header(_view: AdjacencyView, context: Context) -> Switch:
    """Return the choice of the view's face."""
    switch = Switch(
        ("Heat map", "A as a table of colours"),
        ("Graph", with_keys("A as a graph of states", MAIN["A as a graph"])),
    )
    switch.picked.connect(context.preferences.show_graph)
    context.document.changed.connect(lambda _, new: switch.show_choice(new.display.graph))
    return switch


def actions(_view: AdjacencyView, context: Context) -> tuple[Item, ...]:
    """Return the menu items."""
    document = context.document
    return (
        Action(
            "Logar&ithmic A",
            "Colour the entries of A by their logarithms, to distinguish small ones",
            lambda on: document.set_display(log_scale=on),
            at=("Drawing", 2.2),
            ticked=lambda: document.display.log_scale,
        ),
        Action(
            "A as a grap&h",
            "Draw A as arrows between the states, as wide as its entries",
            context.preferences.show_graph,
            at=("Drawing", 2.3),
            ticked=lambda: document.display.graph,
        ),
    )


def table_rows(frame: Frame) -> Rows:
    """Return A, and below it the coupling, with the states as names of rows and columns."""
    labels = [name or k for k, name in enumerate(frame.names, start=1)]

    def titled(title: str, table: Matrix) -> Rows:
        rows = zip(labels, table.tolist(), strict=True)
        return [[title, *labels], *([label, *row] for label, row in rows)]

    coupling = frame.coupling
    return [
        *titled("A", frame.model.A),
        *([] if coupling is None else titled("coupling", coupling)),
    ]


SPEC = ViewSpec(
    name="adjacency",
    title=AdjacencyView.TITLE,
    brief="Adjacency A",
    make=AdjacencyView,
    help="How often a pixel of one state has a neighbour of another, as a share of the neighbours "
    "it could have. Drawn as a heat map, or as a graph whose arrows are as wide as A.",
    connect=connect,
    needs=AdjacencyView.NEEDS,
    asks=lambda state: AdjacencyView.NEEDS if state.knows_truth else frozenset(),
    header=header,
    actions=actions,
    verbs=lambda view, context: (*of_spot(view, context), "Logarithmic A", "A as a graph"),
    table=lambda _view, frame: table_rows(frame),
)
