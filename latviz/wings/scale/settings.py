"""The settings for decoding a pyramid, as a value; it does not load dask."""

from dataclasses import dataclass

from latviz.core.data.encoding import Encoding
from latviz.core.data.lattice import each_of
from latviz.core.model.fitting import FitSettings


@dataclass(frozen=True, kw_only=True)
class HowDecoded:
    """The settings for decoding one level of an image; without encoding, channels are plain."""

    encoding: Encoding | None
    fit: FitSettings  # of one window
    decoder: str = "nearest"
    level: int = 0
    time: int = 0

    @property
    def window(self) -> int:
        """The half-width w."""
        return each_of(self.fit.window)[0]
