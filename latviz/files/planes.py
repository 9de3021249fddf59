"""The planes of a file along its axes, and the lattice that the roles of the axes make of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.axes import (
    APART,
    COLOUR,
    LATTICE,
    VECTOR,
    Axis,
    Role,
    Roles,
    n_planes,
    settled,
    spelled,
)
from latviz.core.errors import ParameterError
from latviz.files.decoding import DecodedFile, DecodeError, check_size
from latviz.files.memory import cost
from latviz.files.pixels import Settled, filled, frozen, settle, unknown_notes

_MOST_NAMED = 6
"""Channels that a note lists."""


class _TooManyPlanes(DecodeError):
    """Planes that fit into memory one by one, but not together."""


@dataclass(frozen=True)
class Planes:
    """Images of one size along the axes of a file, which is open."""

    axes: tuple[Axis, ...]  # the slowest first; an axis of samples is the last
    # takes an entry of each axis but that of samples, and True to keep all samples of a pixel
    decode: Callable[[tuple[int, ...], bool], DecodedFile]
    notes: tuple[str, ...] = ()
    spacing: Mapping[str, float] = field(default_factory=dict)  # by axis: "y", "x", "z"
    unit: str = ""
    x: NDArray[Any] | None = None  # (W,): see `DecodedFile`
    # by entry of the channels, the names of its values, which are symbols
    symbols: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def alphabet(self, roles: Roles) -> tuple[str, ...]:
        """Return the names of the symbols that are chosen; empty for numbers."""
        axis = next((axis for axis in self.axes if axis.name == "c"), None)
        chosen = (0,) if axis is None else axis.chosen(roles["c"])
        found = [self.symbols.get(entry, ()) for entry in chosen]
        if len(found) > 1 and any(found):
            raise DecodeError(
                "names cannot be channels of one sequence; choose columns of numbers, or one of "
                f"names, such as c={min(self.symbols)}"
            )
        return found[0]


@dataclass(frozen=True, eq=False)
class ImageFile:
    """An image as it was read."""

    # uint8, uint16 or float32, in the file's range; read-only
    pixels: Annotated[NDArray[Any], "(H, W) or (D, H, W), with (3,) colours or (C,) channels"]
    path: Path  # as it was given
    name: str  # of the file, without its folder
    notes: tuple[str, ...]  # changes beyond copying values, one short sentence each
    # palette indices, if it has a palette; read-only
    indices: Annotated[NDArray[Any] | None, "(H, W)"] = None
    # where a node is known, None if all are; pixels and indices hold known values in the others
    known: Annotated[NDArray[np.bool_] | None, "(H, W) or (D, H, W)"] = None
    x: NDArray[Any] | None = None  # (W,): see `DecodedFile`
    axes: tuple[Axis, ...] = ()  # beside rows and columns
    roles: Roles = field(default_factory=dict)  # of all axes
    channels: tuple[str, ...] = ()  # names of C numbers per pixel, which are not colours
    alphabet: tuple[str, ...] = ()  # names of symbols, which pixels are the numbers of
    spacing: tuple[float, ...] = ()  # of nodes along each axis; empty if unknown
    spacing_unit: str = ""

    @property
    def pages(self) -> int:
        """The number of planes in the file: of pages, frames, slices, channels that are apart."""
        return n_planes(self.axes)


def stacked(planes: Planes, wanted: Roles, reduction: int, path: Path) -> ImageFile:
    """Read the planes that the roles of their axes ask for, or raise `DecodeError`."""
    # If planes that were not asked for do not fit into memory, their axes are shown in the middle
    try:
        wanted = spelled(planes.axes, wanted)
        roles = settled(planes.axes, wanted)
        return _read(planes, roles, reduction, path)
    except ParameterError as error:
        raise DecodeError(str(error)) from error
    except _TooManyPlanes:
        usual = [axis for axis in planes.axes if axis.name not in wanted and not axis.of_samples]
        long = [axis for axis in usual if len(axis.chosen(roles[axis.name])) > 1]
        if not long:
            raise
        fewer = {axis.name: (axis.length // 2,) for axis in long}
        found = _read(planes, {**roles, **fewer}, reduction, path)
        each = " and ".join(f"{axis.length} {axis.word}s" for axis in long)
        note = f"{each} do not fit into memory: one in the middle is read"
        return replace(found, notes=(note, *found.notes))


def _read(planes: Planes, roles: dict[str, Role], reduction: int, path: Path) -> ImageFile:
    named = next((axis for axis in planes.axes if _is_vector(roles[axis.name])), None)
    channels = () if named is None else tuple(map(named.entry, named.chosen(roles[named.name])))
    alphabet = planes.alphabet(roles)
    found = _gathered(planes, roles, reduction)
    spacing = _spacing_of(planes.spacing, roles, reduction)
    return ImageFile(
        found.pixels,
        path,
        path.name,
        (
            *role_notes(planes.axes, roles),
            *planes.notes,
            *dict.fromkeys(found.notes),
            *unknown_notes(found.known, found.reasons),
        ),
        None if channels else found.indices,
        found.known,
        planes.x if reduction == 1 else None,
        planes.axes,
        roles,
        channels,
        alphabet,
        spacing,
        planes.unit if spacing else "",
    )


def _spacing_of(found: Mapping[str, float], roles: Roles, reduction: int) -> tuple[float, ...]:
    """Return the distance of nodes along each axis; empty if one of them is unknown."""
    deep = next((k for k, role in roles.items() if role in (LATTICE, APART)), "")
    if not {"y", "x"} <= found.keys() or (deep and deep not in found):
        return ()
    own = found["y"] * reduction, found["x"] * reduction
    return (found[deep], *own) if deep else own


def _gathered(planes: Planes, roles: dict[str, Role], reduction: int) -> Settled:
    """Return the planes as one lattice; palette indices are those of a single plane."""
    outer = [axis for axis in planes.axes if not axis.of_samples]
    deep = next((axis for axis in outer if roles[axis.name] in (LATTICE, APART)), None)
    wide = next((axis for axis in outer if _is_vector(roles[axis.name])), None)
    n_deep = 1 if deep is None else deep.length
    across = (0,) if wide is None else wide.chosen(roles[wide.name])
    whole, known, reasons, notes = np.empty(0, np.uint8), None, list[str](), list[str]()
    for (i, down), (j, over) in itertools.product(enumerate(range(n_deep)), enumerate(across)):
        place = tuple(
            down if axis is deep else over if axis is wide else axis.chosen(roles[axis.name])[0]
            for axis in outer
        )
        one = _plane(planes, roles, place, reduction)
        if deep is wide is None:
            return one
        notes += one.notes
        reasons += one.reasons
        pixels = one.pixels
        if wide is not None and pixels.ndim == 3:
            raise DecodeError(
                f"its {wide.word}s are images in colour, not numbers of a pixel; choose one of "
                f"them: {wide.name}=0"
            )
        if whole.size == 0:
            _check_room(pixels, n_deep * len(across), reduction)
            whole = np.empty((n_deep, *pixels.shape, len(across)), pixels.dtype)
        whole, pixels = _in_colour(whole, pixels)
        _check_alike(pixels, whole.shape[1:-1], place)
        whole = whole.astype(np.result_type(whole, pixels), copy=False)
        whole[i, ..., j] = pixels
        if one.known is not None:
            known = np.ones((n_deep, *one.known.shape), bool) if known is None else known
            known[i] &= one.known
    whole = whole if wide is not None else whole[..., 0]
    whole = filled(whole, known)
    if deep is None:
        whole, known = whole[0], None if known is None else known[0]
    return Settled(frozen(whole), None, known, tuple(dict.fromkeys(reasons)), tuple(notes))


def _check_room(plane: NDArray[Any], n_planes: int, reduction: int) -> None:
    """Raise `DecodeError` unless as many planes as the first, which is reduced, fit into memory."""
    height, width = plane.shape[:2]
    price = cost(plane.dtype, plane.shape[2] if plane.ndim == 3 else 1)
    try:
        check_size(width * reduction, height * reduction, price, reduction, n_planes)
    except DecodeError as error:
        raise _TooManyPlanes(error.reason, error.reduction) from None


def _plane(planes: Planes, roles: Roles, place: tuple[int, ...], reduction: int) -> Settled:
    """Return a plane, or the chosen samples of each of its pixels."""
    samples = next((axis for axis in planes.axes if axis.of_samples), None)
    role = COLOUR if samples is None else roles[samples.name]
    decoded = planes.decode(place, role != COLOUR)
    if samples is not None and role != COLOUR:
        own = decoded.samples.reshape(*decoded.samples.shape[:2], -1)
        decoded = replace(decoded, samples=own[..., list(samples.chosen(role))])
    return settle(decoded, reduction, role == COLOUR)


def _is_vector(role: Role) -> bool:
    return role == VECTOR or (isinstance(role, tuple) and len(role) > 1)


def _in_colour(whole: NDArray[Any], pixels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return planes and a further one, all in colour if one is: a palette of greys gives greys."""
    if whole.ndim == 5 and pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=-1)
    elif whole.ndim == 4 and pixels.ndim == 3:
        whole = np.repeat(whole[..., None, :], 3, axis=-2)
    return whole, pixels


def _check_alike(pixels: NDArray[Any], first: tuple[int, ...], place: tuple[int, ...]) -> None:
    if pixels.shape != first:
        raise DecodeError(
            f"its plane {', '.join(map(str, place))} has shape {pixels.shape}, but the first has "
            f"{first}; a lattice needs equal planes, so open them one by one"
        )


def role_notes(axes: Sequence[Axis], roles: Mapping[str, Role]) -> Iterator[str]:
    """Yield what was read of each axis."""
    for axis in axes:
        role, n = roles[axis.name], axis.length
        if isinstance(role, tuple) and len(role) == 1:
            name = f", {axis.entries[role[0]]}" if axis.entries else ""
            yield f"{axis.word} {role[0] + 1} of {n}{name}"
        elif _is_vector(role):
            chosen = axis.chosen(role)
            names = ", ".join(map(axis.entry, chosen[:_MOST_NAMED]))
            yield f"{len(chosen)} channels: {names}{', …' if len(chosen) > _MOST_NAMED else ''}"
        elif axis.name == "t" and role in (LATTICE, APART):
            yield "its slices are points in time"
