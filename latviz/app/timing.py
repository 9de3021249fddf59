"""How long answers to requests take."""

import time


class Timing:
    """The time from a request to its first answer, and how many requests got none.

    Attributes
    ----------
    latency : float or None
        Seconds that the last answer took.
    dropped : int
        Requests that newer ones replaced.
    """

    def __init__(self) -> None:
        self.latency: float | None = None
        self.dropped = 0
        self._asked: dict[int, float] = {}

    def ask(self, number: int) -> None:
        """Begin to take the time of a request."""
        self._asked[number] = time.perf_counter()

    def answer(self, number: int) -> None:
        """Take the time of a request; those before it will not be answered."""
        asked = self._asked.pop(number, None)
        if asked is not None:
            self.latency = time.perf_counter() - asked
            self.dropped += sum(other < number for other in self._asked)
            self._asked = {k: at for k, at in self._asked.items() if k > number}
