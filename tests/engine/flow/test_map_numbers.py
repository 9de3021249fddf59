"""Numbers are of the map that they stand beside, whatever decoded it: the oracle counts it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from latviz.core.data.encoding import Encoding
from latviz.engine.keeping import results
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from tests import naive
from tests.core import cases
from tests.new_frames import exported_frame
from tests.products import every_pair


def colours(shape: tuple[int, ...], seed: int) -> Any:
    """Return a noisy lattice of colours, bytes."""
    return np.clip(128 + 30 * cases.vectors(shape, 3, seed), 0, 255).astype(np.uint8)


PICTURES = {
    "sequence": Picture(cases.blocky((70,), 4, 31), "s", dimensions=1, alphabet=tuple("abcd")),
    "image": Picture(colours((18, 22), 32), "i"),
    "row": Picture(colours((1, 60), 34), "r"),
    "volume": Picture(colours((4, 7, 9), 33), "v", dimensions=3),
}
ENCODINGS = {
    "symbols": Encoding("palette", 4),
    "numbers": Encoding("grey"),
    "vectors": Encoding("rgb"),
}
CASES = every_pair(
    [*PICTURES], [*ENCODINGS], ["nearest", "belief", "refined"], [0.0, 0.5], [False, True]
)


@pytest.mark.parametrize(("name", "encoding", "decoder", "smoothing", "apart"), CASES)
def test_what_is_shown_and_exported_is_counted_over_the_states(
    name, encoding, decoder, smoothing, apart
) -> None:
    picture = PICTURES[name].sliced(apart)
    chosen = Encoding("labels") if name == "sequence" else ENCODINGS[encoding]
    n, apart = 3, picture.apart
    found = exported_frame(
        picture,
        Parameters(chosen, n_states=n, window=2, decoder=decoder, smoothing=smoothing),
    )
    smoothing = 0.0 if decoder == "refined" else smoothing
    arrays, summary = results.arrays(found, large=True), results.summary(found)
    states, values = arrays["states"], arrays["observations"]
    maps, seen = (list(states), list(values)) if apart else ([states], [values])
    pairs = sum(naive.pair_counts(one, n) for one in maps)
    np.testing.assert_array_equal(arrays["A_counts"], pairs)
    np.testing.assert_array_equal(arrays["occupancy"], naive.state_counts(maps, n))
    A = naive.adjacency(maps, n, smoothing)
    np.testing.assert_allclose(arrays["A"], A, rtol=1e-12, atol=0)
    indices = summary["indices"]
    assert indices["associativity"] == pytest.approx(naive.associativity(A), rel=1e-9)
    assert indices["inertia"] == pytest.approx(naive.inertia(maps, n, 2), rel=1e-6)
    data = [emissions(arrays, *both) for both in zip(seen, maps, strict=True)]
    both = [naive.pair_terms(one, A, 1.0, "neighbours") for one in maps]
    total = sum(float(one.sum()) for one in (*data, *both))
    impossible = sum(int((np.isinf(a + b)).sum()) for a, b in zip(data, both, strict=True))
    score = summary["log_likelihood"]
    assert score["impossible_pixels"] == impossible
    assert decoder == "nearest" or not impossible  # belief is 0 where B is
    assert score["nats"] == pytest.approx(total, rel=1e-5)
    assert not any(np.isinf(one).any() for one in both)  # each pair on screen was counted
    coupling = arrays.get("decoding.A", arrays["A"])
    np.testing.assert_array_equal(coupling, found.decoding_model.A)


def emissions(arrays: Any, seen: Any, states: Any) -> Any:
    """Return the data term of each node; covariances must be those of the states."""
    if "B" in arrays:
        return naive.emissions_discrete(seen, states, arrays["B"])
    return naive.emissions_gaussian(seen, states, arrays["means"], arrays["covariances"])


@pytest.mark.parametrize("decoder", ["nearest", "refined"])
def test_covariances_are_those_of_the_states(decoder: str) -> None:
    parameters = Parameters(Encoding("rgb"), n_states=3, window=2, decoder=decoder)
    arrays = results.arrays(exported_frame(PICTURES["image"], parameters), large=True)
    own = [arrays["observations"]], [arrays["states"]], arrays["means"]
    np.testing.assert_allclose(arrays["covariances"], naive.covariances(*own), rtol=1e-5)


def test_the_A_of_a_given_model_couples_neighbours_and_is_its_own_by_windows() -> None:
    parameters = Parameters(Encoding("palette", 4), n_states=3, window=2, decoder="belief")
    learned = exported_frame(PICTURES["image"], parameters)
    given = Given(learned.decoding_model, learned.observations.encoder, "mine")
    other = Picture(colours((16, 20), 35), "other")
    for picture in (PICTURES["image"], other):
        applied = exported_frame(picture, parameters, given=given)
        np.testing.assert_array_equal(applied.coupling, given.model.A)
        np.testing.assert_allclose(
            applied.model.A, naive.adjacency([applied.states], 3), rtol=1e-12, atol=0
        )
        by_windows = exported_frame(picture, replace(parameters, decoder="nearest"), given=given)
        np.testing.assert_array_equal(by_windows.model.A, given.model.A)
    same = exported_frame(PICTURES["image"], parameters, given=given)
    np.testing.assert_array_equal(same.states, learned.states)


def test_belief_of_several_pictures_is_counted_over_the_one_on_screen() -> None:
    one, other = PICTURES["image"], Picture(colours((16, 20), 34), "other")
    parameters = Parameters(Encoding("palette", 4), n_states=3, window=2, decoder="belief")
    for shown in (0, 1):
        found = exported_frame(PictureSet((one, other), shown), parameters)
        A = naive.adjacency([found.states], 3)
        np.testing.assert_allclose(found.model.A, A, rtol=1e-12, atol=0)
        assert found.associativity == pytest.approx(naive.associativity(A), rel=1e-12)
