"""Cuts of a merge tree by hand, as stored; `latviz.core.data.cutting` applies them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """Two signatures, each of M numbers."""

    one: tuple[float, ...]
    other: tuple[float, ...]


@dataclass(frozen=True)
class HandCut:
    """A cut by hand, as stored."""

    apart: tuple[Pair, ...] = ()  # each splits the smallest cluster that holds both its signatures
    # each keeps that cluster whole, unless a pair that is apart splits it
    together: tuple[Pair, ...] = ()

    def __bool__(self) -> bool:
        """Return True if it differs from a straight cut."""
        return bool(self.apart or self.together)
