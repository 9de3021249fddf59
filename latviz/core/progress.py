"""The protocol by which long computations report to their caller and are stopped."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import repeat
from threading import Lock
from typing import Protocol


class Cancelled(Exception):
    """A cancelled computation, which left no partial results.

    Examples
    --------
    >>> class Impatient:
    ...     def report(self, fraction): pass
    ...     def cancelled(self): return True
    >>> fast_pnn([[0.0], [1.0]], progress=Impatient())
    Traceback (most recent call last):
        ...
    latviz.core.progress.Cancelled
    """


class Progress(Protocol):
    """The two methods that a long computation calls, from any thread.

    Examples
    --------
    >>> class Bar:
    ...     def report(self, fraction): self.done = fraction
    ...     def cancelled(self): return False
    >>> bar = Bar()
    >>> tree = fast_pnn([[0.0], [1.0], [5.0]], progress=bar)
    >>> 0 < bar.done <= 1
    True
    """

    def report(self, fraction: float) -> None:
        """Receive the share of the work that is done.

        Parameters
        ----------
        fraction : float
            From 0 to 1.
        """

    def cancelled(self) -> bool:
        """Return True when the computation should stop and raise `Cancelled`.

        Returns
        -------
        bool
        """


class Share:
    """The progress of a stretch of a longer computation."""

    # The stretch begins at ``start`` and has ``length``, as parts of n_parts of the whole

    def __init__(
        self, whole: Progress, start: float = 0, n_parts: float = 1, length: float = 1
    ) -> None:
        self._whole, self._start, self._n_parts, self._length = whole, start, n_parts, length

    def report(self, fraction: float) -> None:
        """Take note that a fraction of the stretch is done."""
        self._whole.report((self._start + self._length * fraction) / self._n_parts)

    def cancelled(self) -> bool:
        """Return True when the whole computation should stop."""
        return self._whole.cancelled()


class Quiet(Share):
    """The progress of one of several parallel computations: it may cancel, but reports nothing."""

    def report(self, fraction: float) -> None:
        """Ignore it: the caller that counts finished work reports."""


def shares(whole: Progress | None, lengths: Sequence[float]) -> Iterator[Progress | None]:
    """Yield the progress of each of some stretches that follow each other and make the whole."""
    if whole is None or len(lengths) == 1:
        yield from repeat(whole, len(lengths))
        return
    start = 0.0
    for length in lengths:
        yield Share(whole, start, sum(lengths), length)
        start += length


class _Together:
    """The progress of computations that run at once, of which each is a part of the whole."""

    def __init__(self, whole: Progress, n: int) -> None:
        self._whole, self._done, self._lock = whole, [0.0] * n, Lock()

    def take(self, k: int, fraction: float) -> None:
        """Report the whole, after a fraction of one of the computations."""
        with self._lock:  # also while reporting, so that reports never fall
            self._done[k] = fraction
            self._whole.report(sum(self._done) / len(self._done))


class _OneOf(Share):
    """The progress of one of several computations that run at once."""

    def __init__(self, whole: Progress, all_: _Together, k: int) -> None:
        super().__init__(whole)
        self._all, self._k = all_, k

    def report(self, fraction: float) -> None:
        """Report its fraction as a part of the whole."""
        self._all.take(self._k, fraction)


def together(whole: Progress | None, n: int) -> Sequence[Progress | None]:
    """Return the progress of each of ``n`` computations that run at once and make the whole."""
    if whole is None or n == 1:
        return [whole] * n
    all_ = _Together(whole, n)
    return [_OneOf(whole, all_, k) for k in range(n)]


def stop_if_cancelled(progress: Progress | None) -> None:
    """Raise `Cancelled` if there is a progress and it is cancelled."""
    if progress is not None and progress.cancelled():
        raise Cancelled


def report(progress: Progress | None, fraction: float) -> None:
    """Report a fraction of the work, from 0 to 1, if there is a progress."""
    if progress is not None:
        progress.report(fraction)


_heeded: ContextVar[Progress | None] = ContextVar("heeded", default=None)


@contextmanager
def heeding(progress: Progress | None) -> Iterator[None]:
    """Make `stop_if_unwanted` use a progress, on this thread and its helpers."""
    before = _heeded.set(progress)
    try:
        yield
    finally:
        _heeded.reset(before)


def stop_if_unwanted() -> None:
    """Raise `Cancelled` if the progress of `heeding` is cancelled.

    For loops whose callers, such as the methods of encodings, have no progress.
    """
    stop_if_cancelled(_heeded.get())
