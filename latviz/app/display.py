"""How the window draws what is computed: options that change no number."""

from dataclasses import dataclass

from latviz.live.frame import Frame
from latviz.live.selection import Selection


@dataclass(frozen=True)
class Display:
    """Display options.

    Attributes
    ----------
    opacity : float
        Of the state map over the image, from 0 (image alone) to 1 (states alone).
    borders, leaves : bool
        Whether borders between states, and the leaves of their quadtree, are drawn.
    log_scale : bool
        Whether the heat map of A is coloured by the logarithm.
    state : int or None
        The state under the pointer, which views set off.
    frozen : Frame or None
        Decoding A, shown left of the divider.
    split : float
        Where the divider is, from 0 (left) to 1.
    selection : Selection or None
        What a person picked out: its pixels are lit.
    """

    opacity: float = 1.0
    borders: bool = False
    leaves: bool = False
    log_scale: bool = False
    state: int | None = None
    frozen: Frame | None = None
    split: float = 0.5
    selection: Selection | None = None
