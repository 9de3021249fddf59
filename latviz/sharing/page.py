"""A report as one self-contained page of HTML, without external links."""

import json
from base64 import b64encode
from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template

from latviz import __version__, files
from latviz.core import digits
from latviz.core.disk.reading import read_text
from latviz.core.progress import Progress
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import PictureSet
from latviz.resources import resource
from latviz.sharing.live import check_suffix
from latviz.sharing.report import Report, Table, made_report

_SHADED = 45
"""Percent of the accent in the shade of the largest number of A."""


def write_report(
    path: str | Path, pictures: PictureSet, session: Session, progress: Progress | None = None
) -> None:
    """Write a page on a session."""
    check_suffix(path)
    files.writing.write_page(path, html_of(made_report(pictures, session, progress)))


def html_of(report: Report) -> str:
    """Return the page of a report, with all text of the user escaped."""
    parts = {
        "title": escape(report.title),
        "facts": escape(report.facts),
        "version": escape(__version__),
        "picture": _image(report.picture, f"The picture {report.title}"),
        "states": _image(report.states, f"Its {len(report.colors)} states"),
        "live": _live(report),
        "window": str(report.window),
        "n_states": str(len(report.colors)),
        "legend": _legend(report),
        "indices": _table(report.indices),
        "numbers": _table(report.numbers),
        "curves": "".join(_curve(*curve) for curve in report.curves),
        "adjacency": _adjacency(report),
        "settings": _table(report.settings),
        "state": _state(report),
        "script": escape(report.script),
    }
    whole = {name: _read(name) for name in ("style.css", "report.js")}
    inner = {"style": whole["style.css"], "behaviour": whole["report.js"]}
    return Template(_read("page.html")).substitute(parts | inner)


def _read(name: str) -> str:
    return read_text(resource(f"report/{name}"))


def _image(png: bytes, text: str) -> str:
    data = b64encode(png).decode("ascii")
    return f'<img alt="{escape(text)}" src="data:image/png;base64,{data}">'


def _live(report: Report) -> str:
    """Return a button that opens the live page, with that page; or why there is none."""
    if not report.live:
        return f'<p class="note">{escape(report.refused[0].upper() + report.refused[1:])}.</p>'
    held = json.dumps(report.live).replace("<", "\\u003c")
    return (
        '<p><button id="open">Open the live page</button> Move N, w and alpha yourself.</p>'
        f'<script type="application/json" id="live-page">{held}</script>'
    )


def _legend(report: Report) -> str:
    pairs = zip(report.colors, report.shares, strict=True)
    items = (
        f"<li>{_swatch(color)}{k} <small>{digits.share(share)}</small></li>"
        for k, (color, share) in enumerate(pairs, start=1)
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def _swatch(color: str) -> str:
    return f'<i style="background:{escape(color)}"></i>'


def _curve(title: str, unit: str, svg: str) -> str:
    of = f" <small>{escape(unit)}</small>" if unit else ""
    return f"<figure><figcaption>{escape(title)}{of}</figcaption>{svg}</figure>"


def _table(table: Table) -> str:
    head, *rows = table
    return f"<table>{_row(head, 'th')}{''.join(_row(row, 'td') for row in rows)}</table>"


def _row(cells: Iterable[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _adjacency(report: Report) -> str:
    """Return A as a table; the larger a number, the more it is shaded."""
    marks = [f"<th>{_swatch(color)}{k}</th>" for k, color in enumerate(report.colors, start=1)]
    most = max((value for row in report.adjacency for value in row), default=0.0) or 1.0
    rows = (
        f"<tr>{mark}{''.join(_shaded(value, value / most) for value in row)}</tr>"
        for mark, row in zip(marks, report.adjacency, strict=True)
    )
    return f'<table class="matrix"><tr><td></td>{"".join(marks)}</tr>{"".join(rows)}</table>'


def _shaded(value: float, share: float) -> str:
    percent = round(_SHADED * share)
    return f'<td style="--share:{percent}%">{digits.probability(value)}</td>'


def _state(report: Report) -> str:
    """Return the settings as text, with instructions."""
    if not report.text:
        return "<p>All settings are the defaults of this picture.</p>"
    of = "" if report.is_whole else " It does not contain the picture: open that first."
    return (
        f"<pre>{escape(report.text)}</pre>"
        f"<p>Paste it with <em>Edit ▸ Apply settings from text</em>.{of}</p>"
    )
