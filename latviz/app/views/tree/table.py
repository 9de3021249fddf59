"""Numbers of the merge tree."""

from latviz.engine.frame import Frame
from latviz.engine.tables import Rows


def rows(frame: Frame) -> Rows:
    """Return what each merge costs."""
    if frame.dendrogram is None:
        return []
    costs = enumerate(frame.dendrogram.costs.tolist())
    return [["N", "Cost of merging N + 1 to N"], *([n, cost] for n, cost in costs if n)]
