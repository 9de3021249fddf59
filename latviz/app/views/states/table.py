"""Numbers of the state map."""

from latviz.engine.frame import Frame
from latviz.engine.tables import Rows


def rows(frame: Frame) -> Rows:
    """Return how many nodes each state has, and their share."""
    occupancy = frame.occupancy.tolist()
    n_nodes = max(1, sum(occupancy))
    found = [[k, n, n / n_nodes] for k, n in enumerate(occupancy, start=1)]
    return [["State", "Pixels", "Share"], *found]
