"""The trade-off of N and w, computed a window at a time when nothing else is to be done."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from latviz.core.checks import UNKNOWN
from latviz.core.choice.choosing import Choice, chosen
from latviz.core.choice.growing import Growth
from latviz.core.choice.settings import Decoded, Setting
from latviz.core.data.data_set import as_data_set
from latviz.core.progress import Progress
from latviz.core.types import States
from latviz.engine.frame import Frame
from latviz.engine.section import Scope
from latviz.engine.slots import matched_slots
from latviz.engine.tradeoff import (
    SMALL,
    STATES,
    WINDOWS,
    Chosen,
    Map,
    Place,
    TradeOff,
    What,
    shrunk,
)


class Sweeping:
    """Computes trade-offs; remembers that of the last picture and encoding.

    It is used by one thread at a time.
    """

    def __init__(self) -> None:
        self._sweep: _Sweep | None = None

    def next(self, frame: Frame, progress: Progress) -> TradeOff | None:
        """Compute what one more window is worth for the picture of a frame.

        What is nearest to the frame's N and w comes first. Returns None if all is there.

        Raises
        ------
        Cancelled
            If ``progress`` says so; what was computed before is kept.
        """
        sweep = self._sweep_of(frame)
        if not sweep.step(frame, progress):
            return None
        return sweep.result(frame)

    def choose(self, frame: Frame, what: What, progress: Progress | None = None) -> Chosen:
        """Choose w, N or both for the picture of a frame by the rule of `choose`.

        Raises
        ------
        Cancelled
            If ``progress`` says so.
        """
        sweep, parameters = self._sweep_of(frame), frame.request.parameters
        n, w = parameters.n_states, parameters.window
        only_w = what == "w"
        choice = chosen(
            sweep.data,
            sorted({1, n}) if only_w else list(STATES),
            [max(w, 1)] if what == "N" else list(WINDOWS[1:]),
            sweep.growth,
            progress,
            known=only_w,
        )
        (n, w), sentence = reasons(choice, what, (n, w), sweep.scope.picture.node_name)
        rule = f"Rule: {choice.rule}. It takes for granted that {choice.assumption}."
        return Chosen(sweep.scope, what, n, w, sentence, rule, choice.dependent)

    def _sweep_of(self, frame: Frame) -> "_Sweep":
        if self._sweep is None or self._sweep.scope != Scope.of(frame):
            self._sweep = None  # its memory is free before the next one takes some
            self._sweep = _Sweep(frame)
        return self._sweep


@dataclass(frozen=True, eq=False)
class _Decoding:
    """The states of each of some N in each lattice, and their slots.

    ``window`` is -1 for the frame's.
    """

    window: int
    states: Sequence[list[States]]
    slots: Sequence[tuple[int, ...]]


@dataclass
class _Run:
    """The decodings at both ends of the windows that were computed for some N, without gaps."""

    low: _Decoding
    high: _Decoding

    def beside(self, window: int) -> _Decoding:
        """Return the end that is nearer to a window outside."""
        return min((self.low, self.high), key=lambda end: abs(end.window - window))

    def take(self, found: _Decoding) -> None:
        """Add a window at one of the ends."""
        if found.window < self.low.window:
            self.low = found
        else:
            self.high = found


class _Sweep:
    """What was computed for one picture and encoding."""

    def __init__(self, frame: Frame) -> None:
        self.scope, observations = Scope.of(frame), frame.observations
        self.cell = max(1, -(-max(self.scope.shape) // SMALL))
        kind = "discrete" if observations.discrete else "gaussian"
        n_symbols = observations.n_symbols if observations.discrete else None
        values = self.scope.lattices(lambda k: frame.everything_observed[k].values)
        self.data = as_data_set(values, kind, n_symbols)
        self.growth = Growth(self.data)
        self.truth = self._truth()
        self.settings: dict[Place, Setting] = {}
        self.maps: dict[Place, Map] = {}
        self.last_change: dict[int, Map] = {}
        self.runs: dict[tuple[int, ...], _Run] = {}

    def _truth(self) -> list[States] | None:
        """Return the known states of all lattices; None if any are not known."""
        pictures = self.scope.pictures.everything
        known = [pictures[k].truth for k in (self.scope.pictures.place, *self.scope.others)]
        if any(truth is None for truth in known):
            return None
        found = self.scope.lattices(lambda k: np.asarray(pictures[k].truth))
        return None if all((one == UNKNOWN).all() for one in found) else found

    def result(self, frame: Frame) -> TradeOff:
        """Return what is there, with what a frame asks for."""
        parameters = frame.request.parameters
        return TradeOff(
            self.scope,
            self.cell,
            dict(self.settings),
            dict(self.maps),
            dict(self.last_change),
            tuple(sorted({*STATES, parameters.n_states, *(n for n, _ in self.settings)})),
            tuple(sorted({*WINDOWS, parameters.window, *(w for _, w in self.settings)})),
        )

    def step(self, frame: Frame, progress: Progress) -> bool:
        """Compute one window for some N; return False if nothing was left."""
        parameters = frame.request.parameters
        own = () if parameters.n_states in STATES else ((parameters.n_states,),)
        for sizes in (*own, STATES):
            window = self._next_window(sizes, parameters.window)
            if window is not None:
                self._add(sizes, window, frame, progress)
                return True
        return False

    def _next_window(self, sizes: tuple[int, ...], wanted: int) -> int | None:
        """Return the wanted window, or one beside those that are there, on its side."""
        left = [w for w in (*WINDOWS, wanted) if (sizes[0], w) not in self.settings]
        run = self.runs.get(sizes)
        if wanted in left and (run is None or wanted not in WINDOWS):
            return wanted
        if run is not None:
            low, high = run.low.window, run.high.window
            left = [w for w in left if w in (low - 1, high + 1)]
        return min(left, key=lambda w: abs(w - wanted), default=None)

    def _add(self, sizes: tuple[int, ...], window: int, frame: Frame, progress: Progress) -> None:
        """Compute a window; it is kept whole or not at all."""
        run = self.runs.get(sizes)
        beside = self._of_frame(sizes, frame) if run is None else run.beside(window)
        start = perf_counter()
        decoded = Decoded.of(self.data, window, list(sizes), progress)
        shared = (perf_counter() - start) / len(sizes)
        settings = decoded.settings(None if run is None else beside.states, self.truth, progress)
        found = [replace(setting, seconds=shared + setting.seconds) for setting in settings]
        slots = []
        for s, (n, other) in enumerate(zip(sizes, beside.states, strict=True)):
            old, new = (self._small(states).reshape(-1) for states in (other, decoded.plain[s]))
            slots.append(tuple(matched_slots(old, beside.slots[s], new, n)))
        self._keep(sizes, found, _Decoding(window, decoded.plain, slots), beside)

    def _keep(
        self, sizes: tuple[int, ...], found: list[Setting], decoding: _Decoding, beside: _Decoding
    ) -> None:
        window = found[0].window
        for s, n in enumerate(sizes):
            self.settings[n, window] = found[s]
            self.maps[n, window] = _named(self._small(decoding.states[s]), decoding.slots[s])
        if window not in WINDOWS:
            return
        for s, n in enumerate(sizes):
            before = self.last_change.get(n, np.zeros(self.scope.shape, dtype=np.uint8))
            if beside.window in WINDOWS:
                both = ((d.states[s], d.slots[s]) for d in (decoding, beside))
                own, other = (_named(self.scope.seen(states), slots) for states, slots in both)
                later = np.uint8(max(window, beside.window))
                before = np.maximum(before, later * (own != other))
            self.last_change[n] = before
        if sizes in self.runs:
            self.runs[sizes].take(decoding)
        else:
            self.runs[sizes] = _Run(decoding, decoding)

    def _of_frame(self, sizes: tuple[int, ...], frame: Frame) -> _Decoding:
        """Return what the slots of the first window follow."""
        states = self.scope.cut(frame.states)
        return _Decoding(-1, [states] * len(sizes), [frame.slots] * len(sizes))

    def _small(self, states: list[States]) -> Map:
        """Return some nodes of the plane that is shown."""
        return shrunk(self.scope.seen(states), self.cell)


def _named(states: Map, slots: tuple[int, ...]) -> Map:
    return np.array(slots, dtype=np.uint8)[states]


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


def reasons(choice: Choice, what: What, now: Place, node: str) -> tuple[Place, str]:
    """Return the N and w to set, and one sentence that says why.

    ``now`` is N and w as they are, ``node`` what people call a node.
    """
    n, w = choice.n_states, choice.window
    if choice.dependent:
        return _start(choice, what, now, node)
    if what == "w":
        if n == 1:
            return now, f"w stays {now[1]}: with one state all windows are alike"
        if choice.agreement is None:
            return now, f"w stays {now[1]}: with any w, {n} states predict no better than one"
        return (n, w), _why_window(choice, node)
    if n == 1:
        sentence = "N = 1: no structure is found, as states help little to predict a left-out"
        return (1, now[1]), f"{sentence} {node}"
    text = _why_states(choice, node)
    if what == "N":
        return (n, now[1]), text
    return (n, w), f"{text}; {_why_window(choice, node)}"


def _start(choice: Choice, what: What, now: Place, node: str) -> tuple[Place, str]:
    """Return what to set where no N is right: a start."""
    n, w = choice.n_states, choice.window
    place = {"w": (now[0], w), "N": (n, now[1]), "both": (n, w)}[what]
    named = {"w": f"w = {w} is", "N": f"N = {n} is", "both": f"N = {n}, w = {w} are"}[what]
    why = f"neighbouring {node}s resemble each other beyond any states"
    right = "w" if what == "w" else "N"
    return place, f"{named} a start: no {right} is the right one, as {why}"


def _why_window(choice: Choice, node: str) -> str:
    assert choice.agreement is not None
    k = choice.windows.index(choice.window)
    ends = choice.agreement[:k], choice.agreement[k + 1 :]
    parts = [
        f"{rest.max():.1%} with {name} windows"
        for name, rest in zip(("smaller", "larger"), ends, strict=True)
        if rest.size
    ]
    text = f"w = {choice.window}: {choice.agreement[k]:.1%} of the {node}s are in their states of "
    text += "most belief"
    return f"{text}, {' and '.join(parts)} at most" if parts else text


def _why_states(choice: Choice, node: str) -> str:
    n = choice.n_states
    text = f"N = {n}: the last of them saves {choice.saved[n - 2]:.2g} bit a {node}"
    return f"{text}, more save no more than chance" if n <= len(choice.saved) else text
