"""Pictures that are made, not opened: an observation whose true states are known."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.encoding import Encoding
from latviz.core.types import States
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.parameters import Parameters

Made = tuple[Picture, Parameters]
"""A picture, and the parameters to begin with."""
LEVELS = 8
"""Bins of grey levels for each state, at most 64 in all."""
_MOST_LEVELS = 64
_DARK, _BRIGHT = 40.0, 215.0
"""The least and the greatest mean: noise has room below and above."""


def picture_of(
    observation: NDArray[Any], truth: States, n_states: int, window: int, name: str
) -> Made:
    """Return an observation as a picture, with parameters that suit it."""
    # Symbols (*shape) uint8, or values (*shape, 1) float64 whose states have the means 0..N-1;
    # ``truth`` (*shape) are its states
    symbols = observation.dtype == np.uint8
    note = f"Made in the program; its {n_states} states are known."
    picture = Picture(
        state_colors(tuple(range(256)))[observation] if symbols else _grey(observation, n_states),
        name,
        labels=observation.copy() if symbols else None,
        notes=(note,),
        truth=truth.copy(),
        origin={"made": True},
    )
    n_levels = min(LEVELS * n_states, _MOST_LEVELS)
    encoding = Encoding("labels") if symbols else Encoding("levels", n_levels)
    _ = picture.few_labels  # counted now, not when a window needs it
    return picture, Parameters(encoding, n_states=n_states, window=window)


def _grey(values: NDArray[Any], n_states: int) -> NDArray[np.uint8]:
    """Return values as grey levels; values far beyond the means are black or white."""
    step = (_BRIGHT - _DARK) / max(1, n_states - 1)
    return np.rint(_DARK + step * values[..., 0]).clip(0, 255).astype(np.uint8)
