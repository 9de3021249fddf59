"""Numbers of the indices."""

from latviz.engine.frame import Frame
from latviz.engine.tables import Rows


def rows(frame: Frame) -> Rows:
    """Return associativity, and inertia if it was computed."""
    found: Rows = [["Index", "Value"], ["Associativity", frame.associativity]]
    return found if frame.inertia is None else [*found, ["Inertia", frame.inertia]]
