"""Scripts as Jupyter notebooks (nbformat 4.5)."""

import ast
import json
import re
from typing import Any

_CELL = re.compile(r"^# %%.*\n", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n\n+(?=\S)")


def notebook_of(script: str) -> str:
    """Return a script that begins with a docstring, which is the first text, as a notebook."""
    # Cells begin at lines "# %%", and comments that follow these are text. Without such lines, each
    # paragraph is a cell
    parsed = ast.parse(script)
    title, _, more = (ast.get_docstring(parsed) or "").partition("\n")
    code = "\n".join(script.splitlines()[parsed.body[0].end_lineno :]).strip("\n")
    found = [("markdown", f"# {title}\n{more}")]
    if _CELL.search(code):
        found += [cell for part in _CELL.split(code) for cell in _divided(part)]
    else:
        found += [("code", part) for part in _PARAGRAPH.split(code)]
    cells = [_cell(k, *cell) for k, cell in enumerate(c for c in found if c[1].strip())]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _divided(part: str) -> list[tuple[str, str]]:
    """Return the comment at the head of a cell as text, and its code."""
    lines = part.splitlines()
    n = next((k for k, line in enumerate(lines) if not line.startswith("#")), len(lines))
    text = "\n".join(line[1:].removeprefix(" ") for line in lines[:n])
    return [("markdown", text), ("code", "\n".join(lines[n:]))]


def _cell(number: int, kind: str, source: str) -> dict[str, Any]:
    made: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
    if kind == "code":
        made |= {"execution_count": None, "outputs": []}
    return made | {"source": source.strip("\n").splitlines(keepends=True)}
