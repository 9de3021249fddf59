"""How a pyramid is decoded, as a value; it loads no dask."""

from dataclasses import dataclass

from latviz.core.data.encoding import Encoding


@dataclass(frozen=True, kw_only=True)
class HowDecoded:
    """How one level of one image is decoded; without an encoding, by its channels as they are."""

    encoding: Encoding | None
    n_states: int
    window: int
    learning_window: int | None = None
    smoothing: float = 0.0
    decoder: str = "nearest"
    level: int = 0
    time: int = 0
