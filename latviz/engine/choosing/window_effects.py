"""The effects of the windows for one N: how well each predicts, and what it does to the map."""

from dataclasses import dataclass, field

from latviz.core import choice as choices
from latviz.core import digits
from latviz.engine.choosing.scales import Scales, numbers
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
    # how prediction errors are shown
    error_scale: digits.ErrorScale = field(default_factory=digits.ErrorScale)

    @property
    def range(self) -> tuple[int, int] | None:
        """The least and the greatest w that predict best; None until all are known."""
        return best_range(self.settings) if self.predicts else None

    @property
    def counts(self) -> "choices.scales.RegionCounts | None":
        """The regions of the map of the window that is set; None if they are not known."""
        return None if self.scales is None else self.scales.at(self.window)

    @property
    def in_short(self) -> str:
        """The numbers of regions, or the settings until they are known."""
        counts = self.counts
        return f"N = {self.n_states}, w = {self.window}" if counts is None else _large(counts)

    @property
    def in_full(self) -> str:
        """The best windows, and the effect of the window on the map."""
        parts = self._lowest(), self._accuracy(), *self._does()
        return " ".join(part for part in parts if part)

    def _lowest(self) -> str:
        found = self.range
        if found is None:
            return ""
        low, high = found
        named = f"w = {low}" if low == high else f"w = {low} to {high}"
        return f"The prediction error is lowest at {named}."

    def _accuracy(self) -> str:
        now = next((found for found in self.settings if found.window == self.window), None)
        if now is None or now.accuracy is None:
            return ""
        most = max(self.settings, key=lambda found: found.accuracy or 0.0)
        assert most.accuracy is not None
        points = 100 * (most.accuracy - now.accuracy)
        text = f"Accuracy {digits.share(now.accuracy)}"
        if points < 0.05:  # it reads the same
            return f"{text}, the best of all w."
        return f"{text}, {points:.1f} percentage points below w = {most.window}."

    def _does(self) -> tuple[str, ...]:
        counts, scales = self.counts, self.scales
        if counts is None or scales is None:
            return ()
        return f"{_large(counts)}.", _sizes(counts), self._changed(counts), *self._stay(scales)

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
