"""The number of nodes to learn a live codebook from."""

from latviz.core.errors import ParameterError
from latviz.core.windows.stratified import SAMPLE

LIVE = SAMPLE
"""Signatures that a codebook is learned from while a slider moves, unless set otherwise."""
LIVE_RANGE = (256, 65536)
LARGE = 1 << 22
"""Images of more pixels are shown coarsely first."""
LARGE_COST = 3 << 21
"""Numbers to sum in the windows of a large image's sample, at most."""


def check_sample(size: int) -> None:
    """Raise `ParameterError` unless a sample may have this many signatures."""
    low, high = LIVE_RANGE
    if not low <= size <= high:
        raise ParameterError(f"the sample must be from {low} to {high}, got {size}")


def is_large(shape: tuple[int, ...]) -> bool:
    """Return True for the shape of an image that is shown coarsely first."""
    return len(shape) == 2 and shape[0] * shape[1] > LARGE


def sample_size(shape: tuple[int, ...], window: int, size: int = LIVE, n_channels: int = 1) -> int:
    """Return the number of signatures to learn from: fewer for large images and windows."""
    # Large images use half as many, because their first frame costs more. Their windows are summed
    # one by one, which takes time with the windows' nodes and with ``n_channels``, 1 for symbols
    if not is_large(shape):
        return size
    return max(LIVE_RANGE[0], min(size // 2, LARGE_COST // (n_channels * (2 * window + 1) ** 2)))
