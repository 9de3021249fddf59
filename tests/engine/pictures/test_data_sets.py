"""Sequences, volumes and slices apart: frames hold the core's results for the same arrays."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.core.model.indices import local_inertia
from latviz.core.truth.emission import emit
from latviz.core.truth.geometry import sample_blobs
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.selection import PairSelection, RegionSelection, StateSelection
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.settings.parameters import Parameters, suited
from tests.new_frames import new_frame

LETTERS = tuple("ACDEFGHIKLMNPQRSTVWY")
NEEDS = frozenset({"node_map"})


def sequence(length: int = 3000) -> Picture:
    states = sample_blobs((length,), n_states=3, scale=20.0, random_state=1)
    rows = np.random.default_rng(2).dirichlet(np.full(20, 0.4), 3)
    return Picture(
        emit(states, emission=rows, random_state=3), "sequence", dimensions=1, alphabet=LETTERS
    )


def volume(dtype: Any = np.uint8, colour: bool = False) -> Picture:
    states = sample_blobs((9, 21, 26), n_states=3, scale=4.0, random_state=1)
    noise = np.random.default_rng(4).normal(0.0, 20.0, (*states.shape, 3 if colour else 1))
    values = np.clip(60.0 + 60.0 * states[..., None] + noise, 0, 255)
    pixels = values if colour else values[..., 0]
    return Picture(np.rint(pixels).astype(dtype), "volume", dimensions=3)


def completed(picture: Picture, parameters: Parameters, **request: Any) -> Frame:
    asked = {"complete": True, "needs": NEEDS, **request}
    return new_frame(picture, parameters, **asked)


def joined(frame: Frame, make: Any) -> NDArray[Any]:
    """Return the results of a function for each lattice, as one array."""
    values = frame.observations.values
    return np.stack([make(one) for one in values]) if frame.request.picture.apart else make(values)


@pytest.mark.parametrize("apart", [False, True])
def test_selections_of_a_volume_are_looked_up_in_it(apart: bool) -> None:
    picture = volume().sliced(apart)
    parameters = Parameters(Encoding("quantiles", 3), n_states=3, window=2)
    slots = completed(picture, parameters).slots
    frame = completed(picture, parameters, selection=PairSelection(*slots[:2]))
    expected, n_pairs = np.zeros(picture.shape, bool), 0
    for node in np.ndindex(picture.shape):
        for axis in range(1 if apart else 0, 3):
            other = tuple(t + (k == axis) for k, t in enumerate(node))
            if other[axis] == picture.shape[axis]:
                continue
            if {int(frame.states[node]), int(frame.states[other])} == {0, 1}:
                expected[node] = expected[other] = True
                n_pairs += 1
    np.testing.assert_array_equal(frame.lit.mask, expected)
    assert frame.lit.n_pairs == n_pairs > 0
    everything = RegionSelection(((-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)))
    frame = completed(picture, parameters, selection=everything)
    assert frame.lit.n_pixels == picture.n_nodes
    frame = completed(picture, parameters, selection=StateSelection(slots[2]), map="inertia")
    np.testing.assert_array_equal(frame.lit.mask, frame.states == 2)
    inert = joined(frame, lambda part: part)  # observations have the frame's shape
    assert inert.shape == frame.states.shape
    parts = list(frame.states) if apart else [frame.states]
    norms = [local_inertia(part, n_states=3, window=2) for part in parts]
    np.testing.assert_array_equal(frame.node_map.values, np.stack(norms) if apart else norms[0])


def test_a_last_axis_of_three_is_no_colour_unless_it_is_said() -> None:
    pixels = np.random.default_rng(0).integers(0, 255, (6, 7, 3)).astype(np.uint8)
    assert Picture(pixels, "image").shape == (6, 7)
    narrow = Picture(pixels, "volume", dimensions=3)
    assert narrow.shape == (6, 7, 3)
    parameters = Parameters(Encoding("quantiles", 2), n_states=2, window=1)
    assert completed(narrow, parameters).states.shape == (6, 7, 3)


@pytest.mark.parametrize(
    ("shape", "dimensions"), [((4, 5, 6), 2), ((4, 5), 3), ((4, 5, 6), 1), ((4,), 2)]
)
def test_pixels_have_the_axes_of_the_lattice(shape: tuple[int, ...], dimensions: int) -> None:
    with pytest.raises(ParameterError, match=r"a picture must have \d axes"):
        Picture(np.zeros(shape, np.uint8), "odd", dimensions=dimensions)


def test_a_sequence_is_encoded_by_its_labels_alone() -> None:
    picture = sequence(200)
    facts = as_set(picture).facts
    assert suited(Parameters(Encoding("grey")), facts).encoding == Encoding("labels")
    kept = Parameters(Encoding("labels"), n_states=7)
    assert suited(kept, facts) is kept
    with pytest.raises(ParameterError, match="its own symbols"):
        completed(picture, Parameters(Encoding("grey")))
    frame = completed(picture, kept)
    assert frame.observations.names == LETTERS
    assert frame.observations.n_symbols == 20
    np.testing.assert_array_equal(frame.observations.values, picture.pixels)


def test_known_nodes_are_a_mask_of_the_lattice() -> None:
    pixels, known = np.zeros((2, 3, 3), np.uint8), np.ones((2, 3), bool)
    assert Picture(pixels, "all", known=known).known is None
    known[1, 2] = False
    assert np.array_equal(Picture(pixels, "some", known=known).known, known)
    for wrong in (~known & False, known[0], known.astype(np.uint8)):
        with pytest.raises(ParameterError, match="mask"):
            Picture(pixels, "none", known=wrong)
