"""The sums over whole lattices, that tests compare with, are those of the plain loops."""

import numpy as np
import pytest

from tests import naive, vectorised


@pytest.mark.parametrize("shape", [(9,), (1, 7), (5, 6), (3, 4, 5)])
def test_the_sums_are_the_loops(shape: tuple[int, ...]) -> None:
    rng, n, w = np.random.default_rng(3), 3, 2
    symbols, states = rng.integers(0, n, (2, *shape))
    vectors, A = rng.normal(size=(*shape, 2)), rng.random((n, n)) + 0.1
    means, roots = rng.normal(size=(n, 2)), rng.normal(size=(n, 2, 2))
    sigmas = roots @ roots.transpose(0, 2, 1) + np.eye(2)
    alpha = naive.local_alpha(states, n, w, 0.5)
    pairs = [
        (vectorised.shares(symbols, w, n), naive.signature_discrete(symbols, w, n)),
        (vectorised.window_means(vectors, w, len(shape)), naive.signature_gaussian(vectors, w)),
        (vectorised.squared_distances(vectors, means), naive.squared_distances(vectors, means)),
        (vectorised.pair_counts(states, n), naive.pair_counts(states, n)),
        (vectorised.local_inertia(states, w, n), naive.local_inertia(states, n, w)),
        (vectorised.local_alpha(states, w, n, 0.5), alpha),
        (
            vectorised.covariances(vectors, states, means),
            naive.covariances([vectors], [states], means),
        ),
        (
            vectorised.log_densities(vectors, states, means, sigmas),
            naive.emissions_gaussian(vectors, states, means, sigmas),
        ),
        *(
            (
                vectorised.pair_terms(states, A, alpha, normalizer),
                naive.pair_terms(states, A, alpha, normalizer),
            )
            for normalizer in ("neighbours", "states")
        ),
    ]
    for sums, loops in pairs:
        np.testing.assert_allclose(sums, loops, rtol=1e-9, atol=1e-12)
