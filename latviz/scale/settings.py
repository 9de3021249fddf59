"""How a pyramid is decoded, as a value; it loads no dask."""

from dataclasses import dataclass

from latviz.core.data.encoding import Encoding


@dataclass(frozen=True, kw_only=True)
class HowDecoded:
    """How a pyramid is decoded.

    Attributes
    ----------
    encoding : Encoding or None
        What the model sees of a pixel; None for its channels as they are.
    n_states, window : int
        N and w.
    learning_window : int or None
        w_l, if it is another one.
    smoothing : float
        Pseudo-counts, as for `fit`.
    decoder : {"nearest", "likelihood", "belief"}
    level, time : int
        Which level of which image.
    """

    encoding: Encoding | None
    n_states: int
    window: int
    learning_window: int | None = None
    smoothing: float = 0.0
    decoder: str = "nearest"
    level: int = 0
    time: int = 0
