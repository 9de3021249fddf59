"""The subset of a product of cases contains every pair of values."""

from itertools import combinations, product

import pytest

from tests.products import every_pair


@pytest.mark.parametrize("sizes", [(3,), (3, 2), (2, 3, 5), (4, 4, 4), (4, 1, 2, 3)])
def test_every_pair_of_values_meets(sizes: tuple[int, ...]) -> None:
    axes = [range(10 * k, 10 * k + size) for k, size in enumerate(sizes)]
    cases = every_pair(*axes, full=False)
    for one, other in combinations(range(len(axes)), 2):
        met = {(case[one], case[other]) for case in cases}
        assert met == set(product(axes[one], axes[other]))
    assert len(cases) == len(set(cases))
    assert every_pair(*axes, full=True) == list(product(*axes))


def test_three_axes_are_a_latin_square() -> None:
    assert len(every_pair("abcd", "xyz", "12", full=False)) == 12
