"""What to say of the half-width w that is set: too small, about right, or too large, and why."""

from dataclasses import dataclass
from typing import Literal

from latviz.core import choice as choices
from latviz.core.windows.stratified import SAMPLE
from latviz.engine.tradeoff import WINDOWS, TradeOff

Advice = Literal[
    "one", "alone", "belief", "looking", "alternating", "dependent", "small", "right", "large"
]
Dependence = Literal["none", "alike", "unlike"]
"""What neighbours have in common beyond their states."""
ESTIMATES = (
    "Estimates (est.): to be compared soon, every w learns its states from a sample of at most "
    f"{SAMPLE:,} {{node}}s. What is on screen learns from all, so that its numbers differ a little."
)
"""What the numbers of `Guidance` are, of nodes called ``node``."""
HEADLINES: dict[Advice, str] = {
    "one": "With one state, every window gives the same",
    "alone": "One state says as much as more",
    "belief": "Neighbours decide, whatever the window",
    "looking": "Looking at other windows …",
    "alternating": "No window fits: neighbours alternate",
    "dependent": "No window is the right one here: choose by eye",
    "small": "Too small: noise decides",
    "right": "About right",
    "large": "Too large: regions melt",
}


@dataclass(frozen=True)
class Guidance:
    """What is known of the windows for one N.

    Attributes
    ----------
    advice : str
        A key of `HEADLINES`.
    n_states, window : int
        N and w as they are set.
    settings : tuple of Setting
        What each window that was looked at is worth, by increasing w.
    range : (int, int) or None
        The least and the greatest w whose code length is within one standard error of the least
        (the rule of Breiman, Friedman, Olshen and Stone, 1984); None until all are known, where
        there is one state, and where neighbours resemble each other beyond their states.
    node : str
        What people call a node.
    chosen : str
        Why the program chose the w that is set; empty if a person did.
    """

    advice: Advice
    n_states: int
    window: int
    settings: "tuple[choices.settings.Setting, ...]" = ()
    range: tuple[int, int] | None = None
    node: str = "pixel"
    chosen: str = ""

    @property
    def headline(self) -> str:
        """The advice in some words, or what was chosen."""
        if self.chosen:
            return f"Chosen: w = {self.window}"
        return HEADLINES[self.advice]

    @property
    def now(self) -> "choices.settings.Setting | None":
        """What the window that is set is worth; None if that is not known yet."""
        return next((found for found in self.settings if found.window == self.window), None)

    @property
    def best(self) -> "choices.settings.Setting | None":
        """The window of the least code length; the smallest of several."""
        return min(self.settings, key=lambda found: found.code_length, default=None)

    @property
    def detail(self) -> str:
        """What the advice rests on, or the choice, as one or two sentences."""
        if self.chosen:
            return f"{self.chosen}.{self._accuracy()}"
        if self.advice == "one":
            return "Raise N: two states are the least that a picture can be parted into."
        if self.advice == "alone":
            return (
                f"All {self.node}s came out alike: neighbours tell nothing of each other that "
                "would part the picture into regions."
            )
        if self.advice == "belief":
            return (
                f"The window only teaches what each state is like; then each {self.node} and its "
                "neighbours tell each other what they believe, and edges stay sharp."
            )
        if self.advice == "looking":
            known = f"{len(_compared(self.settings))} of {len(WINDOWS)}"
            return f"{known} have been looked at with N = {self.n_states}."
        if self.advice == "alternating":
            return (
                "Neighbours differ more often than their states say, as in a checkerboard: every "
                "window mixes them. Belief, with few states, can follow such a pattern."
            )
        if self.advice == "dependent":
            n, w = choices.choosing.START
            return (
                "Neighbours resemble each other beyond any states, as in photographs. Small "
                "windows follow the texture, large ones melt regions; "
                f"N = {n}, w = {w} are a start."
            )
        return f"{self._bits()}{self._accuracy()}"

    def _bits(self) -> str:
        best, now = self.best, self.now
        assert best is not None
        assert self.range is not None
        low, high = self.range
        named = f"w = {low}" if low == high else f"w = {low} to {high}"
        text = f"Windows foretell the {self.node} in their middle best with {named}"
        if now is None:
            return f"{text}."
        if self.advice == "right":
            return f"{text}: {now.code_length:.3f} bits a {self.node} (est.)."
        more = now.code_length - best.code_length
        return f"{text}; with w = {self.window} it takes {more:.2g} more bits (est.)."

    def _accuracy(self) -> str:
        if self.now is None or self.now.accuracy is None:
            return ""
        most = max(self.settings, key=lambda found: found.accuracy or 0.0)
        best = f"{most.accuracy:.1%} at best, with w = {most.window}"
        now = f"{self.now.accuracy:.1%} of the {self.node}s"
        return f" In their true state (est.): {now}, {best}."


def guidance(
    trade_off: TradeOff | None,
    n_states: int,
    window: int,
    dependence: Dependence | None,
    node: str = "pixel",
    *,
    by_belief: bool = False,
    alone: bool = False,
    chosen: str = "",
) -> Guidance:
    """Return what to say of a window.

    Parameters
    ----------
    trade_off : TradeOff or None
        What is known so far of the picture and encoding.
    n_states, window : int
        N and w as they are set.
    dependence : {"none", "alike", "unlike"} or None
        What neighbours have in common beyond their states; None before that is computed.
    node : str
        What people call a node of the picture.
    by_belief : bool
        Whether states are decoded by belief.
    alone : bool
        Whether one of several states has all nodes by belief.
    chosen : str
        Why the program chose the w that is set; empty if a person did.
    """
    if n_states == 1:
        return Guidance("one", n_states, window, node=node)
    if by_belief:
        return Guidance("alone" if alone else "belief", n_states, window, node=node)
    row = () if trade_off is None else tuple(trade_off.row(n_states))
    if dependence in ("alike", "unlike"):
        advice: Advice = "dependent" if dependence == "alike" else "alternating"
        return Guidance(advice, n_states, window, row, None, node, chosen)
    if dependence is None or len(_compared(row)) < len(WINDOWS):
        return Guidance("looking", n_states, window, row, None, node, chosen)
    low, high = _range(row)
    advice = "small" if window < low else "large" if window > high else "right"
    return Guidance(advice, n_states, window, row, (low, high), node, chosen)


def _compared(row: "tuple[choices.settings.Setting, ...]") -> set[int]:
    """Return the windows of `WINDOWS` that are known; a larger one that is set is not of them."""
    return {found.window for found in row}.intersection(WINDOWS)


def _range(row: "tuple[choices.settings.Setting, ...]") -> tuple[int, int]:
    """Return the windows around the best one that one standard error does not tell from it."""
    best = min(range(len(row)), key=lambda k: row[k].code_length)
    most = row[best].code_length + row[best].standard_error
    low = high = best
    while low > 0 and row[low - 1].code_length <= most:
        low -= 1
    while high + 1 < len(row) and row[high + 1].code_length <= most:
        high += 1
    return row[low].window, row[high].window
