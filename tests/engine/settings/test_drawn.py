"""The effect of brushes on a map of states, and that drawings are kept as text."""

from dataclasses import replace

import numpy as np
import pytest

from latviz.core import ParameterError
from latviz.engine.bench.experiment import Experiment
from latviz.engine.bench.exports import python_of
from latviz.engine.keeping.plain import from_line, to_line
from latviz.engine.settings.drawn import filled, fitted, packed, stroked, unpacked

RANDOM = np.random.default_rng(2).integers(0, 6, (64, 64)).astype(np.uint8)


def test_a_map_is_kept_as_text() -> None:
    np.testing.assert_array_equal(unpacked(packed(RANDOM)), RANDOM)
    assert len(packed(np.zeros((256, 256), np.uint8))) < 500
    for text in ("", "x", packed(RANDOM)[:-9], packed(RANDOM[:3, :5])):
        with pytest.raises(ParameterError, match="must be the text of a square map"):
            unpacked(text)


@pytest.mark.parametrize(
    ("start", "end", "size"), [((5, 5), (5, 5), 1), ((3, 4), (17, 11), 5), ((0, 19), (9, 0), 8)]
)
def test_a_stroke_paints_what_is_within_half_its_size_of_the_line(start, end, size) -> None:
    found = stroked(np.zeros((20, 20), np.uint8), start, end, size, 3)
    line = np.linspace(start, end, 2001)  # of points dense enough to represent it
    for node in np.ndindex(20, 20):
        apart = np.sqrt(((line - node) ** 2).sum(axis=1)).min()
        if abs(apart - size / 2) > 0.01:
            assert (found[node] == 3) == (apart < size / 2), node
    assert found[start] == found[end] == 3


def test_filling_takes_the_connected_region_alone() -> None:
    states = np.array([[0, 0, 1, 0], [1, 1, 0, 0], [0, 1, 0, 2]], np.uint8)
    wanted = np.array([[0, 0, 1, 5], [1, 1, 5, 5], [0, 1, 5, 2]])
    np.testing.assert_array_equal(filled(states, (1, 2), 5), wanted)
    np.testing.assert_array_equal(filled(states, (2, 3), 2), states)


def test_a_map_fits_other_lattices_and_fewer_states() -> None:
    wide = fitted(RANDOM, 128, 6)
    np.testing.assert_array_equal(wide, np.repeat(np.repeat(RANDOM, 2, 0), 2, 1))
    np.testing.assert_array_equal(fitted(wide, 64, 3), np.minimum(RANDOM, 2))


def test_a_drawing_is_fitted_to_the_experiment() -> None:
    start = Experiment(side=64, n_states=6)
    drawn = replace(start, field="drawn", drawn=packed(RANDOM))
    np.testing.assert_array_equal(drawn.make_truth(), RANDOM)
    fewer = replace(drawn, n_states=3, side=128)
    wanted = np.minimum(np.repeat(np.repeat(RANDOM, 2, 0), 2, 1), 2)
    np.testing.assert_array_equal(fewer.make_truth(), wanted)
    away = replace(fewer, field="blobs")
    np.testing.assert_array_equal(replace(away, field="drawn").make_truth(), wanted)
    assert not replace(start, field="drawn").make_truth().any()
    assert from_line(Experiment, to_line(drawn), start) == drawn
    assert from_line(Experiment, '{"field": "mosaic"}', start) == Experiment(field="mosaic")


def test_its_script_begins_with_it() -> None:
    experiment = Experiment(field="drawn", side=64, n_states=6, drawn=packed(RANDOM))
    names: dict[str, object] = {}
    exec(python_of(experiment).split("\nr = ")[0], names)
    np.testing.assert_array_equal(names["truth"], RANDOM)
