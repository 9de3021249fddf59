"""Maps of one number per pixel, as a view."""

import numpy as np
from PyQt6.QtCore import QSize, pyqtSignal
from PyQt6.QtWidgets import QComboBox

from latviz.app.document.document import Document
from latviz.app.views.map.view import MapView
from latviz.app.views.spec import Rows, ViewSpec
from latviz.app.views.verbs import of_pixel
from latviz.app.views.viewer.control import LayersButton, LayersRow
from latviz.app.views.viewer.layers import MAPS, asks_of
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import believed, decoded, decoding_model, kind_of, stacked
from latviz.engine.geometry.selection import MapKind

_LEAST = 36


class MapPicker(QComboBox):
    """Chooses the map that is shown."""

    picked = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        for kind, text in MAPS:
            self.addItem(text, kind)
        self.setAccessibleName("Kind of map")
        self.setToolTip("What the map shows of each pixel")
        self.activated.connect(lambda _: self.picked.emit(self.currentData()))

    def minimumSizeHint(self) -> QSize:
        """Ask for room for the beginning of a name."""
        return QSize(_LEAST, super().minimumSizeHint().height())

    def show_map(self, kind: MapKind) -> None:
        """Show which map is shown, without a signal."""
        self.setCurrentIndex(self.findData(kind))


class MapHeader(LayersRow):
    """The controls in the title of the map."""

    def __init__(self, document: Document) -> None:
        self.picker = MapPicker()
        super().__init__((self.picker,), LayersButton(document, "map"))
        self.picker.picked.connect(lambda kind: document.change("Change the map", map=kind))
        document.changed.connect(lambda _, new: self.picker.show_map(new.map))


def table_rows(frame: Frame) -> Rows:
    """Return the histogram: ranges of values, with numbers of nodes."""
    if frame.node_map is None:
        return []
    edges = np.linspace(
        frame.node_map.low, frame.node_map.high, frame.node_map.counts.size + 1
    ).tolist()
    found = zip(edges[:-1], edges[1:], frame.node_map.counts.tolist(), strict=True)
    return [["From", "To", "Pixels"], *map(list, found)]


def script_lines(frame: Frame) -> list[str]:
    """Return the map of one number per node, if it is shown."""
    if frame.node_map is None:
        return []
    parameters, kind = frame.request.parameters, frame.node_map.kind
    call, name = f"belief_entropy(values, model={decoding_model(frame)})", "belief_entropy"
    belief = believed(frame)
    if kind == "likelihood":
        call, name = "score.node_log_likelihood", ""
    elif kind == "inertia":
        name = "local_inertia"
        spaced = f", spacing={spacing}" if (spacing := frame.request.spacing) else ""
        within = f"n_states={parameters.n_states}, window={parameters.window}{spaced}"
        call = f"{name}({decoded(frame)}, {within})"
    elif kind == "resemblance":
        name = "local_residual_correlation"
        call = f"{name}(values, states={decoded(frame)}, {kind_of(frame)})"
    elif belief:
        name, call = "", belief
    made = stacked(frame, call)
    if call == belief:
        made = f"scipy.special.entr({made}).sum(axis=-1) / np.log(2)"
    bits = " / np.log(2)  # bits" if kind == "likelihood" else ""
    loaded = [f"from latviz.core import {name}", ""] if name else []
    loaded += ["import scipy.special", ""] if "scipy" in made else []
    return ["", *loaded, f"node_map = {made}{bits}"]


SPEC = ViewSpec(
    name="map",
    title=MapView.TITLE,
    of_picture=True,
    make=MapView,
    help=(
        "A map of each pixel: its log-likelihood, the inertia of its window, the entropy of its "
        "belief (doubt), or its correlation with neighbours within a state (resemblance). A "
        "histogram lets you highlight ranges."
    ),
    asks=asks_of("map"),
    header=lambda _view, context: MapHeader(context.document),
    verbs=of_pixel,
    table=lambda _view, frame: table_rows(frame),
    script=lambda _view, frame: script_lines(frame),
)
