"""A map, as Python."""

from latviz.engine.frame import Frame
from latviz.engine.script import are_apart, decoded


def lines(frame: Frame) -> list[str]:
    """Return the map of one number a node, if it is shown."""
    if frame.node_map is None:
        return []
    parameters, kind = frame.request.parameters, frame.node_map.kind
    call, name = "belief_entropy(model, values)", "belief_entropy"
    if kind == "likelihood":
        call, name = "score.node_log_likelihood", ""
    elif kind == "inertia":
        name = "local_inertia"
        call = f"{name}({decoded(frame)}, {parameters.n_states}, {parameters.window})"
    made = f"np.stack({call})" if are_apart(frame) else call
    bits = " / np.log(2)  # bits" if kind == "likelihood" else ""
    loaded = [f"from latviz.core import {name}", ""] if name else []
    return ["", *loaded, f"node_map = {made}{bits}"]
