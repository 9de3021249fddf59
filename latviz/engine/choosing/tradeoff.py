"""The trade-off of N and w for a picture, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from latviz.core import choice as choices
from latviz.core import data, digits
from latviz.core.data.hand_cut import HandCut
from latviz.core.model.fitting import FitSettings
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Scope
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters, window_range

Map = NDArray[np.uint8]
What = Literal["w", "N", "both"]
Place = tuple[int, int]

WINDOWS = tuple(range(21))
"""The w that are compared, of sequences among others; see `compared_windows`."""
STATES = tuple(range(1, 9))
SMALL = 200
"""The longer side of a small map, at most."""


def compared_windows(picture: Picture) -> tuple[int, ...]:
    """Return the w that are compared: those of a sequence go on to an eighth of its length."""
    # Each further one is an eighth larger than the last: a curve of code lengths is flat there
    found = list(WINDOWS)
    most = min(window_range(picture.longest)[1], picture.longest // 8)
    while found[-1] < most:
        found.append(min(most, found[-1] + found[-1] // 8))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Errand:
    """Work for when no request waits."""

    frame: Frame  # not coarse
    fill: bool  # a visible view shows the trade-off
    # the acts that the user undid, if a visible view shows advice
    declined: frozenset[tuple[str, Parameters]] | None = None
    choose: What | None = None  # which of N and w to choose, if the user asked


@dataclass(frozen=True)
class Basis:
    """The basis of a trade-off: pictures, and the merge tree of all its codebooks."""

    scope: Scope
    hierarchy: "data.cutting.ClusterHierarchy"  # of the tree, compared by identity
    hand_cut: HandCut
    fit: FitSettings  # of all N and w
    given: Given | None  # the model that is applied; its N is the only one

    @classmethod
    def of(cls, frame: Frame) -> "Basis":
        """Return the inputs of a frame that was not kept, except N and w."""
        request = frame.request
        assert frame.cut is not None
        return cls(
            Scope.of(frame),
            frame.cut.hierarchy,
            request.hand_cut,
            request.fit.common,
            request.given,
        )


@dataclass(frozen=True, eq=False)
class TradeOff:
    """The scores of each setting computed so far, for the evaluated part of a picture."""

    # Settings and maps are by (N, w), as a frame has them: decoded by the nearest codeword, with
    # the codebooks of the frame's tree. Pictures too large to be evaluated as a whole have settings
    # of a part, and no maps
    basis: Basis
    step: int
    settings: "Mapping[Place, choices.settings.Setting]"  # ``changed`` is from w - 1
    # the slot of one pixel in each cell of ``step`` x ``step`` of the plane that is shown
    maps: Mapping[Place, Map]
    # the N, and ``windows`` the w, of the settings and of the coming ones
    states: tuple[int, ...]
    windows: tuple[int, ...]
    one: float  # the code length of one state, with any window

    @property
    def scale(self) -> digits.ErrorScale:
        """How its prediction errors are shown."""
        return digits.ErrorScale.of((one.code_length for one in self.settings.values()), self.one)

    @property
    def scope(self) -> Scope:
        """The evaluated part of the pictures."""
        return self.basis.scope

    @property
    def exact(self) -> bool:
        """True if all pictures are evaluated whole, so that the numbers equal those of a frame."""
        return self.scope.whole

    @property
    def fraction(self) -> float:
        """The share of the results for all N and w that is computed, from 0 to 1."""
        return self.fraction_at((self.states[0], WINDOWS[0]))

    def fraction_at(self, place: Place) -> float:
        """Return the share of the results for N and w that is computed, from 0 to 1.

        Rows of an N beyond `STATES`, and columns of such a w, stay unchanged when it changes.
        """
        n, w = place
        usual = STATES if self.basis.given is None else self.states
        windows = compared_windows(self.scope.picture)
        wanted = {(a, b) for a in (*usual, n) for b in (*windows, w)}
        return len(wanted & self.settings.keys()) / len(wanted)

    @property
    def has_truth(self) -> bool:
        """True if settings were compared with known states."""
        return any(setting.accuracy is not None for setting in self.settings.values())

    def row(self, n_states: int) -> "list[choices.settings.Setting]":
        """Return the settings of one N, by increasing w."""
        found = (self.settings.get((n_states, w)) for w in self.windows)
        return [setting for setting in found if setting is not None]

    def column(self, window: int) -> "list[choices.settings.Setting]":
        """Return the settings of one window, by increasing N."""
        found = (self.settings.get((n, window)) for n in self.states)
        return [setting for setting in found if setting is not None]

    def best_window(self, n_states: int) -> int | None:
        """Return the w of the least code length of one N; the smallest of several."""
        row = self.row(n_states)
        return min(row, key=lambda setting: setting.code_length).window if row else None


@dataclass(frozen=True, eq=False)
class Chosen:
    """The N and w that the program chose, for the evaluated part of a picture."""

    scope: Scope
    what: What
    n_states: int
    window: int
    says: str  # what they are
    because: str
    rule: str  # by which rule
    dependent: bool = False  # neighbours depend, so no N is right, and these are a start
    codebook_window: int | None = None  # w_l; None to keep it

    @property
    def sentence(self) -> str:
        """What they are, and why."""
        return f"{self.says}. {self.because}"

    def is_in(self, parameters: Parameters) -> bool:
        """Return True if parameters have what was chosen."""
        return self.applied(parameters) == parameters

    def applied(self, parameters: Parameters) -> Parameters:
        """Return the parameters with the choice."""
        w_l = self.codebook_window
        held = parameters if w_l is None else replace(parameters, learning_window=w_l)
        held = held if self.what == "N" else replace(held, second_window=None)
        return replace(held, n_states=self.n_states, window=self.window)


def shrunk(values: NDArray[Any], step: int) -> NDArray[Any]:
    """Return the value of one pixel in each cell of ``step`` x ``step``, which may be cut off."""
    rows, columns = (slice(min(step, length) // 2, None, step) for length in values.shape[:2])
    return np.ascontiguousarray(values[rows, columns])


def settings_table(trade_off: TradeOff) -> tuple[list[str], list[list[Any]]]:
    """Return the names of columns, and a row for each N and w with the scores of that setting.

    Unknown scores are None. The last column has the bits saved over one state.
    """
    # Prediction errors that are not shown as they are have no column
    found = [trade_off.settings[place] for place in sorted(trade_off.settings)]
    hidden = {"code_length"} if trade_off.scale.one is not None else {}
    names = [one.name for one in fields(choices.settings.Setting) if one.name not in hidden]
    return [*names, "saved"], [
        [*(getattr(one, name) for name in names), trade_off.one - one.code_length] for one in found
    ]
