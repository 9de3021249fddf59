"""Cells of tables for spreadsheets: text that a spreadsheet would run is marked as text.

Spreadsheets read a cell that begins with one of `_MARKS` as a formula, in any format of file, and a
file, a class or a state may have such a name. The mark is the customary apostrophe.
"""

import re
import string

_MARKS = "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}" + (
    "\N{FULLWIDTH COMMERCIAL AT}"
)
_UNSEEN = f"{string.whitespace}\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}\ufeff\u200b"
_NUMBER = re.compile(r"[+-]?(\d[\d,]*\.?\d*|\.\d+)([eE][+-]?\d+)?( ?%)?|[+-]?(inf|nan)", re.ASCII)


def guarded(cell: object) -> object:
    """Return a cell for a table; numbers stay, and texts of numbers too."""
    return f"'{cell}" if isinstance(cell, str) and _would_run(cell) else cell


def unguarded(cell: str) -> str:
    """Return the text that `guarded` made a cell of."""
    return cell[1:] if cell[:1] == "'" and _would_run(cell[1:]) else cell


def _would_run(text: str) -> bool:
    """Return True if a text begins like a formula, after any spaces and marks."""
    bare = text.lstrip("'")
    if _NUMBER.fullmatch(bare):
        return False
    first = bare.lstrip(_UNSEEN)[:1]
    return bare[:1] in {*"\t\r\n"} or first in {*_MARKS}
