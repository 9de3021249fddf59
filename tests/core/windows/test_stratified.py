"""The nodes that represent a whole lattice."""

import itertools

import numpy as np
import pytest

from latviz.core.windows.stratified import SAMPLE, stratified_nodes

LARGE = [(512, 512), (303, 384), (64, 4000), (4000, 64), (3, 20_000), (20_000, 1), (71, 72)]
SMALL = [(1, 1), (64, 64), (1, 4096), (4096, 1), (13, 17)]


@pytest.mark.parametrize("shape", LARGE)
def test_about_as_many_nodes_as_asked_for_are_sorted_by_row(shape):
    """Of three rows the middle one is its own mirror image, so that there are fewer."""
    nodes = stratified_nodes(shape, SAMPLE)
    for axis, length in zip(nodes, shape, strict=True):
        assert axis.dtype == np.int64
        assert axis.flags.c_contiguous  # kernels are compiled for this
        assert axis.min() >= 0
        assert axis.max() < length
        assert (0.7 if 3 in shape else 0.93) * SAMPLE <= axis.size <= SAMPLE
    assert (np.diff(nodes[0]) >= 0).all()


@pytest.mark.parametrize("shape", [(512, 512), (303, 384), (64, 4000), (71, 100)])
def test_nodes_are_spread_evenly(shape):
    """Each of 6 x 9 parts of the lattice has its share of the nodes."""
    found, row_edges, column_edges = np.histogram2d(
        *stratified_nodes(shape, SAMPLE), bins=(6, 9), range=((0, shape[0]), (0, shape[1]))
    )
    sizes = np.outer(np.diff(np.ceil(row_edges)), np.diff(np.ceil(column_edges)))
    share = found / (found.sum() * sizes / sizes.sum())
    assert share.min() > 0.8
    assert share.max() < 1.2


@pytest.mark.parametrize(
    "shape", [(512, 512), (303, 384), (20_000, 1), (9001,), (40, 41, 40), (33, 33, 33)]
)
def test_a_turned_lattice_has_the_turned_nodes(shape):
    chosen = np.zeros(shape, dtype=bool)
    chosen[stratified_nodes(shape, 2048)] = True
    assert chosen.sum() > 1000
    for axis in range(len(shape)):
        np.testing.assert_array_equal(np.flip(chosen, axis), chosen)
    for order in itertools.permutations(range(len(shape))):
        turned = np.zeros([shape[axis] for axis in order], dtype=bool)
        turned[stratified_nodes(turned.shape, 2048)] = True
        np.testing.assert_array_equal(turned, chosen.transpose(order))


def test_many_dimensions():
    """Of short axes many nodes are their own mirror images."""
    assert 300 < stratified_nodes((6, 5, 4, 6, 5), 700)[4].size <= 700


@pytest.mark.parametrize("shape", SMALL)
def test_small_images_give_all_their_nodes(shape):
    rows, columns = stratified_nodes(shape, SAMPLE)
    wanted = [(row, column) for row in range(shape[0]) for column in range(shape[1])]
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == wanted


def test_places_within_the_cells_are_random_and_the_same_every_time():
    rows, columns = found = stratified_nodes((512, 512), SAMPLE)
    assert len(set((rows % 8).tolist())) == len(set((columns % 8).tolist())) == 8
    np.testing.assert_array_equal(stratified_nodes((512, 512), SAMPLE), found)


@pytest.mark.parametrize("size", [1, 2, 17, 1000])
def test_other_sizes(size):
    """There is at least one node, with its mirror images."""
    rows, _ = stratified_nodes((90, 120), size)
    assert 0.8 * size <= rows.size <= max(4, size)
