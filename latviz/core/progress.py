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
