"""Label images whose rule is not set: files of one ending that fit the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from latviz.core.disk.errors import FileError
from latviz.files.formats import has_suffix, suffixes
from latviz.files.labels import read_labels
from latviz.files.sizes import shape_of

_ENDS = re.compile(r"[-_. ]")
"""Characters that an ending begins with."""
_READ = 3
"""Label images that are read, to see whether they hold few labels and have their images' size."""


class LabelGuess(NamedTuple):
    """An ending of names, such as "_truth", and how many of all files have it."""

    ending: str
    n_labels: int
    n_files: int

    def __str__(self) -> str:
        """Return what was found, as a sentence without its full stop."""
        counts = f"{self.n_labels:,} of these {self.n_files:,} files"
        look = "looks like a label image" if self.n_labels == 1 else "look like label images"
        return f"{counts} {look} of the others, by the ending {self.ending!r} and the content"


def guess_labels(paths: Sequence[Path]) -> LabelGuess | None:
    """Return the ending of files that look like labels of at least half of all others, if any."""
    pairs = dict[str, list[tuple[Path, Path]]]()
    images = {(path.parent, path.stem): path for path in paths}
    for path in paths:
        for base, ending in _parted(path):
            if (path.parent, base) in images:
                pairs.setdefault(ending, []).append((images[path.parent, base], path))
    if not pairs:
        return None
    ending = max(pairs, key=lambda one: len(pairs[one]))
    found = pairs[ending]
    if 2 * len(found) < len(paths) - len(found):
        return None
    some = found[:: -(-len(found) // _READ)]
    guess = LabelGuess(ending, len(found), len(paths))
    return guess if all(_fits(*pair) for pair in some) else None


def _parted(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the names that an image could have, and the endings that make them a file's name."""
    if has_suffix(path, suffixes().labels):
        places = [found.start() for found in _ENDS.finditer(path.stem)]
        yield from ((path.stem[:k], path.stem[k:]) for k in places if k)


def _fits(image: Path, labels: Path) -> bool:
    try:
        read_labels(labels, shape_of(image))
    except FileError:
        return False
    return True
