"""A map, as Python."""

from latviz.engine.frame import Frame
from latviz.engine.script import are_apart


def lines(frame: Frame) -> list[str]:
    """Return the map of one number a node, if it is shown."""
    if frame.map is None:
        return []
    if frame.map.kind == "likelihood":
        return ["", "node_map = score.node_log_likelihood / np.log(2)  # bits"]
    name, lattices, call = "belief_entropy", "values", "belief_entropy(model, {})"
    if frame.map.kind == "inertia":
        parameters = frame.request.parameters
        name, lattices = "local_inertia", "states"
        call = f"local_inertia({{}}, {parameters.n_states}, {parameters.window})"
    made = call.format(lattices)
    if are_apart(frame):
        made = f"np.stack([{call.format('one')} for one in {lattices}])"
    return ["", f"from latviz.core import {name}", "", f"node_map = {made}"]
