"""The settings for decoding a pyramid, as a value; it does not load dask."""

from dataclasses import dataclass

from latviz import files
from latviz.core.data.encoding import Encoding
from latviz.core.data.lattice import each_of
from latviz.core.errors import ParameterError
from latviz.core.model.fitting import FitSettings
from latviz.engine.settings.parameters import Parameters, in_force


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


def settings_of(pyramid: "files.pyramids.Pyramid", parameters: Parameters, time: int) -> HowDecoded:
    """Return the settings for decoding a pyramid as parameters say."""
    if not parameters.decoding.in_parts:
        raise ParameterError(
            f"the decoder {parameters.decoder!r} needs all pixels at once, not chunk "
            "by chunk: choose another one"
        )
    parameters = in_force(parameters, pyramid.dimensions)
    if parameters.further_windows:
        raise ParameterError("only one window can be used here: link the joined window to w first")
    few = pyramid.n_channels in (1, files.pyramids.COLOURS)
    in_colour = few and not parameters.encoding.kind.channels
    return HowDecoded(
        encoding=parameters.encoding if in_colour else None,
        fit=parameters.fit,
        decoder=parameters.decoder,
        time=time,
    )
