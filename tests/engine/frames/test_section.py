import numpy as np
import pytest

from latviz.engine.frames.section import Section


@pytest.mark.parametrize("channels", [(), (3,)])
def test_planes(channels: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    row, image, volume = (rng.random((*shape, *channels)) for shape in ((7,), (5, 7), (4, 5, 7)))
    np.testing.assert_array_equal(Section((7,)).plane(row), row.reshape(1, 7, *channels))
    assert Section((5, 7)).plane(image) is image
    np.testing.assert_array_equal(Section((4, 5, 7), 2).plane(volume), volume[2])
    np.testing.assert_array_equal(Section((4, 5, 7), 9).plane(volume), volume[3])


@pytest.mark.parametrize("lattice", [(7,), (5, 7), (4, 5, 7)])
def test_places_are_nodes_and_back(lattice: tuple[int, ...]) -> None:
    section = Section(lattice, 2)
    rows, columns = section.shape
    values = np.arange(np.prod(lattice)).reshape(lattice)
    for row in range(rows):
        for column in range(columns):
            node = section.node((row, column))
            assert len(node) == len(lattice)
            assert section.place(node) == (row, column)
            assert values[node] == section.plane(values)[row, column]


def test_windows_reach_into_slices() -> None:
    window = (slice(1, 4), slice(0, 3), slice(2, 7))
    assert Section((9, 9, 9), 3).extent(window) == (slice(0, 3), slice(2, 7))
    assert Section((9, 9, 9), 0).extent(window) is None
    assert Section((9, 9, 9), 4).extent(window) is None
    assert Section((9, 9, 9), 4).place((3, 0, 0)) is None
    assert Section((9,)).extent((slice(2, 5),)) == (slice(0, 1), slice(2, 5))
    assert Section((9, 9)).extent(window[1:]) == window[1:]
