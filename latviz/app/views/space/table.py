"""Numbers of the signature space."""

from latviz.engine.frame import Frame
from latviz.engine.tables import Rows


def rows(frame: Frame) -> Rows:
    """Return where each state is drawn, and its codeword."""
    if frame.space is None:
        return []
    places, codebook = frame.space.codewords.tolist(), frame.codebook.tolist()
    found = [[k, *places[k - 1], *codebook[k - 1]] for k in range(1, len(places) + 1)]
    return [["State", "x", "y", *frame.observations.names], *found]
