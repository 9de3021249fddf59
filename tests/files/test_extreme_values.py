"""Images of floats whose values are huge, tiny, nearly equal or none: shown, or refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latviz import computing, workspace
from latviz.engine.keeping.session import opened
from latviz.engine.settings.parameters import Parameters
from latviz.files.errors import ImageError

UNIT = np.random.default_rng(5).random((20, 30))
UNIT[0, :2] = 0, 1
LARGEST = float(np.finfo(np.float32).max)
SHOWN = {
    "the whole range": (2 * UNIT - 1) * LARGEST,
    "a mark for missing values": np.where(UNIT < 0.3, -LARGEST, UNIT),
    "the largest": UNIT * LARGEST,
    "small": UNIT * 1e-30,
    "below what is normal": UNIT * 1e-38,
    "the smallest": UNIT * 1e-43,
    "large and small": np.where(UNIT < 0.5, 1e-43, 1e38),
    "one value": np.full((20, 30), LARGEST),
    "zero": np.zeros((20, 30)),
}
REFUSED = {
    "all not finite": (np.full((20, 30), np.nan), "nothing is known of its 600 pixels"),
    "too large": (UNIT * 1e308, "too large for float32"),
    "of all sizes": (np.where(UNIT < 0.5, 1e-320, 1e308), "too large for float32"),
    "too small": (UNIT * 1e-320, "are all the same as float32"),
    "nearly equal": (1e10 + UNIT, "are all the same as float32"),
}


def file_of(folder: Path, values: Any, colour: bool) -> Path:
    path = folder / "a.npy"
    np.save(path, np.stack([values, values[::-1], values[:, ::-1]], axis=2) if colour else values)
    return path


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", SHOWN)
def test_shown_from_the_least_to_the_largest(tmp_path, name, dtype, colour) -> None:
    """Warnings are errors here."""
    pictures = workspace.read_pictures(file_of(tmp_path, SHOWN[name].astype(dtype), colour))
    values = pictures.picture.pixels.astype(np.longdouble)
    low, high = values.min(), values.max()
    wanted = (values - low) / (high - low) * 255 if high > low else np.zeros(values.shape)
    assert np.abs(pictures.picture.shown - wanted).max() <= 0.501
    session = opened(pictures, Parameters(n_states=2))
    states = computing.compute_exported(pictures, session.shown).states
    assert len(np.unique(states)) == (2 if high > low else 1)


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_a_sentence(tmp_path: Path, name: str, colour: bool) -> None:
    values, why = REFUSED[name]
    with pytest.raises(ImageError, match=why) as caught:
        workspace.read_pictures(file_of(tmp_path, values, colour))
    assert str(caught.value).startswith("a.npy: ")
