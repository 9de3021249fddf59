"""What is set as a code to scan: a QR code (ISO/IEC 18004) of the state as text."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import segno
from numpy.typing import NDArray

from latviz.core.errors import ParameterError

MOST = 400
"""Characters: a longer text makes squares too small to be scanned across a room."""
QUIET = 4
"""Light squares around a code, as the standard wants."""


@dataclass(frozen=True, eq=False)
class Code:
    """A code to scan.

    Attributes
    ----------
    text : str
        What it says.
    dark : ndarray of bool, shape (side, side)
        The squares, row by row, with the quiet zone around them.
    """

    text: str
    dark: NDArray[np.bool_]

    @property
    def side(self) -> int:
        """The number of squares along a side."""
        return len(self.dark)

    def bars(self) -> Iterator[tuple[int, int, int]]:
        """Yield the row, the first column and the length of all dark squares in a line."""
        for y, row in enumerate(self.dark):
            steps = np.diff(np.concatenate([[False], row, [False]]).astype(np.int8))
            starts, ends = np.flatnonzero(steps > 0), np.flatnonzero(steps < 0)
            for first, last in zip(starts.tolist(), ends.tolist(), strict=True):
                yield y, first, last - first


def code_of(text: str) -> Code:
    """Return the code of a text, with as much correction as its size allows.

    Raises
    ------
    ParameterError
        If the text is empty, or longer than `MOST`.
    """
    if not text:
        raise ParameterError("nothing differs from how the picture opens, so there is no text")
    if len(text) > MOST:
        raise ParameterError(
            f"what is set takes {len(text):,} characters as text, and a code that can be scanned "
            f"across a room holds {MOST}; let go of what is picked out and pinned, or copy the "
            "state as text"
        )
    found = segno.make_qr(text, error="l")
    return Code(text, np.array(list(found.matrix_iter(border=QUIET)), dtype=bool))
