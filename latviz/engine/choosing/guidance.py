"""Texts on the chosen half-width w: its effect on the state map, and its prediction error."""

from dataclasses import dataclass, field
from typing import Any, Literal

from latviz.core import choice as choices
from latviz.core import digits
from latviz.engine.choosing.scales import Scales, numbers
from latviz.engine.choosing.tradeoff import WINDOWS, TradeOff

Advice = Literal[
    "one",
    "asked",
    "alone",
    "belief",
    "looking",
    "alternating",
    "described",
    "small",
    "right",
    "large",
    "noise",
]
Dependence = Literal["none", "alike", "unlike"]
"""The correlation of neighbours within a state."""
HEADLINES: dict[Advice, str] = {
    "one": "One state: every window gives the same map",
    "asked": "Your guess comes first",
    "alone": "Belief finds one state",
    "belief": "Neighbours decide, not the window",
    "looking": "Comparing windows …",
    "alternating": "No window fits: neighbours alternate",
    "described": "Counting regions …",
    "right": "About right",
    "noise": "No better than noise",
}
SLIGHT, FAR = 0.1, 0.5
"""Shares of the bits that the best window's states save: most for a slight loss, least for a far
one."""


@dataclass(frozen=True)
class Offer:
    """A button: its text, and what it sets."""

    text: str
    changes: dict[str, Any]  # parameters
    layers: dict[str, Any] = field(default_factory=dict)  # of the state map


BELIEF = Offer("Try belief", {"decoder": "belief"}, {"neighbours": True})
"""Belief, with the pixels marked that it changes."""


@dataclass(frozen=True)
class Guidance:
    """The results of all windows for one N."""

    advice: Advice  # the kind of picture and window
    n_states: int
    window: int
    # the scores of each evaluated window, by increasing w
    settings: "tuple[choices.settings.Setting, ...]" = ()
    # The least and the greatest w whose code length is within one standard error of the least
    # (Breiman, Friedman, Olshen and Stone, 1984). None until all are known, with one state, and
    # where neighbours are alike beyond their states
    range: tuple[int, int] | None = None
    node: str = "pixel"  # the word for a node
    chosen: str = ""  # why the program chose w; empty if the user did
    scales: Scales | None = None  # effects of the windows on the map on screen
    without: float | None = None  # the code length of one state
    strong: bool = False  # by belief, dependent neighbours are coupled as strongly as possible

    @property
    def headline(self) -> str:
        """The advice in some words, or the choice."""
        if self.chosen:
            return f"Chosen: w = {self.window}"
        if self.advice == "described" and self.counts is not None:
            return _large(self.counts)
        if self.advice in ("small", "large"):
            return f"{self._grade()}: {self._more()}"
        return HEADLINES[self.advice]

    @property
    def counts(self) -> "choices.scales.RegionCounts | None":
        """The regions of the map of the window that is set; None if they are not known."""
        return None if self.scales is None else self.scales.at(self.window)

    @property
    def now(self) -> "choices.settings.Setting | None":
        """The scores of the chosen window; None until they are computed."""
        return next((found for found in self.settings if found.window == self.window), None)

    @property
    def best(self) -> "choices.settings.Setting | None":
        """The window of the least code length; the smallest of several."""
        return min(self.settings, key=lambda found: found.code_length, default=None)

    @property
    def offer(self) -> Offer | None:
        """The change that the advice suggests; None for no change."""
        if self.advice in ("small", "large") and self.best is not None:
            return Offer(f"Go to w = {self.best.window}", {"window": self.best.window})
        offers = {
            "one": Offer("Try N = 2", {"n_states": 2}),
            "alone": Offer("Try nearest codeword", {"decoder": "nearest"}),
            "alternating": BELIEF,
        }
        return offers.get(self.advice)

    @property
    def detail(self) -> str:
        """The reason for the advice or choice, and the effect of the window."""
        if self.advice == "one":
            return "A window has an effect only with two states or more."
        if self.advice == "asked":
            return "Answer the question, and see here what the window does."
        if self.advice == "alone":
            return f"All {self.node}s are in one state, so no neighbour favours another one."
        if self.advice == "belief" and self.strong:
            return (
                "Neighbours are correlated even within a state, and coupled strongly. The window "
                "only shapes the states."
            )
        if self.advice == "belief":
            return (
                f"The window only shapes the states. Each {self.node} then takes its neighbours "
                "into account, so edges stay sharp."
            )
        if self.advice == "looking":
            return (
                f"{len(_compared(self.settings))} of {len(WINDOWS)} windows are compared with N = "
                f"{self.n_states}."
            )
        return " ".join(part for part in (*self._reasons(), *self._does()) if part)

    def _reasons(self) -> tuple[str, ...]:
        if self.chosen:
            return f"{self.chosen}.", self._accuracy()
        if self.advice == "alternating":
            return (
                "Neighbours differ more often than their states predict, as in a checkerboard. "
                "Every window mixes them. Belief with few states can follow such a pattern.",
            )
        return () if self.advice == "described" else (self._lowest(), self._accuracy())

    def _lowest(self) -> str:
        assert self.best is not None
        assert self.range is not None
        low, high = self.range
        named = f"w = {low}" if low == high else f"w = {low} to {high}"
        text = f"The prediction error is lowest at {named}: {_bits(self.best.code_length)}"
        return f"{text} per {self.node}."

    def _loss(self) -> float:
        """Return the bits that the window takes more than the best one."""
        assert self.best is not None
        return 0.0 if self.now is None else self.now.code_length - self.best.code_length

    def _more(self) -> str:
        assert self.best is not None
        if self.now is None:  # larger than the compared ones
            return f"w = {self.best.window} predicts better"
        return f"error {_bits(self._loss())} higher"

    def _grade(self) -> str:
        """Return the grade of the window, by the lost share of the states' savings."""
        assert self.best is not None
        most = max(found.code_length for found in self.settings)
        saved = (self.without or most) - self.best.code_length
        share = self._loss() / saved if saved > 0 else 1.0
        if share < SLIGHT:
            return f"Slightly {self.advice}"
        return f"{'Far too' if share >= FAR else 'Too'} {self.advice}"

    def _accuracy(self) -> str:
        if self.now is None or self.now.accuracy is None:
            return ""
        most = max(self.settings, key=lambda found: found.accuracy or 0.0)
        assert most.accuracy is not None
        points = 100 * (most.accuracy - self.now.accuracy)
        text = f"Accuracy {digits.share(self.now.accuracy)}"
        if points < 0.05:  # it reads the same
            return f"{text}, the best."
        return f"{text}, {points:.1f} percentage points below w = {most.window}."

    def _does(self) -> tuple[str, ...]:
        """Return the effect of the window on the map: in short, if its plateau is not the point."""
        counts, scales = self.counts, self.scales
        if counts is None or scales is None:
            return ()
        changed = self._changed(counts)
        if self.advice != "described" or self.chosen:
            return f"{_large(counts)}.", changed
        return _sizes(counts), changed, *self._stay(scales)

    def _changed(self, counts: "choices.scales.RegionCounts") -> str:
        if counts.changed is None:
            return ""
        share = digits.share(counts.changed)
        return f"{share} of the {self.node}s have another state than with w = {self.window - 1}."

    def _stay(self, scales: Scales) -> tuple[str, ...]:
        here = [p for p in scales.plateaus if self.window in p]
        stays = [f"{numbers(p)} from w = {p.first} to {p.last}." for p in here]
        going = scales.next_to_go(self.window)
        if going is not None:
            stays.append(
                f"The next large region disappears at w = {going[0]} (state {going[1] + 1})."
            )
        elif scales.complete and self.window < WINDOWS[-1]:
            stays.append(f"No large region disappears up to w = {WINDOWS[-1]}.")
        return tuple(stays)


def guidance(
    trade_off: TradeOff | None,
    n_states: int,
    window: int,
    dependence: Dependence | None,
    node: str = "pixel",
    *,
    by_belief: bool = False,
    alone: bool = False,
    strong: bool = False,
    by_chance: bool = False,
    chosen: str = "",
    scales: Scales | None = None,
) -> Guidance:
    """Return the guidance on a window."""
    # alone: by belief, one of several states has all nodes; by_chance: shuffled nodes score as high
    if n_states == 1:
        return Guidance("one", n_states, window, node=node)
    if by_belief:
        advice: Advice = "alone" if alone else "belief"
        return Guidance(advice, n_states, window, node=node, strong=strong)
    part = trade_off is not None and not trade_off.exact  # whose numbers are not the picture's
    row = () if trade_off is None or part else tuple(trade_off.row(n_states))
    known = n_states, window, row
    if dependence in ("alike", "unlike") or part:
        advice = "alternating" if dependence == "unlike" else "described"
        return Guidance(advice, *known, None, node, chosen, scales)
    if trade_off is None or dependence is None or len(_compared(row)) < len(WINDOWS):
        return Guidance("looking", *known, None, node, chosen, scales)
    low, high = _range(row)
    fits: Advice = "noise" if by_chance else "right"
    advice = "small" if window < low else "large" if window > high else fits
    without = min((one.code_length for one in trade_off.row(1)), default=None)
    return Guidance(advice, *known, (low, high), node, chosen, scales, without)


def _compared(row: "tuple[choices.settings.Setting, ...]") -> set[int]:
    """Return the evaluated windows of `WINDOWS`, without a larger current one."""
    return {found.window for found in row}.intersection(WINDOWS)


def _range(row: "tuple[choices.settings.Setting, ...]") -> tuple[int, int]:
    """Return the windows around the best one that are within one standard error of it."""
    best = min(range(len(row)), key=lambda k: row[k].code_length)
    most = row[best].code_length + row[best].standard_error
    low = high = best
    while low > 0 and row[low - 1].code_length <= most:
        low -= 1
    while high + 1 < len(row) and row[high + 1].code_length <= most:
        high += 1
    return row[low].window, row[high].window


def _large(counts: "choices.scales.RegionCounts") -> str:
    """Return the numbers of regions: "14 large regions, 26 in all"."""
    large = f"{counts.n_large} large region{'s' * (counts.n_large != 1)}"
    return f"{large}, {digits.count(counts.n_regions)} in all"


def _sizes(counts: "choices.scales.RegionCounts") -> str:
    """Return the threshold for large regions, and the sizes of these."""
    text = (
        f"Large regions cover more than {digits.round_share(choices.scales.LARGE)} of the picture"
    )
    if not counts.n_large:
        return f"{text}."
    low, high = (digits.share(area, counts.n_nodes) for area in counts.areas[[-1, 0]])
    return f"{text}, here {low}." if low == high else f"{text}, here {low} to {high} each."


def _bits(bits: float) -> str:
    return f"{digits.bits(bits)} bits"
