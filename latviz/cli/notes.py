"""The standard error: how files were read, if not just value by value, and progress."""

import re
import sys
import time
from collections.abc import Iterable
from pathlib import PurePath
from typing import Self

from latviz.core.disk.errors import shortened
from latviz.core.printable import complain, note, shows_progress, write

MOST = 20
"""Lines of notes on many images."""
_NUMBER = re.compile(r"\d(?:[\d.,\u00a0]*\d)?")


def print_notes(notes: Iterable[tuple[str, str]]) -> None:
    """Print notes, each with the path or name of its image: one line for those that are alike."""
    # Alike: equal but for their numbers, such as sizes
    kinds = dict[str, list[tuple[str, str]]]()
    for path, text in dict.fromkeys(notes):
        kinds.setdefault(_NUMBER.sub("#", text), []).append((path, text))
    for found in list(kinds.values())[:MOST]:
        (path, text), n = found[0], len({path for path, _ in found})
        others = f" (and likewise for {n - 1:,} other image{'s' * (n > 2)})" if n > 1 else ""
        note(f"latviz: {shortened(PurePath(path).name)}: {text}{others}")
    if len(kinds) > MOST:
        note(f"latviz: further kinds of notes: {len(kinds) - MOST:,}")


_STEP_S = 0.2


class ProgressLine:
    """Progress as one line on the standard error, if that is a terminal."""

    # total: the number of images; 0 for one, of which percents are printed

    def __init__(self, what: str, total: int = 0) -> None:
        self._what, self._total = what, total
        self._start = self._reported = time.monotonic()
        self._shown = shows_progress()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def report(self, fraction: float) -> None:
        """Print the progress at intervals."""
        now = time.monotonic()
        if not self._shown or now - self._reported < _STEP_S:
            return
        self._reported = now
        done, spent = f"{fraction:.0%}".replace("%", " %"), now - self._start
        if self._total:
            done = f"{round(fraction * self._total):,} of {self._total:,} images"
        left = "" if not fraction else f", {_span(spent * (1 - fraction) / fraction)} left"
        self._print(f"{self._what}: {done}{left}")

    def cancelled(self) -> bool:
        """Return False: an interrupt ends the program."""
        return False

    def fail(self, path: str, reason: str) -> None:
        """Report an image's error, on its own line."""
        self.clear()
        complain(f"latviz: {path}: {reason}")

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._print("")
            write("\r", sys.stderr)

    def _print(self, text: str) -> None:
        write(f"\r{text:<70}", sys.stderr)


def _span(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
