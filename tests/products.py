"""Cases of several axes: few that hold every pair of values, or with ``LATVIZ_FULL=1`` all."""

import os
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

FULL = os.environ.get("LATVIZ_FULL") == "1"


def every_pair(*axes: Sequence[Any], full: bool = FULL) -> list[tuple[Any, ...]]:
    """Return cases that combine each value of an axis with each value of every other one.

    Of three axes these are a Latin square, as large as the two longest axes together.
    """
    fewest = min(map(len, axes))
    places = list(product(*(range(len(axis)) for axis in axes)))
    found, met = [], set[Any]()
    for place in sorted(places, key=lambda place: sum(place) % fewest > 0):
        pairs = set(combinations(enumerate(place), 2))
        if full or not pairs <= met:
            met |= pairs
            found.append(place)
    return [tuple(a[k] for a, k in zip(axes, at, strict=True)) for at in sorted(found)]
