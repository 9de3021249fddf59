"""The notes of pictures on the standard error: how a file was read, if not just value by value."""

import re
from collections.abc import Iterable
from pathlib import PurePath

from latviz.core.disk.errors import shortened
from latviz.core.printable import complain

MOST = 20
"""Lines of notes on many images."""
_NUMBER = re.compile(r"\d(?:[\d.,\u00a0]*\d)?")


def print_notes(notes: Iterable[tuple[str, str]]) -> None:
    """Print notes, each with the path or name of its image: one line for those that are alike."""
    # Alike: equal but for their numbers, such as sizes
    kinds = dict[str, list[tuple[str, str]]]()
    for path, note in dict.fromkeys(notes):
        kinds.setdefault(_NUMBER.sub("#", note), []).append((path, note))
    for found in list(kinds.values())[:MOST]:
        (path, note), n = found[0], len({path for path, _ in found})
        others = f" (and likewise for {n - 1:,} other image{'s' * (n > 2)})" if n > 1 else ""
        complain(f"latviz: {shortened(PurePath(path).name)}: {note}{others}")
    if len(kinds) > MOST:
        complain(f"latviz: further kinds of notes: {len(kinds) - MOST:,}")
