"""The map of one number per pixel in words, as a table and in a script."""

import numpy as np

from latviz.app.views.spec import Rows
from latviz.core import digits
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import believed, decoded, decoding_model, kind_of, stacked
from latviz.engine.geometry.node_maps import NodeMap
from latviz.engine.geometry.selection import MapKind

TITLES: dict[MapKind, str] = {
    "likelihood": "Log-likelihood of each {node}, bits",
    "inertia": "Inertia of each window",
    "doubt": "Entropy of each {whose}’s belief, bits",
    "resemblance": "Correlation with neighbours within a state",
}


def title_of(kind: MapKind, frame: Frame) -> str:
    """Return the title of a kind of map for a frame."""
    node = frame.request.picture.node_name
    whose = "window" if frame.believed is None else node
    return TITLES[kind].format(node=node, whose=whose)


def range_text(shown: NodeMap, frame: Frame) -> str:
    """Return the title and the range of a map."""
    low, high = (digits.measure(value) for value in (shown.low, shown.high))
    return f"{title_of(shown.kind, frame)}: from {low} to {high}."


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
