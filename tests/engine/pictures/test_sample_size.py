"""The number of nodes that a live codebook is learned from."""

from latviz.engine.pictures.sample_size import LARGE_COST, LIVE, LIVE_RANGE, sample_size


def test_the_sample_of_a_large_image_with_large_windows_is_small():
    assert sample_size((2048, 2048), 64) == LIVE == 4096
    assert sample_size((2048, 2049), 5) == LIVE // 2
    assert sample_size((8192, 8192), 5, 1000) == 500
    assert sample_size((8192, 8192), 64) * 129**2 <= LARGE_COST
    assert sample_size((8192, 8192), 10**6) == LIVE_RANGE[0]
