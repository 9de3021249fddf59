"""How long computations report and stop."""

from typing import Protocol


class Cancelled(Exception):
    """A computation was told to stop; it left nothing half done."""


class Progress(Protocol):
    """What a long computation asks of its caller, from whatever thread it runs in."""

    def report(self, fraction: float) -> None:
        """Take note that ``fraction`` of the work, from 0 to 1, is done."""

    def cancelled(self) -> bool:
        """Return True when the computation should stop and raise `Cancelled`."""


class Share:
    """The progress of one part of a computation in parts of equal length."""

    def __init__(self, whole: Progress, part: int, n_parts: int) -> None:
        self._whole, self._part, self._n_parts = whole, part, n_parts

    def report(self, fraction: float) -> None:
        """Take note that a fraction of the part is done."""
        self._whole.report((self._part + fraction) / self._n_parts)

    def cancelled(self) -> bool:
        """Return True when the whole computation should stop."""
        return self._whole.cancelled()
