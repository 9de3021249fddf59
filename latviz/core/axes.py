"""Named axes of a file, and the role of each: lattice, vector, colour, apart, or at one entry.

This module is light, as the command line reads roles before anything is loaded.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from latviz.core.errors import ParameterError

LATTICE: Final = "lattice"
APART: Final = "apart"
VECTOR: Final = "vector"
COLOUR: Final = "colour"
ROLES: Final = {
    LATTICE: "windows and neighbours run along it",
    APART: "each entry is a lattice of its own, one model for all",
    VECTOR: "its entries are the numbers of a pixel",
    COLOUR: "its entries are red, green, blue and perhaps opacity",
}
"""The roles that have a word, and what they do; a further one is a tuple of entries."""
PLANE: Final = "plane"
"""A shorthand in place of an axis: one image of a file, counted along all its axes."""
VOLUME: Final = "volume"
"""A shorthand in place of an axis: the one that becomes that of a volume."""
SLICES: Final = "slices_apart"
"""A parameter of older files, and a shorthand in texts of settings: the role of the slices."""
Role = str | tuple[int, ...]
"""A word of `ROLES`, or the entries that are read, from 0: one is shown, several are a vector."""
MOST_AXES: Final = 3
"""Axes of a lattice, at most."""
_DEPTHS: Final = {"z": 0, "t": 2}
"""Which axis becomes that of a volume first."""
_WORDS: Final = {"z": "slice", "t": "time", "c": "channel"}


@dataclass(frozen=True)
class Axis:
    """An axis of a file beside the rows and columns of its pictures."""

    name: str  # "t", "z", "c", "page", or the file's own
    length: int
    entries: tuple[str, ...] = ()  # names of its entries, such as stains; empty without names
    of_samples: bool = False  # if its entries are stored with each pixel
    usual: Role = (0,)  # the role that the file gives it
    colors: tuple[str, ...] = ()  # that its entries are drawn in, such as "#ff0000"; empty: unknown

    @property
    def word(self) -> str:
        """The word for an entry: "slice", "time", "channel"."""
        return _WORDS.get(self.name, self.name)

    @property
    def may_be_colour(self) -> bool:
        """True if its first entries can be red, green and blue."""
        return self.of_samples and self.length >= 3

    def entry(self, index: int) -> str:
        """Return an entry by its name, or its number from 1: "channel 2"."""
        return self.entries[index] if self.entries else f"{self.word} {index + 1}"

    def chosen(self, role: Role) -> tuple[int, ...]:
        """Return the entries that a role reads."""
        return role if isinstance(role, tuple) else tuple(range(self.length))


Roles = Mapping[str, Role]
"""Roles by the names of axes."""


def roles_of(text: str) -> dict[str, Role]:
    """Return the roles in a text such as "t=3, z=apart, c=0+2", or raise `ParameterError`."""
    found: dict[str, Role] = {}
    for part in filter(None, (one.strip() for one in text.replace(";", ",").split(","))):
        name, equals, value = (one.strip() for one in part.partition("="))
        if not (name and equals and value) or name in found:
            raise ParameterError(
                f"axes must look like 't=3, z=apart, c=0+2', with roles {', '.join(ROLES)} or "
                f"entries from 0, got {text!r:.60}"
            )
        found[name] = value if value in ROLES else _entries(name, value)
    return found


def _entries(name: str, value: str) -> tuple[int, ...]:
    parts = [one.strip() for one in value.split("+")]
    if not all(one.isdecimal() and len(one) < 10 for one in parts):
        raise ParameterError(
            f"the role of the axis {name} must be one of {', '.join(ROLES)}, or entries from 0 "
            f"such as 0+2, got {value!r:.60}"
        )
    return tuple(dict.fromkeys(map(int, parts)))


def text_of(roles: Roles) -> str:
    """Return roles as a text that `roles_of` reads."""
    return ", ".join(f"{name}={_word(role)}" for name, role in roles.items())


def shorthand(plane: int | None, volume: bool) -> str:
    """Return the text for one plane, from 0, or for planes as a volume."""
    roles: dict[str, Role] = {} if plane is None else {PLANE: (plane,)}
    return text_of(roles | ({VOLUME: LATTICE} if volume else {}))


def _word(role: Role) -> str:
    return role if isinstance(role, str) else "+".join(map(str, role))


def exchanged(axes: Sequence[Axis], roles: Roles, name: str, role: Role) -> dict[str, Role]:
    """Return roles with another one for an axis; an axis that has its kind shows one entry."""
    found = {axis.name: roles.get(axis.name, axis.usual) for axis in axes} | {name: role}
    return {
        other: (0,) if other != name and _kind(own) == _kind(role) != "" else own
        for other, own in found.items()
    }


def turned(roles: Roles, apart: bool) -> dict[str, Role]:
    """Return roles with all slices apart, or none."""
    own = APART if apart else LATTICE
    return {name: own if is_deep({name: role}) else role for name, role in roles.items()}


def n_planes(axes: Sequence[Axis]) -> int:
    """Return the number of images of a file, of which three samples that are colours are one."""
    return math.prod(axis.length for axis in axes if axis.usual != COLOUR)


def is_deep(roles: Roles) -> bool:
    """Return True if a further axis is one of the lattice, beside rows and columns."""
    return any(role in (LATTICE, APART) for role in roles.values())


def settled(axes: Sequence[Axis], wanted: Roles) -> dict[str, Role]:
    """Return the role of every axis: those wanted, else usual; `ParameterError` if impossible."""
    names = [axis.name for axis in axes]
    if unknown := [name for name in wanted if name not in names]:
        known = f"its axes are {', '.join(names)}" if names else "it has none beside y and x"
        raise ParameterError(f"it has no axis {unknown[0]!r}: {known}")
    found = {axis.name: wanted.get(axis.name, axis.usual) for axis in axes}
    for axis in axes:
        _check(axis, found[axis.name])
    for name in names:  # what was asked for replaces what is usual
        role = found[name]
        if name not in wanted and _kind(role) in {_kind(found[other]) for other in wanted} - {""}:
            found[name] = (0,)
    for kind in ("lattice", "vector"):
        several = [name for name in names if _kind(found[name]) == kind]
        if len(several) > 1:
            what = "further axis of the lattice" if kind == "lattice" else "axis of a vector"
            raise ParameterError(f"there can be one {what}, got {' and '.join(several)}")
    return found


def spelled(axes: Sequence[Axis], wanted: Roles) -> Roles:
    """Return roles of axes, with those that shorthands stand for."""
    if not {PLANE, VOLUME} & wanted.keys():
        return wanted
    outer = [axis for axis in axes if axis.usual != COLOUR]
    lengths = tuple(axis.length for axis in outer)
    role, n = wanted.get(PLANE, (0,)), math.prod(lengths)
    place = role[0] if isinstance(role, tuple) and len(role) == 1 else -1
    if not 0 <= place < n:
        unit = outer[0].word if len(outer) == 1 else "page"
        raise ParameterError(
            f"{unit} {place + 1} was asked for, but it has {n}; choose one from 1 to {n}"
        )
    found: dict[str, Role] = {}
    for axis in reversed(outer):
        place, entry = divmod(place, axis.length)
        found[axis.name] = (entry,)
    if VOLUME in wanted:
        deep = [axis for axis in outer if axis.name != "c" and not axis.of_samples]
        if not deep:
            raise ParameterError(
                "it has one plane of pixels, so it is not a volume; open it as an image"
            )
        found[min(deep, key=lambda axis: _DEPTHS.get(axis.name, 1)).name] = wanted[VOLUME]
    return found | {name: role for name, role in wanted.items() if name not in (PLANE, VOLUME)}


def of_time(axes: Sequence[Axis], wanted: Roles) -> Roles:
    """Return roles in which a plane is a time, of all slices, in colour or of one channel."""
    found = {name: role for name, role in wanted.items() if name not in (PLANE, VOLUME)}
    if PLANE not in wanted:
        return found
    for axis in axes:
        if axis.name == "c":
            is_colour = axis.may_be_colour and axis.length <= 4
            found["c"] = COLOUR if is_colour else (0,)
    return found if wanted[PLANE] == (0,) else found | {"t": wanted[PLANE]}


def _kind(role: Role) -> str:
    """Return "lattice" or "vector" for roles of which there is one, "" for one entry."""
    if isinstance(role, tuple):
        return "vector" if len(role) > 1 else ""
    return "lattice" if role in (LATTICE, APART) else "vector"


def _check(axis: Axis, role: Role) -> None:
    if isinstance(role, tuple):
        if not role or max(role) >= axis.length:
            raise ParameterError(
                f"{axis.word} {max(role, default=0)} of the axis {axis.name} was asked for, but "
                f"it has {axis.length}: choose from 0 to {axis.length - 1}"
            )
        return
    if role == COLOUR and not axis.may_be_colour:
        raise ParameterError(f"the axis {axis.name} holds no colours: use vector, or entries")
    if role in (LATTICE, APART) and (axis.of_samples or axis.name == "c"):
        raise ParameterError(f"the axis {axis.name} holds channels: use vector, or entries")
