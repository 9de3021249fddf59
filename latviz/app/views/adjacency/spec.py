"""A, as a view."""

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from latviz.app.actions import Action, Item
from latviz.app.docks import Place
from latviz.app.views.adjacency.view import AdjacencyView
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.verbs import of_spot
from latviz.engine.frame import Frame


class FacePicker(QWidget):
    """Whether A is a heat map or a graph.

    Signals
    -------
    picked(bool)
        True for a graph.
    """

    picked = pyqtSignal(bool)

    def __init__(self) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(0)
        self.map, self.graph = QToolButton(), QToolButton()
        for button, text, tip in (
            (self.map, "Heat map", "A as a table of colours"),
            (self.graph, "Graph", "A as a graph of states (G)"),
        ):
            button.setText(text)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setCheckable(True)
            layout.addWidget(button)
        self.show_graph(False)
        self.map.clicked.connect(lambda: self._pick(False))
        self.graph.clicked.connect(lambda: self._pick(True))

    def show_graph(self, graph: bool) -> None:
        """Show which it is, without a signal."""
        self.map.setChecked(not graph)
        self.graph.setChecked(graph)

    def _pick(self, graph: bool) -> None:
        self.show_graph(graph)
        self.picked.emit(graph)


def connect(view: AdjacencyView, context: Context) -> None:
    """Let the view choose its scale."""
    view.log_scale_toggled.connect(lambda on: context.document.set_display(log_scale=on))


def header(_view: AdjacencyView, context: Context) -> FacePicker:
    """Return the choice of the view's face."""
    picker = FacePicker()
    picker.picked.connect(context.preferences.show_graph)
    context.document.changed.connect(lambda _, new: picker.show_graph(new.display.graph))
    return picker


def actions(_view: AdjacencyView, context: Context) -> tuple[Item, ...]:
    """Return what is offered in the menus."""
    document = context.document
    return (
        Action(
            "Logar&ithmic A",
            "Colour the entries of A by their logarithms, to tell small ones apart",
            lambda on: document.set_display(log_scale=on),
            "L",
            ("Drawing", 2.2),
            ticked=lambda: document.display.log_scale,
        ),
        Action(
            "A as a grap&h",
            "Draw A as arrows between the states, as wide as its entries",
            context.preferences.show_graph,
            "G",
            ("Drawing", 2.3),
            ticked=lambda: document.display.graph,
        ),
    )


def table_rows(frame: Frame) -> Rows:
    """Return A, with the states as names of rows and columns."""
    A = frame.model.A.tolist()
    labels = [name or k for k, name in enumerate(frame.names, start=1)]
    return [["A", *labels], *([label, *row] for label, row in zip(labels, A, strict=True))]


SPEC = ViewSpec(
    name="adjacency",
    title=AdjacencyView.TITLE,
    make=AdjacencyView,
    place=Place("right", "space"),
    explains=("adjacency",),
    help="How often a pixel of one state has a neighbour of another, as a share of the neighbours "
    "it could have; as a heat map, or as a graph whose arrows are as wide as A.",
    connect=connect,
    needs=AdjacencyView.NEEDS,
    asks=lambda state: AdjacencyView.NEEDS if state.knows_truth else frozenset(),
    header=header,
    actions=actions,
    verbs=lambda view, context: (*of_spot(view, context), "Logarithmic A", "A as a graph"),
    table=lambda _view, frame: table_rows(frame),
)
