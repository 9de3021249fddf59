"""The effect of each window on the state map on screen, with its codebook."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from latviz.core import choice, segmentation
from latviz.engine.choosing.tradeoff import Map
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import window_range

LADDER = (*range(13), 14, 16, 18, 20, 22, 25, 29, 34, 40, 47, 55, 64)
"""The windows whose maps are compared, to the end of the slider; see `ladder`."""
ROOT, CUT_ROOT = math.sqrt(3), 1.25
"""The ratios of a w, and of a cut, to the ends of the range over which regions are to hold."""
NAMES = "Fine", "Medium", "Coarse"


def ladder(picture: Picture) -> tuple[int, ...]:
    """Return the windows whose maps are compared: of a sequence to the end of its slider, too."""
    found, (_, most) = list(LADDER), window_range(picture.longest)
    while found[-1] < most:
        found.append(min(most, found[-1] + found[-1] // 6))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Held:
    """The common part of the maps of all windows: a picture, and a codebook of its states.

    ``further`` are fixed windows besides the moving one; the codebook has their codewords too.
    """

    picture: Picture
    values: NDArray[np.generic]
    codebook: NDArray[np.float64]
    further: tuple[int, ...] = ()

    @classmethod
    def of(cls, frame: Frame) -> "Held":
        """Return the inputs of a frame's map, except w."""
        values = frame.observations.values
        return cls(frame.request.picture, values, frame.codewords, frame.further)

    def is_of(self, frame: Frame) -> bool:
        """Return True if a frame has it."""
        other = Held.of(frame)
        same = other.picture is self.picture and other.values is self.values
        same = same and other.further == self.further
        return same and np.array_equal(other.codebook, self.codebook)


@dataclass(frozen=True, eq=False)
class Scales:
    """The known maps of windows from 0 on, for one codebook."""

    held: Held
    # of the picture that is shown, by increasing w, without gaps
    row: "tuple[choice.scales.RegionCounts, ...]" = ()
    # By w: the state of one pixel in each cell of the plane; of a volume the middle slice
    maps: Mapping[int, Map] | None = None
    # of the large regions, once all windows are known
    lives: "segmentation.lives.Lives | None" = None

    @property
    def complete(self) -> bool:
        """True if all of the ladder are computed."""
        return len(self.row) == len(ladder(self.held.picture))

    @cached_property
    def plateaus(self) -> "tuple[choice.scales.Plateau, ...]":
        """The plateaus; none before all windows are known."""
        return choice.scales.plateaus(self.row) if self.complete else ()

    def named(self) -> "tuple[tuple[str, choice.scales.Plateau], ...]":
        """Return the plateaus with their names, from fine to coarse."""
        names = {1: NAMES[1:2], 2: NAMES[::2]}.get(len(self.plateaus), NAMES)
        return tuple(zip(names, self.plateaus, strict=False))


def scale_choice(scales: Scales, start: int) -> tuple[int, str, str] | None:
    """Return the w to set if neighbours are correlated, what it is, and the reason."""
    # The w is the middle of the plateau nearest to ``start``, by the ratio of sides; ties go to the
    # finer. ``start`` is the w that came closest to outlines drawn by people. No scale is better
    # than another, and the sentence states that. None without a plateau; ``scales`` are complete
    named = scales.named()
    if not named:
        return None
    sides = [abs(math.log((2 * one.middle + 1) / (2 * start + 1))) for _, one in named]
    _, plateau = named[sides.index(min(sides))]
    w = plateau.middle
    has = f"It has {numbers(plateau)} from w = {plateau.first} to {plateau.last}."
    others = [f"{other.lower()} (w = {one.middle})" for other, one in named if one is not plateau]
    if not others:
        return w, "the middle of the only plateau", has
    verb = "is" if len(others) == 1 else "are"
    return (
        w,
        f"the middle of the plateau nearest to w = {start}",
        f"{has} Regions that people outlined in photographs are matched best at w = {start}; "
        f"{' and '.join(others)} {verb} equally good.",
    )


def numbers(plateau: "choice.scales.Plateau") -> str:
    """Return the number of large regions on a plateau, in words."""
    few, many = plateau.fewest, plateau.most
    number = f"{few}" if few == many else f"{few} to {many}"
    return f"{number} large region{'s' * (many != 1)}"


def over_windows(lives: "segmentation.lives.Lives", window: int) -> str:
    """Return how many large regions hold while w grows to three times as much around a w."""
    low, high = round(window / ROOT), min(round(max(window, 1) * ROOT), int(lives.steps[-1]))
    found = lives.held(low, window, high)
    # One region alone is all of the picture, whatever w is
    return "" if found[1] == 1 else _held(found, f"w goes from {low} to {high}")


def over_cuts(lives: "segmentation.lives.Lives", cut: float) -> str:
    """Return how many large regions hold around a cut."""
    return held_over_cuts(counted_over_cuts(lives, cut), cut)


def counted_over_cuts(lives: "segmentation.lives.Lives", cut: float) -> tuple[int, int]:
    """Return how many large regions hold around a cut, and how many there are."""
    return lives.held(cut / CUT_ROOT, cut, cut * CUT_ROOT)


def held_over_cuts(found: tuple[int, int], cut: float) -> str:
    """Return the same of regions that were counted: those that hold, and all large ones."""
    return _held(found, f"the cut goes from {cut / CUT_ROOT:.2g} to {cut * CUT_ROOT:.2g}")


def _held(found: tuple[int, int], what: str) -> str:
    n_held, n = found
    if not n:
        return "No region covers more than 1 % of the picture"
    if n == 1:
        return f"The only large region {'holds' if n_held else 'does not hold'} while {what}"
    return f"{n_held or 'None'} of {n} large regions hold{'s' * (n_held == 1)} while {what}"
