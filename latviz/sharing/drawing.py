"""The picture and the states of a frame, drawn for a file of a given size."""

import numpy as np
from numpy.typing import NDArray

from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Section
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import SLOT_COLORS, UNKNOWN_COLORS, hatched

Drawn = NDArray[np.uint8]
Colors = dict[int, Drawn]
"""A colour, shape (3,), by its index in `SLOT_COLORS`."""
_STRIP = 8
"""Ratio of width to height of a drawn sequence."""


def drawn_shape(section: Section, side: int) -> tuple[int, int]:
    """Return the height and width that a plane is drawn in, neither of them more than ``side``."""
    # Small planes are magnified by a whole number. A sequence becomes a strip
    rows, columns = section.shape
    longest = max(rows, columns)
    if longest > side:
        height, width = (max(1, round(side * length / longest)) for length in (rows, columns))
    else:
        height, width = (side // longest * length for length in (rows, columns))
    if len(section.lattice) == 1:
        height = max(1, side // _STRIP)
    return height, width


def drawn_slots(frame: Frame, section: Section, shape: tuple[int, int]) -> Drawn:
    """Return the index into `color_table` of each pixel: that of the node at its place."""
    slots = np.full(256, len(SLOT_COLORS), np.uint8)
    slots[: len(frame.slots)] = np.array(frame.slots) % len(SLOT_COLORS)
    plane = section.plane(frame.states)
    places = (
        np.arange(length) * known // length
        for length, known in zip(shape, plane.shape, strict=True)
    )
    return np.asarray(slots[plane[np.ix_(*places)]])


def known_colors(frame: Frame, known: Colors | None = None) -> Colors:
    """Return the colours of slots: those that are known, and those of a frame's states."""
    places = (slot % len(SLOT_COLORS) for slot in frame.slots)
    found: Colors = dict(zip(places, frame.colors, strict=True))
    return found if known is None else found | known


def color_table(known: Colors) -> Drawn:
    """Return the colours of all slots, with those that are known, and that of unknown nodes."""
    table = np.concatenate([SLOT_COLORS, UNKNOWN_COLORS[:1]])
    for place, color in known.items():
        table[place] = color
    return table


def picture_plane(picture: Picture, section: Section) -> Drawn:
    """Return the plane of a picture that is shown, in colour, shape (rows, columns, 3)."""
    plane, known = picture.in_colour(section.plane(picture.shown)), picture.known
    return plane if known is None else hatched(plane, section.plane(known))
