"""Numbers of a map."""

import numpy as np

from latviz.engine.frame import Frame
from latviz.engine.tables import Rows


def rows(frame: Frame) -> Rows:
    """Return the histogram: ranges of values, and how many nodes are in each."""
    if frame.node_map is None:
        return []
    edges = np.linspace(
        frame.node_map.low, frame.node_map.high, frame.node_map.counts.size + 1
    ).tolist()
    found = zip(edges[:-1], edges[1:], frame.node_map.counts.tolist(), strict=True)
    return [["From", "To", "Pixels"], *map(list, found)]
