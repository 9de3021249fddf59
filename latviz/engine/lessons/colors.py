"""The colours of states in lessons: those of the regions that they stand for."""

from collections.abc import Mapping

_TWO = ("#0072b2", "#e69f00")
REGION_COLORS: Mapping[str, tuple[str, ...]] = {
    "blobs": ("#484848", "#009e73", "#f0e442", "#d55e00"),
    "figure1": _TWO,
    "figure2": _TWO,
    "figures": _TWO,
    "stripes": ("#0072b2", "#f0e442"),
    "volume": ("#0072b2", "#d55e00", "#f0e442"),
    "leaves": ("#009e73", "#6c9048", "#d55e00", "#f0e442"),
    "scales": ("#1f4e9c", "#9cc3f5", "#f7c58b", "#b4500f"),  # a hue for each coarse state
}
"""By demo: the colour of each true state, the palette's nearest to that of its regions by hue.

Demos of grey alone have dark and light colours; those without main colours have none.
"""
