"""Tables of numbers, as views show them and people copy them.

States, symbols and merges are counted from 1, as on screen.
"""

Cell = str | int | float
Rows = list[list[Cell]]
"""The first row names the columns; no row at all: there is nothing to show."""


def as_text(rows: Rows) -> str:
    """Return rows of cells separated by tabs; numbers in full, with a point."""
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)
