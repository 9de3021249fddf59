"""The names and colours of states, by their slots."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.masks import mask_in, only_known
from latviz.core.errors import ParameterError
from latviz.core.model.learning import colours_of
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import SLOT_COLORS, state_colors

LONGEST = 40
"""Letters of a name."""
_COLOR = re.compile("#[0-9a-f]{6}")
_PART = 1 << 18
"""Nodes whose colours are added up at a time."""

Color = tuple[int, int, int]


@dataclass(frozen=True)
class Look:
    """The name and the colour that the user gives to the state in a slot."""

    slot: int  # 0 to 255
    name: str = ""  # at most 40 letters on one line; empty: the state has only its number
    color: str = ""  # "#rrggbb" in lower case; empty: the usual colour

    def __post_init__(self) -> None:
        if not 0 <= self.slot <= 255:
            raise ParameterError(f"a slot must be from 0 to 255, got {self.slot}")
        if len(self.name) > LONGEST or not self.name.isprintable():
            raise ParameterError(
                f"the name of a state must be at most {LONGEST} letters on one line, "
                f"got {self.name[:60]!r}"
            )
        if self.color and _COLOR.fullmatch(self.color) is None:
            raise ParameterError(f"a colour must look like #1a2b3c, got {self.color[:60]!r}")


@dataclass(frozen=True)
class Looks:
    """The names and colours of states that the user set."""

    mean_colors: bool = False  # states without an own colour have the mean of their pixels
    own: tuple[Look, ...] = ()  # by increasing slots, which states keep while N and w move

    def __post_init__(self) -> None:
        slots = [look.slot for look in self.own]
        if any(one >= other for one, other in pairwise(slots)):
            raise ParameterError(f"the slots of names and colours must increase, got {slots}")

    def of(self, slot: int) -> Look:
        """Return the look of the state in a slot."""
        return next((look for look in self.own if look.slot == slot), Look(slot))

    def changed(self, slot: int, name: str | None = None, color: str | None = None) -> "Looks":
        """Return the looks with another name or colour for the state in a slot."""
        before = self.of(slot)
        look = Look(
            slot, before.name if name is None else name, before.color if color is None else color
        )
        others = [other for other in self.own if other.slot != slot]
        return self._with([*others, look] if look.name or look.color else others)

    def moved(self, to: Callable[[int], int]) -> "Looks":
        """Return the looks of states that move to other slots."""
        return self._with([replace(look, slot=to(look.slot)) for look in self.own])

    def _with(self, own: list[Look]) -> "Looks":
        return replace(self, own=tuple(sorted(own, key=lambda each: each.slot)))


@dataclass(frozen=True)
class Appearance:
    """The names and colours of the states of a frame."""

    looks: Looks = Looks()  # of the user
    means: tuple[tuple[int, Color], ...] = ()  # mean colour of the pixels in each slot, if needed
    # Of known states and strokes, where the user set none; of one slot the last counts
    given: tuple[Look, ...] = ()

    @classmethod
    def of(
        cls,
        looks: Looks,
        slots: tuple[int, ...] = (),
        means: NDArray[np.int64] | None = None,
        given: tuple[Look, ...] = (),
    ) -> "Appearance":
        """Return the appearance of states in some slots.

        ``means`` are those of `mean_colors`, or None.
        """
        if means is None:
            return cls(looks, given=given)
        rows = zip(slots, map(tuple, means.tolist()), strict=True)
        found = tuple((slot, color) for slot, color in rows if min(color) >= 0)
        return cls(looks, found, given)

    def colors(self, slots: tuple[int, ...]) -> NDArray[np.uint8]:
        """Return the colour of the state in each slot, shape (N, 3), uint8."""
        colors = state_colors(slots)
        looks = (*self.given, *self.looks.own)
        own = {look.slot: _rgb(look.color) for look in looks if look.color}
        found = {**dict(self.means), **own}
        for k, slot in enumerate(slots):
            if slot in found:
                colors[k] = found[slot]
        return colors

    def names(self, slots: tuple[int, ...]) -> tuple[str, ...]:
        """Return the name of the state in each slot; "" if it has none."""
        given = {look.slot: look.name for look in self.given}
        return tuple(self.looks.of(slot).name or given.get(slot, "") for slot in slots)


def known_looks(
    known: tuple[int, ...], slots: tuple[int, ...], names: tuple[str, ...], colors: tuple[str, ...]
) -> tuple[Look, ...]:
    """Return the looks of decoded states by those of known states, which have slots ``known``.

    Where known states have colours, the other states take colours of the palette that are left.
    """
    called = dict(zip(known, names, strict=False))
    found = dict(zip(known, colors, strict=False))
    if colors:
        others = (slot for slot in slots if slot not in found)
        left = (color for color in map(_hex, SLOT_COLORS) if color not in colors)
        found |= zip(others, left, strict=False)
    return tuple(Look(k, called.get(k, ""), found.get(k, "")) for k in {**called, **found})


def _hex(color: NDArray[np.uint8]) -> str:
    return f"#{color.tobytes().hex()}"


def _rgb(color: str) -> Color:
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue


def called(number: int, name: str = "") -> str:
    """Return the name of a state in a text: "state 3", or "state 3 (sky)"."""
    return f"state {number} ({name})" if name else f"state {number}"


def mean_colors(
    picture: Picture, states: NDArray[np.uint8], n_states: int, side: int = 1
) -> NDArray[np.int64]:
    """Return the mean colour of the shown pixels in each state, (N, 3) int64; -1 without pixels."""
    # ``states`` have the picture's shape, or are of the middle pixel of each cell of ``side``
    # pixels
    shown: NDArray[Any] = picture.shown
    if side > 1:
        middles = (np.arange(0, length, side) + side // 2 for length in picture.shape)
        shown = shown[
            np.ix_(*(np.minimum(m, n - 1) for m, n in zip(middles, picture.shape, strict=True)))
        ]
    ((shown,), (flat,)) = (only_known([one], [mask_in(states)]) for one in (shown, states))
    flat = flat.reshape(-1)
    if picture.is_grey:
        sums = _sums_of_values(picture, shown.reshape(-1), flat, n_states)
    else:
        sums = colours_of(shown.reshape(-1, 3), flat, n_states)
    means = np.rint(sums[:, :3] / np.maximum(sums[:, 3:], 1)).astype(np.int64)
    return np.where(sums[:, 3:] > 0, means, -1)


def _sums_of_values(
    picture: Picture, values: NDArray[np.uint8], states: NDArray[np.uint8], n_states: int
) -> NDArray[np.int64]:
    """Return `colours_of` for grey values or symbols with colours."""
    counts = np.zeros((n_states, 256), np.int64)
    for start in range(0, states.size, _PART):
        part = slice(start, start + _PART)
        rows = states[part].astype(np.int64) << 8
        counts += np.bincount(rows + values[part], minlength=n_states << 8).reshape(-1, 256)
    colors = np.repeat(np.arange(256)[:, None], 3, axis=1)
    if picture.colors is not None:
        colors[: len(picture.colors)] = picture.colors
    return np.concatenate([counts @ colors, counts.sum(axis=1, keepdims=True)], axis=1)
