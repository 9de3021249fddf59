"""Round numbers to mark an axis with."""

import math


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers between two, about ``most``."""
    unit = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(unit * k for k in (1, 2, 5, 10) if unit * k * most >= high - low)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
