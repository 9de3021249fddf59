"""The settings for decoding a pyramid, as a value; it does not load dask."""

from dataclasses import dataclass

from latviz.core.data.encoding import Encoding


@dataclass(frozen=True, kw_only=True)
class HowDecoded:
    """The settings for decoding one level of an image; without encoding, channels are plain."""

    encoding: Encoding | None
    n_states: int
    window: int
    learning_window: int | None = None
    smoothing: float = 0.0
    decoder: str = "nearest"
    level: int = 0
    time: int = 0
