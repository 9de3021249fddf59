"""Values of the core as HTML, which notebooks show in place of their text."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice
from typing import Any

import numpy as np

from latviz.core import digits
from latviz.core.types import Matrix

_MOST_ROWS, _MOST_COLUMNS = 16, 24
_CELL = "padding:2px 6px;text-align:right"
_TABLE = "display:inline-table;margin:4px 16px 4px 0;border-collapse:collapse;font-size:90%"


def titled(title: str, *parts: str, text: str = "") -> str:
    """Return a title and a text, which are escaped, over parts in HTML."""
    more = f"<p>{escape(text)}</p>" if text else ""
    return f"<div><b>{escape(title)}</b>{more}<div>{''.join(parts)}</div></div>"


def table(caption: str, heads: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    """Return the first rows of a table. All texts are escaped."""
    cells = ([_cell(str(value)) for value in row] for row in islice(rows, _MOST_ROWS))
    return _framed(caption, heads, cells)


def heat_map(caption: str, matrix: Matrix) -> str:
    """Return the first cells of a matrix (N, M), a row a state: the larger a number, the bluer."""
    shown, shape = matrix[:_MOST_ROWS, :_MOST_COLUMNS], matrix.shape
    low, high = min(float(matrix.min()), 0.0), float(matrix.max())
    shares = (shown - low) / (high - low) if high > low else np.zeros(shown.shape)
    if shown.shape != shape:
        part = " × ".join(map(digits.count, shown.shape))
        caption += f", {part} of {' × '.join(map(digits.count, shape))}"
    rows = (
        [_cell(str(state)), *map(_cell, map(digits.measure, values), shades)]
        for state, (values, shades) in enumerate(zip(shown.tolist(), shares.tolist(), strict=True))
    )
    return _framed(caption, ["", *range(shown.shape[1])], rows)


def _cell(text: str, share: float = 0.0) -> str:
    # Half transparent, so that text is readable in light and in dark notebooks
    shade = f";background:rgba(37,99,235,{0.6 * share:.2f})" if share else ""
    return f'<td style="{_CELL}{shade}">{escape(text)}</td>'


def _framed(caption: str, heads: Sequence[Any], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f'<th style="{_CELL}">{escape(str(head))}</th>' for head in heads)
    lines = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    named = f'<caption style="text-align:left;white-space:nowrap">{escape(caption)}</caption>'
    return f'<table style="{_TABLE}">{named}<tr>{top}</tr>{lines}</table>'
