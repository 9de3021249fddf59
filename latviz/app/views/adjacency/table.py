"""Numbers of A."""

from latviz.engine.frame import Frame
from latviz.engine.tables import Rows


def rows(frame: Frame) -> Rows:
    """Return A, with the states as names of rows and columns."""
    A = frame.model.A.tolist()
    numbers = list(range(1, len(A) + 1))
    return [["A", *numbers], *([k, *row] for k, row in zip(numbers, A, strict=True))]
