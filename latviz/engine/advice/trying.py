"""Computes what advice depends on, one try at a time, in idle time."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from latviz.core import segmentation
from latviz.core.progress import Cancelled, Progress, heeding, shares
from latviz.core.segmentation.defaults import LEAST_CONTRAST
from latviz.engine.advice.advice import NOTHING, Advice, Declined, advise
from latviz.engine.advice.beneath import Beneath
from latviz.engine.advice.case import Case
from latviz.engine.advice.chosen import chosen
from latviz.engine.advice.rims import count_rims
from latviz.engine.advice.tries import CLEAR, Holding, Tried, TriedPart, Tries, Untried, Wanted
from latviz.engine.choosing.scales import counted_over_cuts
from latviz.engine.choosing.scaling import Scaling
from latviz.engine.choosing.sweeping import Sweeping, kernels_of
from latviz.engine.choosing.tradeoff import Chosen, Errand, What, compared_windows
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Listener
from latviz.engine.frames.requests import request_for
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.parameters import Parameters

ROOM = 4
"""Values of each stage that tries remember."""


class Trying:
    """Does the tries that advice depends on; remembers those of the last pictures.

    It is used by one thread at a time.
    """

    def __init__(self, sweeping: Sweeping, tries: Tries | None = None) -> None:
        self._sweeping = sweeping
        self._tries = tries
        self._pipeline = Pipeline(ROOM)
        self._beneath: Beneath | None = None

    def known(self, frame: Frame) -> Tries:
        """Return what was tried so far for the pictures of a frame."""
        if self._tries is None or not TriedPart.is_of(self._tries.basis, frame):
            self._tries, self._beneath = Tries(TriedPart.of_frame(frame)), None
            self._pipeline = Pipeline(ROOM)
        return self._tries

    def final(self, frame: Frame, progress: Progress, declined: Declined = NOTHING) -> Advice:
        """Return the advice on a frame after all tries that it depends on."""
        while self.next(frame, progress, declined) is not None:
            pass
        return advise(frame, self.known(frame), declined)

    def wanted(self, frame: Frame, declined: Declined = NOTHING) -> Wanted | None:
        """Return what is tried next; None if the advice on a frame is final."""
        return advise(frame, self.known(frame), declined).wanted

    def next(self, frame: Frame, progress: Progress, declined: Declined = NOTHING) -> Tries | None:
        """Do one more try; return None if the advice on a frame is final."""
        # After `Cancelled` all tries stay
        wanted = self.wanted(frame, declined)
        return None if wanted is None else self.make(wanted, frame, progress)

    def choose(self, frame: Frame, what: What, progress: Progress | None = None) -> Chosen:
        """Choose w, N or both for a frame, by the choice that its advice depends on."""
        trying, measuring = shares(progress, [3.0, 1.0])
        while True:
            try:
                return chosen(Case(frame, self.known(frame)), what, self._sweeping, measuring)
            except Untried as missing:
                self.make(missing.wanted, frame, trying)

    def make(self, wanted: Wanted, frame: Frame, progress: Progress | None = None) -> Tries:
        """Do one try."""
        with heeding(progress):
            self._tries = self._more(wanted, frame, progress)
        return self._tries

    def _more(self, wanted: Wanted, frame: Frame, progress: Progress | None) -> Tries:
        """Return the tries with one more."""
        tries = self.known(frame)
        if not isinstance(wanted, Parameters):
            return EVIDENCE[wanted].added(self, tries, frame, progress)
        found = self._tried(tries, wanted, progress)
        return replace(tries, tried={**tries.tried, tries.effective(wanted): found})

    def _values(self, basis: TriedPart) -> "Beneath":
        if self._beneath is None:
            self._beneath = Beneath(basis)
        return self._beneath

    def _with_flat(self, tries: Tries, _frame: Frame, _progress: Progress | None) -> Tries:
        return replace(tries, is_flat=_is_flat(tries.basis.of))

    def _with_choice(self, tries: Tries, _frame: Frame, progress: Progress | None) -> Tries:
        beneath, (plain, light, level) = self._values(tries.basis), shares(progress, [3, 1, 3])
        tries = replace(tries, choice=beneath.choice(plain))
        # In photographs neighbours are alike whatever the light is
        if tries.shared > CLEAR or not beneath.are_uneven_colours(light):
            return tries
        return replace(tries, choice=beneath.choice(level, level=True))

    def _with_sparse(self, tries: Tries, _frame: Frame, progress: Progress | None) -> Tries:
        level = tries.choice is not None and tries.choice.uneven and tries.basis.is_colour
        return replace(tries, sparse=self._values(tries.basis).sparse(progress, level=level))

    def _with_lives(self, tries: Tries, _frame: Frame, progress: Progress | None) -> Tries:
        return replace(tries, lives=_lives(tries.basis, progress))

    def _with_window(self, tries: Tries, frame: Frame, progress: Progress | None) -> Tries:
        """Compute one more window; add the best of all once they are known."""
        now = frame.request.parameters
        found = self._sweeping.next(frame, progress) or self._sweeping.known(frame)
        windows = compared_windows(frame.request.picture)
        row = [one for one in found.row(now.n_states) if one.window in windows]
        if len(row) < len(windows):
            return tries
        best = min(row, key=lambda one: one.code_length).window
        return replace(tries, windows={**tries.windows, tries.but_window(now): best})

    def _tried(self, tries: Tries, parameters: Parameters, progress: Progress | None) -> Tried:
        """Return what settings lead to."""
        basis = tries.basis
        request = request_for(Decoding(parameters, sample=1 << 16), basis.pictures)
        frame = self._pipeline.run(request, Listener.of(progress))
        beneath = self._values(basis)
        found = Tried(beneath.error_of(frame, progress), frame.states)
        if parameters.decoding.refines:
            n_rims = count_rims(frame.states, np.asarray(frame.model.codebook))
            return replace(found, law_distance=beneath.law_distance_of(frame), n_rims=n_rims)
        return found


Piece = tuple[list[object], Errand | None]
"""What was found, and the errand that is left."""


class Errands:
    """Does errands piece by piece; it is used by one thread at a time."""

    def __init__(self, has: Callable[[Iterable[str]], bool]) -> None:
        # returns True if parts of kernels are in memory; if not, it begins to compile them
        self._has = has
        self._sweeping, self._scaling = Sweeping(), Scaling()
        self._trying = Trying(self._sweeping)

    def piece(self, errand: Errand, progress: Progress) -> Piece:
        """Do the next piece of an errand; raise `Cancelled` if it has to wait for kernels."""
        frame = errand.frame
        believes = errand.choose is not None or frame.request.believes
        more = ("beliefs",) if believes else ()
        if not self._has((*kernels_of(frame.request.picture), *more)):
            raise Cancelled
        if errand.choose is not None:
            choice = self._trying.choose(frame, errand.choose, progress)
            left = replace(errand, choose=None) if errand.fill else None
            return [self._trying.known(frame), choice], left  # the adviser uses the choice, too
        if not errand.fill:
            return [], None
        if (scales := self._scaling.next(frame, progress)) is not None:
            return [scales], errand
        return self._fill(errand, progress)

    def _fill(self, errand: Errand, progress: Progress) -> Piece:
        """Compute one more window, or make one more try."""
        frame, declined = errand.frame, errand.declined
        wanted = None if declined is None else self._trying.wanted(frame, declined)
        ready = wanted is None or self._has(["regions" if wanted == "lives" else "beliefs"])
        # The best w follows from windows that are shown, too, so they are emitted one by one
        sweeps = wanted in (None, "window") or not ready
        if sweeps and (found := self._sweeping.next(frame, progress)) is not None:
            return [found], errand
        if declined is None:
            return [], None
        if wanted is None:
            # The adviser may have dropped what is known, or an interrupted choice may have found it
            return [self._trying.known(frame)], None
        if not ready:
            raise Cancelled  # the errand waits for the kernels of its tries
        tries = self._trying.next(frame, progress, declined)
        return ([], None) if tries is None else ([tries], errand)


@dataclass(frozen=True)
class Evidence:
    """A row of `EVIDENCE`: what advice depends on, besides what settings lead to."""

    measures: str
    states: str  # on which it is measured
    error: str  # how its chance is known
    added: Callable[[Trying, Tries, Frame, Progress | None], Tries]  # returns tries with it


_GROWN = "states grown one by one, by belief"
_CHANCE = "what a state saves in data drawn without it"
EVIDENCE = {
    "flat": Evidence("whether all pixels are equal", "none", "exact", Trying._with_flat),
    "choice": Evidence(
        "N, noise, light, and the bits that each state saves", _GROWN, _CHANCE, Trying._with_choice
    ),
    "sparse": Evidence("the same for every second pixel", _GROWN, _CHANCE, Trying._with_sparse),
    "window": Evidence(
        "the w of the lowest prediction error",
        "nearest codewords at w up to 20, of sequences up to an eighth of the length",
        "none: its pixel error must gain",
        Trying._with_window,
    ),
    "lives": Evidence(
        "large regions that hold around the usual cut",
        "regions by contrast",
        "exact",
        Trying._with_lives,
    ),
}
"""The evidence by its names in `Wanted`; the manual has this table."""


def _is_flat(pictures: PictureSet) -> bool:
    """Return True if all pictures have one value, the same."""
    each = [one.pixels.reshape(one.n_nodes, -1) for one in pictures.everything]
    return all(bool((values == each[0][0]).all()) for values in each)


def _lives(basis: TriedPart, progress: Progress | None) -> Holding:
    """Return how many of the large regions by contrast hold around the usual cut."""
    picture = basis.of.picture
    axes, dimensions = picture.dimensions, picture.lattice_dimensions
    relief = segmentation.relief.relief_of(
        picture.contrasted, axes, dimensions, picture.alphabet, progress, picture.known
    )
    values = picture.pixels.reshape(*picture.shape, -1)
    first = segmentation.contrast.contrast_regions_of(
        relief, None, values, False, values.shape[-1], dimensions, progress
    )
    lives = segmentation.lives.lives_over_cut(first, np.empty((len(first), 0)), progress)
    return Holding(*counted_over_cuts(lives, LEAST_CONTRAST))
