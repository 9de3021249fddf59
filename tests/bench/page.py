"""``python -m tests.bench.page`` writes the tables of the page of benchmarks from its figures.

The figures are in ``benchmarks.json`` next to the page. A table named x is placed in the page
between ``<!-- table: x -->`` and ``<!-- end -->``. A cell is null, text, a number, or a mapping of

- ``value``, ``each`` (several cases) or ``from`` and ``to`` (a range),
- and, if it has them, ``unit``, ``of`` (the whole that a value is a part of), and ``digits``
  (after the point).
"""

import json
import re
from pathlib import Path
from typing import Any

HELP = Path(__file__).parents[2] / "resources" / "help"
PAGE, FIGURES = HELP / "benchmarks-and-method.md", HELP / "benchmarks.json"

_PLACE = re.compile(r"(<!-- table: (?P<name>\S+) -->\n\n).*?(\n\n<!-- end -->)", re.DOTALL)


def cell_text(cell: Any) -> str:
    """Return the text of a cell."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if not isinstance(cell, dict):
        return str(cell)

    def number(value: float) -> str:
        return f"{value:.{cell['digits']}f}" if "digits" in cell else str(value)

    if "each" in cell:
        text = "; ".join(number(value) for value in cell["each"])
    elif "from" in cell:
        text = f"{number(cell['from'])} to {number(cell['to'])}"
    else:
        text = number(cell["value"])
    if "of" in cell:
        text += f" of {number(cell['of'])}"
    return f"{text} {cell['unit']}" if "unit" in cell else text


def table_text(table: dict[str, Any]) -> str:
    """Return a table of the figures as Markdown."""
    rows = [table["columns"], *([cell_text(cell) for cell in row] for row in table["rows"])]
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def with_tables(page: str, figures: dict[str, Any]) -> str:
    """Return the text of the page with every table made again."""
    return _PLACE.sub(lambda m: m[1] + table_text(figures["tables"][m["name"]]) + m[3], page)


if __name__ == "__main__":
    found = json.loads(FIGURES.read_text(encoding="utf-8"))
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
