"""Windows of a few nodes, each summed on its own, against plain loops."""

import numpy as np
import pytest

from latviz.core.windows.nodes import totals_at
from tests import naive


@pytest.mark.parametrize("n_symbols", [1, 2, 8, 9, 64])
@pytest.mark.parametrize(
    ("shape", "window"),
    [((1,), 0), ((900,), 3), ((900,), 300), ((19, 23), 7), ((3, 300), 140), ((5, 9, 11), 4)],
)
def test_counts_of_symbols(shape, window, n_symbols):
    rng = np.random.default_rng(3)
    symbols = rng.integers(0, n_symbols, shape).astype(np.uint8)
    symbols[rng.random(shape) < 0.6] = n_symbols - 1  # so that a byte would not hold its count
    chosen = [t for k, t in enumerate(naive.nodes(shape)) if k % 37 == 0]
    found = totals_at(symbols, n_symbols, window, tuple(np.array(chosen).T))
    shares = found.values / found.sizes[:, None]
    np.testing.assert_allclose(found.signatures(), shares, rtol=1e-6, atol=0)
    for t, counts, size in zip(chosen, found.values, found.sizes, strict=True):
        inside = symbols[tuple(slice(max(0, a - window), a + window + 1) for a in t)]
        np.testing.assert_array_equal(counts, np.bincount(inside.flat, minlength=n_symbols))
        assert size == inside.size
