"""How the window draws what is computed: options that change no number."""

from dataclasses import dataclass
from typing import Literal

from latviz.engine.frame import Frame
from latviz.engine.selection import Selection

Comparison = Literal["split", "flicker", "difference"]
Marks = Literal["none", "numbers", "hatching"]


@dataclass(frozen=True)
class Display:
    """Display options.

    Attributes
    ----------
    opacity : float
        Of the state map over the image, from 0 (image alone) to 1 (states alone).
    borders, leaves : bool
        Whether borders between states, and the leaves of their quadtree, are drawn.
    paths : bool
        Whether the paths of the states as w grows are drawn.
    log_scale : bool
        Whether A is coloured, or its edges are drawn, by the logarithm.
    graph : bool
        Whether A is a graph of states, not a heat map.
    state : int or None
        The state under the pointer, which views set off.
    symbol : int or None
        The symbol under the pointer, which is set off in the inspected window.
    frozen : Frame or None
        Decoding A, which is compared with what is decoded now, B.
    comparison : {"split", "flicker", "difference"}
        A left and B right of a divider; A and B by turns; B where they differ.
    split : float
        Where the divider is, from 0 (left) to 1.
    flipped : bool
        Whether it is A's turn.
    marks : {"none", "numbers", "hatching"}
        What tells states apart without colour.
    still : bool
        Whether nothing may move by itself.
    selection : Selection or None
        What a person picked out: its pixels are lit.
    slice : int
        Of a volume: which slice is shown.
    """

    opacity: float = 1.0
    borders: bool = False
    leaves: bool = False
    paths: bool = False
    log_scale: bool = False
    graph: bool = False
    state: int | None = None
    symbol: int | None = None
    frozen: Frame | None = None
    comparison: Comparison = "split"
    split: float = 0.5
    flipped: bool = False
    marks: Marks = "none"
    still: bool = False
    selection: Selection | None = None
    slice: int = 0

    @property
    def share_of_a(self) -> float:
        """How much of the state map, from the left, shows A."""
        if self.frozen is None or self.comparison == "difference":
            return 0.0
        return self.split if self.comparison == "split" else float(self.flipped)
