"""The values beneath all encodings of the pictures that are tried, and what is chosen from them."""

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from latviz.core.choice import choosing
from latviz.core.choice.code_length import CodeLength
from latviz.core.choice.growing import Growth
from latviz.core.choice.levelling import in_even_light
from latviz.core.choice.pixel_error import N_BINS, Bins, pixel_error
from latviz.core.data.data_set import DataSet, as_data_set
from latviz.core.data.observations import Observations
from latviz.core.decoders import DECODERS
from latviz.core.model.law import distance_of
from latviz.core.progress import Progress
from latviz.core.types import Matrix
from latviz.engine.advice.tries import TriedPart
from latviz.engine.choosing.tradeoff import STATES, compared_windows
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.data_sets import by_lattices, data_set_of, observed
from latviz.engine.settings.parameters import Parameters, in_force

KINDS = 16
"""Most states that are looked for in channels: four stains, each there or not, make as many."""


class Beneath:
    """Greys, colours or labels, whatever encoding is shown."""

    def __init__(self, basis: TriedPart) -> None:
        self._basis, self._plain = basis, basis.plain(Parameters()).encoding
        self._growths = dict[bool, Growth]()  # which stay if the user interrupts

    def choice(self, progress: Progress | None, *, level: bool = False) -> choosing.Choice:
        """Choose N for the values, or for those of levelled colours."""
        if level not in self._growths:
            self._growths[level] = Growth(self._data(level))
        found = self._chosen(self._data(level), self._growths[level], progress)
        return replace(found, uneven=True) if level else found

    def sparse(self, progress: Progress | None, *, level: bool) -> choosing.Choice:
        """Choose N for every second node along each axis."""
        data = self._data(level)
        every = (slice(None, None, 2),) * data.dimensions
        some = [values[every] for values in data.values]
        masks = [None if known is None else known[every] for known in data.masks]
        few = as_data_set(some, kind=data.kind, n_symbols=data.n_symbols).under(masks)
        return self._chosen(few, Growth(few), progress)

    def _chosen(self, data: DataSet, growth: Growth, progress: Progress | None) -> choosing.Choice:
        most = KINDS if self._basis.encoding == "channels" else STATES[-1]
        windows = list(compared_windows(self._basis.of.picture)[1:])
        return choosing.chosen(data, list(range(1, most + 1)), windows, growth, progress)

    def are_uneven_colours(self, progress: Progress | None) -> bool:
        """Return True if uneven light lies under colours; `choose` finds it under numbers."""
        if not self._basis.is_colour:
            return False
        return in_even_light(self._lightness, choosing.LARGEST, progress).levelled

    def error_of(self, frame: Frame, progress: Progress | None) -> CodeLength:
        """Return the pixel error of a frame."""
        values, known = self._channels(self._of(frame)), self._basis.picture.known
        if self._bins is None:
            bins, n_bins = values.astype(np.intp), self._seen.n_symbols
        else:
            bins, n_bins = self._bins.binned(values), N_BINS
        flat = None if known is None else known.reshape(-1)
        without, within, shapes = _shares(frame, flat, progress)
        return pixel_error(bins, n_bins, without, within, shapes, flat)

    def law_distance_of(self, frame: Frame) -> float:
        """Return the distance of numbers in the states of a frame from the normal law."""
        data = data_set_of([self._of(frame)], [self._basis.picture])
        return distance_of(data, by_lattices(frame.states, data))

    @cached_property
    def _lightness(self) -> Growth:
        """Of L*, the first channel."""
        numbers = [values[..., 0] for values in self._data(False).values]
        data = as_data_set(numbers, kind="gaussian", scalar=True)
        return Growth(data.under(self._data(False).masks))

    def _data(self, level: bool) -> DataSet:
        """Return the data of the pictures, of levelled ones if asked."""
        members = observed(self._basis.pictures.members, replace(self._plain, level=level))
        data = data_set_of(members, self._basis.pictures.members)
        return data.spaced(self._basis.spacing)

    def _of(self, frame: Frame) -> Observations:
        """Return the values beneath a frame: levelled ones if it levels them."""
        return self._even if frame.observations.encoder.encoding.is_levelled else self._seen

    @cached_property
    def _seen(self) -> Observations:
        return self._shown(level=False)

    @cached_property
    def _even(self) -> Observations:
        return self._shown(level=True)

    def _shown(self, *, level: bool) -> Observations:
        """Return the values of the picture on screen."""
        # Not by their spreads: a levelled channel has another one, and bins are in one unit
        encoding = replace(self._plain, level=level, scaled=False)
        pictures = self._basis.pictures
        return observed(pictures.everything, encoding)[pictures.place]

    @cached_property
    def _bins(self) -> Bins | None:
        """Of numbers; None for labels."""
        seen = self._seen
        if seen.discrete:
            return None
        return Bins.of(self._channels(seen))

    def _channels(self, seen: Observations) -> NDArray[np.generic]:
        """Return the values of known pixels, (n, C)."""
        picture = self._basis.picture
        values = seen.values.reshape(picture.n_nodes, -1)
        return values if picture.known is None else values[picture.known.reshape(-1)]


def _shares(
    frame: Frame, known: NDArray[np.bool_] | None, progress: Progress | None
) -> tuple[Matrix, Matrix, list[tuple[int, ...]]]:
    """Return each known node's distribution over states without itself, with itself; and shapes."""
    some = slice(None) if known is None else known
    n_states = frame.model.n_states
    if frame.believed is not None:
        fields = frame.believed.fields
        beliefs = [each.beliefs().reshape(-1, n_states).astype(np.float64) for each in fields]
        cavities = [
            own * np.exp(each.state_nats().reshape(-1, n_states))
            for own, each in zip(beliefs, fields, strict=True)
        ]
        within, without = np.concatenate(beliefs)[some], np.concatenate(cavities)[some]
        return without / without.sum(axis=1, keepdims=True), within, [f.shape for f in fields]
    parameters = in_force(frame.request.parameters, frame.request.picture.dimensions)
    picture = frame.request.picture
    data = data_set_of([frame.observations], [picture])
    data = data.spaced(frame.request.spacing)
    left_out = DECODERS[parameters.decoder].left_out
    assert left_out is not None
    states = left_out(data, frame.codewords, parameters.windows, progress)
    shares = np.eye(n_states)[np.concatenate([each.reshape(-1) for each in states])[some]]
    return shares, shares, [each.shape for each in states]
