"""What is known of the trade-off of N and w for a picture, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from latviz.core import choice as choices
from latviz.engine.frame import Frame
from latviz.engine.matching import matched_slots
from latviz.engine.scope import Scope

Map = NDArray[np.uint8]
What = Literal["w", "N", "both"]
Place = tuple[int, int]

WINDOWS = tuple(range(21))
STATES = tuple(range(1, 9))
SMALL = 200
"""The longer side of a small map, at most."""


@dataclass(frozen=True, eq=False)
class Errand:
    """What to compute when no request waits.

    Attributes
    ----------
    frame : Frame
        Whole; its picture, encoding, N and w, and its colours.
    fill : bool
        Whether a visible view shows the trade-off.
    choose : str or None
        Which of N and w to choose, if a person asked.
    """

    frame: Frame
    fill: bool
    choose: What | None = None


@dataclass(frozen=True, eq=False)
class TradeOff:
    """What the settings that were computed so far are worth, for what is looked at of a picture.

    Settings and maps are by (N, w). Every window learns for itself (w_l = w), from a sample.

    Attributes
    ----------
    scope : Scope
        What is looked at.
    hole : int
        What code lengths leave out: the pixels within this of each pixel; 0 is the pixel alone,
        else those at the edge are given.
    settings : Mapping of (int, int) to Setting
    maps : Mapping of (int, int) to ndarray, uint8
        The slot of one pixel in each cell of ``step`` x ``step`` of the plane that is shown. Along
        w slots are matched from one window to the next, so that most pixels keep theirs.
    last_change : Mapping of int to ndarray, shape of the plane, uint8
        By N: the largest w, of `WINDOWS` that are there, at which the pixel's slot differs from
        that at w - 1; 0 if it never does.
    states, windows : tuple of int
        What is to be computed in the end, in order.
    """

    scope: Scope
    step: int
    hole: int
    settings: "Mapping[Place, choices.settings.Setting]"
    maps: Mapping[Place, Map]
    last_change: Mapping[int, Map]
    states: tuple[int, ...]
    windows: tuple[int, ...]

    @property
    def fraction(self) -> float:
        """How much of all there is to compute is there, from 0 to 1."""
        return len(self.settings) / (len(self.states) * len(self.windows))

    @property
    def has_truth(self) -> bool:
        """Whether settings were compared with known states."""
        return any(setting.accuracy is not None for setting in self.settings.values())

    def row(self, n_states: int) -> "list[choices.settings.Setting]":
        """Return the settings of one N, by increasing w."""
        found = (self.settings.get((n_states, w)) for w in self.windows)
        return [setting for setting in found if setting is not None]

    def telling(self, n_states: int) -> "list[choices.settings.Setting]":
        """Return those of a row whose windows reach beyond the hole; all, if none do."""
        row = self.row(n_states)
        return [s for s in row if self.hole == 0 or s.window > self.hole] or row

    def best_window(self, n_states: int) -> int | None:
        """Return the w of the least code length of one N; the smallest of several."""
        row = self.row(n_states)
        return min(row, key=lambda setting: setting.code_length).window if row else None


@dataclass(frozen=True, eq=False)
class Chosen:
    """N and w as `choose` would have them, for what is looked at of a picture.

    ``n_states`` and ``window`` are what to set; ``sentence`` says why, ``rule`` by which rule.
    """

    scope: Scope
    what: What
    n_states: int
    window: int
    sentence: str
    rule: str


def shrunk(values: NDArray[Any], step: int) -> NDArray[Any]:
    """Return the value of one pixel in each cell of ``step`` x ``step``, which may be cut off."""
    rows, columns = (slice(min(step, length) // 2, None, step) for length in values.shape)
    return np.ascontiguousarray(values[rows, columns])


def slot_names(trade_off: TradeOff, frame: Frame) -> tuple[int, ...]:
    """Return the slot in a frame for each slot of the maps, so that most pixels agree.

    They differ where w was moved on other ways than those along which the maps were matched.
    """
    parameters = frame.request.parameters
    small = trade_off.maps.get((parameters.n_states, parameters.window))
    n_slots = 1 + max((int(m.max()) for m in trade_off.maps.values()), default=0)
    if small is None or frame.coarse:
        return tuple(range(n_slots))
    scope = trade_off.scope
    states = shrunk(scope.seen(scope.cut(frame.states)), trade_off.step).reshape(-1)
    return tuple(matched_slots(states, frame.slots, small.reshape(-1), n_slots))


def reasons(
    choice: "choices.choosing.Choice", what: What, now: Place, node: str
) -> tuple[Place, str]:
    """Return the N and w to set, and one sentence that says why.

    ``now`` is N and w as they are, ``node`` what people call a node. Where only w is asked for and
    N states are not worth it, it is the w of the least code length of N states.
    """
    n, w = choice.n_states, choice.window
    one, row = choice.bits[0].min(), choice.states.index(n)
    told = f"a left-out {node}" if choice.hole == 0 else f"a {node} among known neighbours"
    if what == "w":
        row = choice.states.index(now[0])
        if choice.bits[row].min() < one or now[0] == 1:
            bits = choice.window_bits if n == now[0] else choice.bits[row]
            w = w if n == now[0] else choice.windows[int(bits.argmin())]
            return (now[0], w), _why_window(choice, bits, w, told)
        return now, f"w stays {now[1]}: with any w, {now[0]} states predict no better than one"
    if n == 1:
        return (1, now[1]), f"N = 1: no structure is found, as states help little to predict {told}"
    text = _why_states(choice, row)
    if what == "N":
        return (n, now[1]), text
    return (n, w), f"{text}; {_why_window(choice, choice.window_bits, w, told)}"


def _why_window(
    choice: "choices.choosing.Choice", bits: NDArray[np.float64], w: int, told: str
) -> str:
    k = choice.windows.index(w)
    smaller, larger = bits[:k] - bits[k], bits[k + 1 :] - bits[k]
    parts = [
        f"{name} windows predict {told} {_worse(rest.min())}"
        for name, rest in (("smaller", smaller), ("larger", larger))
        if rest.size
    ]
    if len(parts) == 2:
        parts[1] = f"larger ones {_worse(larger.min())}"
    return f"w = {w}: {', '.join(parts)}" if parts else f"w = {w}, the only window to choose from"


def _why_states(choice: "choices.choosing.Choice", row: int) -> str:
    k = choice.windows.index(choice.window)
    bits = choice.bits[:, k] if choice.hole else choice.bits.min(axis=1)
    text = f"N = {choice.n_states}: fewer states predict {_worse(bits[:row].min() - bits[row])}"
    more = "more save too little or are as thin as borders"
    return f"{text}, {more}" if row + 1 < len(bits) else text


def _worse(bits: float) -> str:
    if abs(bits) < 5e-5:
        return "as well"
    return f"{'worse' if bits > 0 else 'better'} by {abs(bits):.2g} bit"
