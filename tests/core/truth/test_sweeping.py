import numpy as np
import pytest
from scipy import stats

from latviz.core import ParameterError, sample_potts, sweep_potts
from tests import naive
from tests.core import cases
from tests.core.truth.test_markov import counted, exact_distribution

SHAPE = 7, 10
SMOOTH = np.where(np.eye(3), 4.0, 1.5)
CHECKS = np.array([[1.0, 10.0], [10.0, 1.0]])
CYCLE = np.array([[2.0, 9.0, 0.5, 1.0], [9, 3, 7, 0.25], [0.5, 7, 1, 8], [1, 0.25, 8, 2]])


def field(n_states: int, shape: tuple[int, int] = SHAPE) -> np.ndarray:
    return np.random.default_rng(3).integers(0, n_states, shape).astype(np.uint8)


def key_of(seed: int) -> int:
    """Return the key that numbers are drawn with."""
    return int(np.random.default_rng(seed).integers(1 << 64, dtype=np.uint64))


@pytest.mark.parametrize(
    ("A", "shape"),
    [(SMOOTH, SHAPE), (CHECKS, SHAPE), (CYCLE, (1, 6)), (CYCLE, (5, 1)), ([[5.0]], SHAPE)],
)
def test_gibbs_is_that_of_exact_arithmetic(A, shape):
    A = np.array(A)
    start = field(len(A), shape)
    wanted = naive.gibbs_swept(start, A, key_of(8), 3)
    np.testing.assert_array_equal(
        sweep_potts(start, A=A, sweeps=3, method="gibbs", random_state=8), wanted
    )


@pytest.mark.parametrize(("shape", "n_states"), [(SHAPE, 5), (SHAPE, 1), ((1, 6), 2), ((5, 1), 2)])
def test_clusters_are_those_of_plain_loops(n_states, shape):
    A, start = np.where(np.eye(n_states), 4.0, 2.0), field(n_states, shape)
    opening = 0.5 if n_states > 1 else 0.0
    wanted = naive.clusters_swept(start, opening, n_states, key_of(8), 3)
    found = sweep_potts(start, A=A, sweeps=3, method="clusters", random_state=8)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("A", "method"),
    [
        (np.array([[1.5, 0.6], [0.6, 0.8]]), "gibbs"),
        (CHECKS, "gibbs"),
        (np.array([[1.5, 0.3], [1.2, 0.8]]), "gibbs"),
        (np.array([[1.0, 0.4], [0.4, 1.0]]), "clusters"),
    ],
)
def test_has_the_exact_distribution_of_a_tiny_lattice(A, method):
    # One long run, of which every eighth field counts: by then it has forgotten the last.
    n, states = 1500, field(len(A), (2, 3))
    samples = []
    for k in range(n):
        states = sweep_potts(states, A=A, sweeps=8, first=8 * k, method=method, random_state=4)
        samples.append(states)
    expected = exact_distribution(A, (2, 3)) * n
    common = expected > 2
    found = counted(samples, len(A))
    found = np.append(found[common], n - found[common].sum())
    expected = np.append(expected[common], n - expected[common].sum())
    assert stats.chisquare(found, expected + 1e-9 * (expected == 0)).pvalue > 1e-3


def test_is_distributed_as_fields_that_are_sampled_at_once():
    A, shape = np.where(np.eye(3), 2.0, 1.0), (48, 48)

    def like(q: np.ndarray) -> float:
        return float((q[1:] == q[:-1]).mean() + (q[:, 1:] == q[:, :-1]).mean()) / 2

    others = [like(sample_potts(A, shape=shape, sweeps=30, random_state=k)) for k in range(40)]
    for method, sweeps in (("clusters", 30), ("gibbs", 60)):
        how = {"sweeps": sweeps, "method": method}
        ours = [like(sweep_potts(field(3, shape), A=A, **how, random_state=k)) for k in range(40)]
        assert stats.ttest_ind(ours, others, equal_var=False).pvalue > 1e-3, method


@pytest.mark.parametrize(("A", "method"), [(CYCLE, "gibbs"), (SMOOTH, "clusters")])
def test_seed_and_number_of_sweeps_settle_everything(A, method):
    start = field(len(A), (66, 80))
    whole = sweep_potts(start, A=A, sweeps=7, method=method, random_state=2)

    def in_two():
        part = sweep_potts(start, A=A, sweeps=3, method=method, random_state=2)
        return sweep_potts(part, A=A, sweeps=4, first=3, method=method, random_state=2)

    cases.assert_same_with_threads(in_two, (1, 3, 7))
    np.testing.assert_array_equal(in_two(), whole)
    assert (sweep_potts(start, A=A, sweeps=7, method=method, random_state=3) != whole).any()
    np.testing.assert_array_equal(start, field(len(A), (66, 80)))


def test_the_greatest_and_the_least_potentials():
    A = np.exp([[150.0, 0.0], [0.0, 150.0]])
    one = np.zeros((6, 6), np.uint8)
    np.testing.assert_array_equal(sweep_potts(one, A=A, method="gibbs", random_state=1), one)
    checks = np.indices((6, 6)).sum(axis=0) % 2
    np.testing.assert_array_equal(sweep_potts(checks, A=1 / A, sweeps=2, random_state=1), checks)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"states": [0, 1]}, r"states must be those of an image, got shape \(2,\)"),
        ({"states": [[0, 2]]}, "states"),
        ({"A": [[1.0, 0.0], [0.0, 1.0]]}, "A must be positive, got 0.0"),
        ({"A": np.exp([[151.0, 0], [0, 151.0]])}, r"at most e\^150 times its least, got e\^151"),
        ({"first": -1}, "first must be an integer"),
        ({"sweeps": -1}, "sweeps must be an integer from 0 to 1000000, got -1"),
        ({"method": "clusters"}, "clusters need one value on A's diagonal"),
    ],
)
def test_refuses(change, message):
    with pytest.raises(ParameterError, match=message):
        sweep_potts(**({"states": [[0, 1]], "A": CHECKS, "random_state": 0} | change))
