"""Films of one parameter that moves: computed by the stages, drawn, and written."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from latviz import files
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, shares
from latviz.engine.films.film import Film
from latviz.engine.films.film_frames import caption_of, frames_of
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Section
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Picture, Pictures, as_set
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.sharing.drawing import (
    Drawn,
    color_table,
    drawn_shape,
    drawn_slots,
    known_colors,
    picture_plane,
)

_FIRST_SLOT = files.animation.GREYS
_FIRST_COLOUR = _FIRST_SLOT + len(SLOT_COLORS)
"""The palette holds the greys of the caption, the colours of states, then those of the picture."""
_GAP = 8
_CAPTION_IN = 14
"""Ratio of the film's width to the height of a caption, and the least height."""
_LEAST_CAPTION = 18
_WIDE = 1.6
"""Planes wider than this ratio are placed below each other."""
_COMPUTING = 0.95
"""The share of computing in the work; the rest is writing."""


def write_film(
    path: str | Path,
    pictures: Pictures,
    session: Session,
    film: Film,
    progress: Progress | None = None,
) -> None:
    """Write a film of a session, as an animated GIF or WebP, by the suffix."""
    # On cancelling, no file is left. ParameterError if nothing would move; ExportError
    files.animation.check_animation(path)
    picture = as_set(pictures).picture
    if reason := film.refusal(session.state.parameters, picture.dimensions):
        raise ParameterError(f"the film would not move: {reason}")
    computing, writing = shares(progress, [_COMPUTING, 1 - _COMPUTING])
    screen = Screen.of(picture, session.state.slice, film)
    drawn, colors = dict[int, Drawn](), None
    for value, frame in frames_of(pictures, session.shown, film.moving, film.values, computing):
        drawn[value], colors = screen.draw(frame, film, value), known_colors(frame, colors)
    frames, palette = [drawn[value] for value in film.values], screen.palette.copy()
    palette[_FIRST_SLOT:_FIRST_COLOUR] = color_table(colors or {})
    files.animation.write_animation(path, frames, palette, film.milliseconds, writing)


@dataclass(frozen=True)
class Size:
    """The size of a film: its pixels, and approximate bytes."""

    width: int
    height: int
    n_bytes: int


def estimated_size(frame: Frame, slice_: int, film: Film, suffix: str) -> Size:
    """Return the approximate size of a film in a format, from the frame on screen."""
    # The picture is there once, the states and the caption in every frame
    screen = Screen.of(frame.request.picture, slice_, film)
    alone = replace(screen, picture=None)
    whole, moving = (s.draw(frame, film, film.values[0]) for s in (screen, alone))
    first, each = (
        files.animation.animation_size([drawn], screen.palette, suffix) for drawn in (whole, moving)
    )
    height, width = whole.shape
    return Size(width, height, first + (len(film.values) - 1) * each)


@dataclass(frozen=True, eq=False)
class Screen:
    """The canvas of every frame of a film."""

    section: Section  # the plane that is shown
    shape: tuple[int, int]  # height and width of the states
    palette: Drawn  # (256, 3)
    picture: Drawn | None  # indices into the palette, if the picture is next to the states

    @classmethod
    def of(cls, picture: Picture, slice_: int, film: Film) -> "Screen":
        """Return that of a film of a picture."""
        section = Section(picture.shape, slice_)
        shape = drawn_shape(section, film.side)
        palette = np.zeros((256, 3), np.uint8)
        palette[:_FIRST_SLOT] = files.animation.grey_ramp()
        palette[_FIRST_SLOT:_FIRST_COLOUR] = SLOT_COLORS
        if film.shown == "states":
            return cls(section, shape, palette, None)
        drawn = files.writing.resized(picture_plane(picture, section), shape)
        n_left = len(palette) - _FIRST_COLOUR
        indices, palette[_FIRST_COLOUR:] = files.animation.in_few_colours(drawn, n_left)
        return cls(section, shape, palette, indices + np.uint8(_FIRST_COLOUR))

    def draw(self, frame: Frame, film: Film, value: int) -> Drawn:
        """Return the indices of one frame into the palette, for a value of the moving parameter."""
        drawn = drawn_slots(frame, self.section, self.shape) + np.uint8(_FIRST_SLOT)
        if self.picture is not None:
            drawn = _beside(self.picture, drawn)
        if not film.caption:
            return drawn
        width = drawn.shape[1]
        done = (film.values.index(value) + 1) / len(film.values)
        height = max(_LEAST_CAPTION, min(width, 1000) // _CAPTION_IN)
        text = caption_of(film.moving, frame)
        return np.vstack([drawn, files.animation.caption(text, height, width, done)])


def _beside(left: Drawn, right: Drawn) -> Drawn:
    """Return two planes side by side, with a gap between; wide ones below each other."""
    height, width = left.shape
    if width > _WIDE * height:
        return np.vstack([left, np.zeros((_GAP, width), np.uint8), right])
    return np.hstack([left, np.zeros((height, _GAP), np.uint8), right])
