"""The nodes that stand for a whole lattice."""

import numpy as np
import pytest

from latviz.core.windows.stratified import SAMPLE, stratified_nodes

LARGE = [(512, 512), (303, 384), (64, 4000), (4000, 64), (3, 20_000), (20_000, 1), (71, 72)]
SMALL = [(1, 1), (64, 64), (1, 4096), (4096, 1), (13, 17)]


def grids(n_nodes: int, shape: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the grids of so many cells that fit an image."""
    pairs = [(k, n_nodes // k) for k in range(1, n_nodes + 1) if n_nodes % k == 0]
    return [pair for pair in pairs if pair[0] <= shape[0] and pair[1] <= shape[1]]


def cells(places: np.ndarray, length: int, n_cells: int) -> np.ndarray:
    """Return which of n_cells parts of an axis, as even as can be, each place lies in."""
    starts = np.array([k * length // n_cells for k in range(n_cells)])
    return np.searchsorted(starts, places, side="right") - 1


def each_cell_once(rows: np.ndarray, columns: np.ndarray, shape, grid) -> bool:
    cell = cells(rows, shape[0], grid[0]) * grid[1] + cells(columns, shape[1], grid[1])
    return np.array_equal(np.sort(cell), np.arange(grid[0] * grid[1]))


@pytest.mark.parametrize("shape", LARGE)
def test_nodes_are_in_the_image_and_sorted_by_row(shape):
    rows, columns = stratified_nodes(shape, SAMPLE)
    assert rows.dtype == columns.dtype == np.int64
    assert rows.shape == columns.shape
    assert (np.diff(rows) >= 0).all()
    assert rows.min() >= 0
    assert rows.max() < shape[0]
    assert columns.min() >= 0
    assert columns.max() < shape[1]


@pytest.mark.parametrize("shape", LARGE)
def test_about_as_many_nodes_as_asked_for(shape):
    rows, _ = stratified_nodes(shape, SAMPLE)
    assert 0.95 * SAMPLE <= rows.size <= SAMPLE


@pytest.mark.parametrize("shape", LARGE)
def test_one_node_in_each_cell_of_an_even_grid(shape):
    rows, columns = stratified_nodes(shape, SAMPLE)
    assert any(each_cell_once(rows, columns, shape, grid) for grid in grids(rows.size, shape))


def test_cells_are_about_as_high_as_wide():
    rows, columns = stratified_nodes((300, 1200), SAMPLE)
    fitting = [
        g for g in grids(rows.size, (300, 1200)) if each_cell_once(rows, columns, (300, 1200), g)
    ]
    (n_rows, n_columns), *_ = fitting
    assert 0.8 < (300 / n_rows) / (1200 / n_columns) < 1.25


@pytest.mark.parametrize("shape", SMALL)
def test_small_images_give_all_their_nodes(shape):
    rows, columns = stratified_nodes(shape, SAMPLE)
    wanted = [(row, column) for row in range(shape[0]) for column in range(shape[1])]
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == wanted


def test_places_within_the_cells_are_random():
    rows, columns = stratified_nodes((512, 512), SAMPLE)
    assert len(set((rows % 8).tolist())) == len(set((columns % 8).tolist())) == 8


def test_the_same_every_time_and_another_for_another_seed():
    first, again = stratified_nodes((200, 300), 500), stratified_nodes((200, 300), 500)
    other = stratified_nodes((200, 300), 500, seed=1)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("size", [1, 2, 17, 1000])
def test_other_sizes(size):
    rows, columns = stratified_nodes((90, 120), size)
    assert 0.8 * size <= rows.size <= size
    assert any(each_cell_once(rows, columns, (90, 120), g) for g in grids(rows.size, (90, 120)))
