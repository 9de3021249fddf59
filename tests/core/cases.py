"""Seeded lattices, models for them, and the assertions that several test modules share."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

from latviz.core import (
    Cancelled,
    DiscreteModel,
    GaussianModel,
    matched_accuracy,
    threads,
)
from latviz.core.threads import get_threads, set_threads
from tests import naive


@dataclass(frozen=True, eq=False)
class Case:
    """One data set: its lattices, the number of symbols or channels, a window, a model size."""

    name: str
    lattices: tuple
    n_channels: int
    window: int
    n_states: int

    @property
    def discrete(self):
        return self.lattices[0].dtype.kind in "iu"

    def fit(self, **options):
        """Fit a model of the case's size to all lattices."""
        options = {"n_states": self.n_states, "window": self.window, **options}
        if self.discrete:
            return DiscreteModel.fit(list(self.lattices), n_symbols=self.n_channels, **options)
        return GaussianModel.fit(list(self.lattices), **options)

    @cached_property
    def signatures(self):
        """Return the signatures of each lattice, from plain loops."""
        if self.discrete:
            return [
                naive.signature_discrete(o, self.window, self.n_channels) for o in self.lattices
            ]
        return [naive.signature_gaussian(v, self.window) for v in self.lattices]

    def each(self):
        """Return pairs of a lattice and its signatures."""
        return zip(self.lattices, self.signatures, strict=True)


def blocks(shape, n_kinds, seed, block=3):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(n_kinds, size=[-(-size // block) for size in shape])
    for axis in range(len(shape)):
        kinds = np.repeat(kinds, block, axis=axis)
    return kinds[tuple(slice(size) for size in shape)]


def blocky(shape, n_symbols, seed, noise=0.25, block=3):
    """Return blocks of symbols of which a share is replaced at random."""
    rng = np.random.default_rng(seed + 1000)
    replaced = rng.random(shape) < noise
    symbols = np.where(
        replaced, rng.integers(n_symbols, size=shape), blocks(shape, n_symbols, seed)
    )
    return symbols.astype(np.uint8)


def white(shape, n_symbols, seed):
    """Return independent symbols."""
    return np.random.default_rng(seed).integers(n_symbols, size=shape).astype(np.uint8)


def vectors(shape, n_channels, seed, n_kinds=4, spread=0.7):
    """Return blocks of vectors: a mean for each kind, and correlated noise."""
    rng = np.random.default_rng(seed + 2000)
    means = rng.normal(size=(n_kinds, n_channels)) * 2
    mixing = rng.normal(size=(n_channels, n_channels)) * spread
    noise = rng.normal(size=(*shape, n_channels)) @ mixing
    return means[blocks(shape, n_kinds, seed)] + noise


DISCRETE = [
    Case("sequence", (blocky((60,), 2, 1),), 2, 2, 2),
    Case("image", (blocky((17, 14), 3, 2),), 3, 2, 3),
    Case("image of 8", (blocky((16, 20), 8, 3),), 8, 3, 4),
    Case("image of 64", (blocky((15, 13), 64, 4),), 64, 2, 5),
    Case("many states", (blocky((14, 16), 8, 5),), 8, 1, 20),
    Case("white noise", (white((12, 15), 8, 6),), 8, 1, 4),
    Case("volume", (blocky((7, 6, 5), 3, 7),), 3, 1, 3),
    Case("four dimensions", (blocky((3, 4, 3, 2), 2, 8, block=2),), 2, 1, 2),
    Case("node", (np.array([[2]], dtype=np.uint8),), 3, 2, 1),
    Case("node of a sequence", (np.array([0], dtype=np.uint8),), 2, 1, 1),
    Case("row", (blocky((1, 23), 3, 9),), 3, 2, 2),
    Case("column", (blocky((23, 1), 3, 10),), 3, 2, 2),
    Case("window wider than the lattice", (white((6, 5), 3, 11),), 3, 9, 1),
    Case("window of one node", (blocky((9, 8), 4, 12),), 4, 0, 3),
    Case("one symbol", (np.zeros((5, 6), dtype=np.uint8),), 1, 1, 1),
    Case("images", (blocky((9, 12), 4, 13), blocky((14, 5), 4, 14), white((1, 7), 4, 15)), 4, 2, 3),
    Case("sequences", (blocky((30,), 3, 16), white((1,), 3, 17), blocky((11,), 3, 18)), 3, 1, 3),
    Case("volumes", (blocky((4, 5, 3), 2, 19), blocky((2, 3, 6), 2, 20)), 2, 1, 2),
    Case("every third column", (blocky((12, 30), 3, 21)[::-1, ::-3],), 3, 2, 3),
    Case("transposed", (blocky((10, 14), 3, 22).T,), 3, 2, 3),
    Case("int8", (blocky((8, 9), 3, 23).astype(np.int8),), 3, 1, 3),
    Case("int64", (blocky((8, 9), 3, 24).astype(np.int64),), 3, 1, 3),
    Case("big-endian", (blocky((8, 9), 3, 25).astype(">u2"),), 3, 1, 3),
]

GAUSSIAN = [
    Case("sequence", (vectors((50,), 2, 31)[..., :1],), 1, 2, 3),
    Case("image", (vectors((13, 12), 3, 32),), 3, 2, 3),
    Case("one channel", (vectors((12, 11), 1, 33),), 1, 1, 4),
    Case("many channels", (vectors((12, 14), 8, 34),), 8, 1, 3),
    Case("volume", (vectors((6, 5, 4), 2, 45),), 2, 1, 3),
    Case("four dimensions", (vectors((3, 4, 3, 2), 2, 36),), 2, 1, 2),
    Case("row", (vectors((1, 25), 2, 37),), 2, 2, 2),
    Case("column", (vectors((25, 1), 2, 38),), 2, 2, 2),
    Case("window wider than the lattice", (vectors((6, 5), 2, 39),), 2, 7, 1),
    Case("window of one node", (vectors((9, 10), 2, 40),), 2, 0, 4),
    Case("images", (vectors((8, 9), 2, 41), vectors((5, 11), 2, 42)), 2, 2, 3),
    Case("every second column", (vectors((9, 20), 3, 43)[::-1, ::2, ::-1],), 3, 1, 3),
    Case("float32", (vectors((10, 9), 3, 44).astype(np.float32),), 3, 1, 3),
]


def channel(n, noise):
    """Return B (N, N) of symbols that are those of their states but for a share of noise."""
    return np.full((n, n), noise / (n - 1)) + (1 - noise * n / (n - 1)) * np.eye(n)


def by_name(value):
    """Return the name of a case, as its id; values of other axes have pytest's own."""
    if isinstance(value, Case):
        return value.name if value.discrete else f"{value.name} of vectors"
    return None


def random_potentials(n_states, seed):
    """Return a positive, asymmetric A."""
    return np.random.default_rng(seed).uniform(0.05, 1.0, size=(n_states, n_states))


def random_symbols(n_states, n_symbols, seed):
    """Return a positive B with rows of sum 1."""
    B = np.random.default_rng(seed).uniform(0.02, 1.0, size=(n_states, n_symbols))
    return B / B.sum(axis=1, keepdims=True)


def random_covariances(n_states, n_channels, seed):
    """Return well-conditioned covariance matrices."""
    factors = np.random.default_rng(seed).normal(size=(n_states, n_channels, n_channels))
    return factors @ factors.transpose(0, 2, 1) + 0.5 * np.eye(n_channels)


def discrete_model(n_states, n_symbols, window, seed=1):
    """Return a model with a random A and a random B."""
    A, B = random_potentials(n_states, seed), random_symbols(n_states, n_symbols, seed + 1)
    return DiscreteModel(A=A, B=B, window=window)


def gaussian_model(n_states, n_channels, window, seed=1, **options):
    """Return a model with a random A, random means and random covariances."""
    return GaussianModel(
        A=random_potentials(n_states, seed),
        means=np.random.default_rng(seed + 2).normal(size=(n_states, n_channels)),
        covariances=random_covariances(n_states, n_channels, seed + 3),
        window=window,
        **options,
    )


def assert_same_states(states, signature, codebook, tolerance=1e-6):
    """Assert that every node has the nearest codeword, or a tied one.

    A tie is a difference of squared distances of at most ``tolerance``. Returns the number of
    nodes whose state is not the nearest codeword of smallest index.
    """
    distances = naive.squared_distances(np.asarray(signature), codebook)
    assert states.shape == distances.shape[:-1]
    chosen = np.take_along_axis(distances, states[..., None].astype(int), axis=-1)[..., 0]
    excess = chosen - distances.min(axis=-1)
    assert excess.max() < tolerance, f"a state is further than the nearest by {excess.max()}"
    return int(np.count_nonzero(states != distances.argmin(axis=-1)))


def assert_same_rows(found, wanted, rtol, atol):
    """Assert that two codebooks hold the same codewords, in any order."""
    assert found.shape == wanted.shape
    distances = ((found[:, None, :] - wanted[None, :, :]) ** 2).sum(axis=-1)
    match = distances.argmin(axis=1)
    assert sorted(match) == list(range(len(wanted))), "the codebooks have different codewords"
    np.testing.assert_allclose(found, wanted[match], rtol=rtol, atol=atol)


def clear_nodes(signature, codebook, tolerance=1e-5):
    """Return where the nearest codeword is nearer than every other one by a clear margin."""
    distances = np.sort(naive.squared_distances(np.asarray(signature), codebook), axis=-1)
    if distances.shape[-1] == 1:
        return np.ones(distances.shape[:-1], dtype=bool)
    return distances[..., 1] - distances[..., 0] > tolerance


def on_threads(counts, compute):
    """Return the results on each of some numbers of threads, which all take part."""
    before, share, cores, found = get_threads(), threads.COST, threads.CORES, []
    threads.COST, threads.CORES = 1, threads.MOST  # of lattices of any size, on any machine
    try:
        for n_threads in counts:
            set_threads(n_threads)
            found.append(compute())
    finally:
        threads.COST, threads.CORES = share, cores
        set_threads(before)
    return found


class Watch:
    """A progress that keeps the fractions; it cancels after a number of reports or checks."""

    def __init__(self, patience=10**6, reports=10**6):
        self.patience, self.reports, self.fractions, self.looks = patience, reports, [], 0

    def report(self, fraction):
        self.fractions.append(fraction)

    def cancelled(self):
        self.looks, self.patience = self.looks + 1, self.patience - 1
        return self.patience < 0 or len(self.fractions) >= self.reports


class Recorder(Watch):
    """A progress that keeps the fractions; it cancels after a number of reports, if at all."""

    def __init__(self, cancel_after=10**6):
        super().__init__(reports=cancel_after)


def accuracy(states, truth):
    """Return the share of nodes in their true state, by the best matching of states."""
    return matched_accuracy(states, truth)


def assert_reports(compute, least=2, whole=True):
    """Assert that reports rise, to 1 if ``whole``; return the watch."""
    watch = Watch()
    compute(watch)
    assert len(watch.fractions) >= least
    assert [0.0, *watch.fractions, 1.0] == sorted([0.0, *watch.fractions, 1.0])
    assert not whole or watch.fractions[-1] == pytest.approx(1.0)
    return watch


def assert_cancels(compute, *looks):
    """Assert that it ends when the progress cancels, at the first check or later."""
    for patience in looks:
        with pytest.raises(Cancelled):
            compute(Watch(patience))


def assert_same_with_threads(compute, numbers=(1, 2, 5)):
    """Assert that results do not depend on the number of threads."""
    first, *others = on_threads(numbers, compute)
    for other in others:
        np.testing.assert_equal(other, first)
