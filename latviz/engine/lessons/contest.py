"""The score of a prediction where states will change."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

UNCHANGED, MISSED, FALSE, HIT, UNKNOWN = range(5)
"""A pixel that is neither painted nor changed; changed; painted; both; or unknown."""
_NOWHERE = 255
"""The slot of an unknown pixel."""


def outcomes(
    painted: NDArray[np.bool_], before: NDArray[np.uint8], after: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return the outcome of each pixel, by its slots before and after; all of one shape."""
    found = np.where(before != after, MISSED, UNCHANGED) + np.where(painted, FALSE, UNCHANGED)
    found[(before == _NOWHERE) | (after == _NOWHERE)] = UNKNOWN
    return found.astype(np.uint8)


@dataclass(frozen=True)
class RoundScore:
    """The areas of a prediction, in pixels; shares are None if they have no whole."""

    windows: tuple[int, int]  # the half-widths before and after
    unchanged: int
    missed: int
    false: int
    hit: int

    @property
    def changed_share(self) -> float | None:
        """The share of the known pixels that changed."""
        changed = self.hit + self.missed
        return _share(changed, changed + self.unchanged + self.false)

    @property
    def hit_share(self) -> float | None:
        """The share of the changed pixels that were painted; the others are missed."""
        return _share(self.hit, self.hit + self.missed)

    @property
    def false_share(self) -> float | None:
        """The share of the unchanged pixels that were painted."""
        return _share(self.false, self.false + self.unchanged)

    @property
    def skill(self) -> float | None:
        """Hits minus false: 1 at best, 0 for a guess at random, all or nothing (Peirce, 1884)."""
        hit, false = self.hit_share, self.false_share
        return None if hit is None or false is None else hit - false


def score(windows: tuple[int, int], found: NDArray[np.uint8]) -> RoundScore:
    """Return the score of a round from the outcome of each pixel."""
    return RoundScore(windows, *np.bincount(found.ravel(), minlength=5)[:4].tolist())


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
