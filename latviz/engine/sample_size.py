"""How many nodes a live codebook is learned from."""

from latviz.core.windows.stratified import SAMPLE

LIVE = SAMPLE
"""Signatures that a codebook is learned from while the hand moves, unless set otherwise."""
LIVE_RANGE = (256, 65536)
LARGE = 1 << 22
"""Images of more pixels are shown coarsely first."""
LARGE_COST = 3 << 21
"""Numbers to sum in the windows of a large image's sample, at most."""


def sample_size(shape: tuple[int, ...], window: int, size: int = LIVE, n_channels: int = 1) -> int:
    """Return how many signatures to learn from: fewer where an image and its windows are large.

    Of a large image, which has more to do before its first picture, half as many are taken. They
    are summed one by one, which takes time with the windows' nodes and with ``n_channels``, 1 for
    symbols.
    """
    if len(shape) != 2 or shape[0] * shape[1] <= LARGE:
        return size
    return max(LIVE_RANGE[0], min(size // 2, LARGE_COST // (n_channels * (2 * window + 1) ** 2)))
