"""Arguments in another order: refused with the right call, or warned of, but never silent."""

import warnings

import numpy as np
import pytest

from latviz import core
from latviz.core import ParameterError
from tests.core import fuzz

RNG = np.random.default_rng(3)
TRUTH = core.sample_blobs((48, 48), n_states=3, scale=6, random_state=0)
SEEN = core.emit(
    TRUTH, emission=[[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]], random_state=1
)
GREY = RNG.normal(size=TRUTH.shape)
COLOUR = RNG.normal(size=(*TRUTH.shape, 3))
GAUSSIAN = {"kind": "gaussian"}

REFUSED = {
    "A": (lambda: core.associativity(TRUTH), "associativity(model.A)"),
    "A of int64": (lambda: core.associativity(TRUTH.astype(int)), "associativity(model.A)"),
    "A not square": (lambda: core.associativity(TRUTH[1:]), "associativity(model.A)"),
    "map as a table": (
        lambda: core.disagreement(TRUTH, SEEN, table=TRUTH),
        "contingency(one, other)",
    ),
    "inertia": (
        lambda: core.inertia(TRUTH, n_states=1, window=3),
        "inertia(states, n_states=..., window=...)",
    ),
    "doubt": (
        lambda: core.belief_entropy(fuzz.discrete(), model=SEEN),
        "belief_entropy(observations, model=...)",
    ),
    "refine": (lambda: core.refine(fuzz.discrete(), model=SEEN), "refine(observations, model=...)"),
    "regions": (
        lambda: core.regions(TRUTH, states=GREY, **GAUSSIAN),
        "regions(observations, states=...)",
    ),
    "regions of colour": (
        lambda: core.regions(TRUTH, states=COLOUR, **GAUSSIAN),
        "regions(observations, states=...)",
    ),
    "residuals": (
        lambda: core.residual_correlation(TRUTH, states=GREY, **GAUSSIAN),
        "residual_correlation(observations, states=...)",
    ),
    "law": (
        lambda: core.law_distance(TRUTH, states=COLOUR),
        "law_distance(observations, states=...)",
    ),
    "light": (
        lambda: core.level_light(TRUTH, states=GREY),
        "level_light(observations, states=...)",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_types_shapes_and_ranges_show_is_refused_with_the_right_call(name: str) -> None:
    call, wanted = REFUSED[name]
    with pytest.raises(ParameterError) as refused:
        call()
    assert wanted in str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (lambda: core.regions(TRUTH, states=SEEN), lambda: core.regions(SEEN, states=TRUTH)),
        (
            lambda: core.residual_correlation(TRUTH, states=SEEN),
            lambda: core.residual_correlation(SEEN, states=TRUTH),
        ),
    ],
)
def test_symbols_in_place_of_states_are_warned_of(wrong, right) -> None:
    """Both are maps of small integers, so either order may be meant: the result is returned."""
    with pytest.warns(UserWarning, match="are both exchanged") as warned:
        assert wrong() is not None
    assert warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        right()


def test_the_warning_has_the_shares_of_neighbours() -> None:
    """On a board of 2 x 3,000 fields all 6,000 + 2,999 - 3,000 + 2,999 pairs differ."""
    board = np.indices((2, 3000)).sum(axis=0).astype(np.uint8) % 2
    stripes = np.repeat(np.arange(2, dtype=np.uint8)[:, None], 3000, axis=1)
    with pytest.warns(UserWarning, match="100% of neighbours differ in their states, 33% in"):
        core.residual_correlation(stripes, states=board)


def test_potentials_of_integers_are_no_maps() -> None:
    """A left-to-right model of 4 states; and counts of pairs of 20, which are symmetric."""
    assert core.associativity(np.triu(np.ones((4, 4), int))) == 0.4
    counts = core.pair_counts(RNG.integers(0, 20, (9, 9)), n_states=20)
    assert 0 <= core.associativity(counts) <= 1


@pytest.mark.parametrize("shape", [(64, 64), (12, 40), (30, 10), (9, 12, 11)])
def test_numbers_are_not_taken_for_channels_in_silence(shape: tuple[int, ...]) -> None:
    """(64, 64) is a grey picture, or a sequence of 64 nodes of 64 channels: the user knows."""
    numbers = RNG.normal(size=shape)
    settings = {"n_states": 2, "window": 1}
    with pytest.raises(ParameterError, match=r"scalar=True .* scalar=False"):
        core.GaussianModel.fit(numbers, **settings)
    of_numbers, of_vectors = (
        core.GaussianModel.fit(numbers, scalar=scalar, **settings).decode(numbers).shape
        for scalar in (True, False)
    )
    assert (of_numbers, of_vectors) == (shape, shape[:-1])


@pytest.mark.parametrize("shape", [(64, 8), (200, 13), (16, 16, 8), (40, 50, 12)])
def test_few_channels_for_their_nodes_are_vectors(shape: tuple[int, ...]) -> None:
    vectors = RNG.normal(size=shape)
    assert core.as_data_set(vectors, kind="gaussian").shapes == [shape[:-1]]


def test_states_show_whether_observations_are_numbers() -> None:
    found = core.residual_correlation(GREY, states=TRUTH, **GAUSSIAN)
    assert found == core.residual_correlation(GREY, states=TRUTH, scalar=True, **GAUSSIAN)


@pytest.mark.parametrize(
    ("symbols", "remedy"),
    [
        (np.array([0.0, 0.25, 1.0]), "encode"),  # astype(int) would make 0, 0, 1
        (np.array([0.0, 3.0, 1.0]), r"astype\(int\)"),
        (np.array([0, 3, 1], object), r"astype\(int\)"),
        (list("ACGT"), "number them by encode"),
        ([[0, 1, 2], [0, 1]], r"numpy\.array\("),
    ],
)
def test_remedies_make_symbols(symbols: object, remedy: str) -> None:
    with pytest.raises(ParameterError, match=remedy) as refused:
        core.DiscreteModel.fit(symbols, n_states=2, window=1)
    assert ("astype" in str(refused.value)) == ("astype" in remedy)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint32])
def test_integers_of_other_sizes_are_read_as_floats(dtype: type) -> None:
    """As by the reader of files: CT holds int16."""
    image = RNG.integers(max(-100, np.iinfo(dtype).min), 100, (9, 8)).astype(dtype)
    found, wanted = (
        core.encode(one, core.Encoding("levels", 4)).values
        for one in (image, image.astype(np.float32))
    )
    np.testing.assert_array_equal(found, wanted)
