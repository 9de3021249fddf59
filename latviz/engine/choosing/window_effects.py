"""The effects of the windows for one N: how well each predicts, and what it does to the map."""

from dataclasses import dataclass

from latviz.core import choice as choices
from latviz.core import digits
from latviz.engine.choosing.scales import Scales, over_windows
from latviz.engine.choosing.tradeoff import WINDOWS


@dataclass(frozen=True)
class WindowEffects:
    """The effects of the windows for one N, and the window that is set."""

    n_states: int
    window: int
    # the scores of each evaluated window, by increasing w; none if they are not the picture's
    settings: "tuple[choices.settings.Setting, ...]" = ()
    # True if the scores can be compared: not where neighbours are alike beyond their states
    predicts: bool = False
    node: str = "pixel"  # the word for a node
    scales: Scales | None = None  # effects of the windows on the map on screen

    @property
    def range(self) -> tuple[int, int] | None:
        """The least and the greatest w that predict best; None until all are known."""
        return best_range(self.settings) if self.predicts else None

    @property
    def in_short(self) -> str:
        """The settings."""
        return f"N = {self.n_states}, w = {self.window}"

    @property
    def holding(self) -> str:
        """How many large regions hold around w; "" until that is known."""
        lives = None if self.scales is None else self.scales.lives
        return "" if lives is None else over_windows(lives, self.window)

    @property
    def lowest(self) -> str:
        """The windows that predict best; "" until that is known."""
        found = self.range
        if found is None:
            return ""
        low, high = found
        named = f"w = {low}" if low == high else f"w = {low} to {high}"
        return f"The prediction error is lowest at {named}."

    @property
    def accuracy(self) -> str:
        """The accuracy of this window, and the best one; "" without known states."""
        now = next((found for found in self.settings if found.window == self.window), None)
        if now is None or now.accuracy is None:
            return ""
        most = max(self.settings, key=lambda found: found.accuracy or 0.0)
        assert most.accuracy is not None
        text = f"Accuracy {digits.share(now.accuracy)}"
        if most.accuracy - now.accuracy < 0.0005:  # it reads the same
            return f"{text}, the best of all w."
        return f"{text}; the best is {digits.share(most.accuracy)}, at w = {most.window}."


def best_range(row: "tuple[choices.settings.Setting, ...]") -> tuple[int, int] | None:
    """Return the windows around the best one that are within one standard error of it.

    None until all windows are evaluated (Breiman, Friedman, Olshen and Stone, 1984).
    """
    if len({found.window for found in row}.intersection(WINDOWS)) < len(WINDOWS):
        return None
    best = min(range(len(row)), key=lambda k: row[k].code_length)
    most = row[best].code_length + row[best].standard_error
    low = high = best
    while low > 0 and row[low - 1].code_length <= most:
        low -= 1
    while high + 1 < len(row) and row[high + 1].code_length <= most:
        high += 1
    return row[low].window, row[high].window
